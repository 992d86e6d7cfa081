/** Instructor for JavaScript on the openai SDK of its time: structured answers by a tool and by a schema. */
import instructor from '@instructor-ai/instructor'
import OpenAI from 'openai'
import { z } from 'zod'

const { BASE_URL, API_KEY, MODEL } = process.env
const openai = new OpenAI({ baseURL: `${BASE_URL}/v1`, apiKey: API_KEY, maxRetries: 0 })
const Place = z.object({ city: z.string(), people: z.number() })
const clientOf = mode => (instructor.default ?? instructor)({ client: openai, mode })
const ask = { model: MODEL, messages: [{ role: 'user', content: 'Name a city.' }] }
const response_model = { schema: Place, name: 'Place' }

const called = await clientOf('TOOLS').chat.completions.create({ ...ask, response_model })
console.log(`tool loop: ${Place.safeParse(called).success ? 1 : 0} call, an answer`)

let last
for await (const partial of await clientOf('TOOLS').chat.completions.create({ ...ask, response_model, stream: true })) {
  last = partial
}
console.log(`stream: ${typeof last?.city === 'string' ? 'whole' : 'cut'}`)

const structured = await clientOf('JSON_SCHEMA').chat.completions.create({ ...ask, response_model })
console.log(`structured: ${Place.safeParse(structured).success ? 'valid' : 'invalid'}`)
