/** @openai/agents on Responses: the default of the SDK, and what its README shows. */
import { Agent, OpenAIProvider, Runner, setTracingDisabled, tool } from '@openai/agents'
import { z } from 'zod'

const { BASE_URL, API_KEY, MODEL } = process.env
setTracingDisabled(true)
const modelProvider = new OpenAIProvider({ baseURL: `${BASE_URL}/v1`, apiKey: API_KEY, useResponses: true })
const runner = new Runner({ modelProvider })

let called = 0
const weather = tool({
  name: 'get_weather',
  description: 'The weather of a city.',
  parameters: z.object({ city: z.string() }),
  execute: async () => {
    called++
    return 'sunny'
  },
})

const looped = await runner.run(
  new Agent({ name: 'a', instructions: 'Be brief.', model: MODEL, tools: [weather] }),
  'Call get_weather, please.',
)
console.log(`tool loop: ${called} call, ${looped.finalOutput.length > 0 ? 'an answer' : 'no answer'}`)

const stream = await runner.run(new Agent({ name: 'b', model: MODEL }), 'Tell me about rivers.', { stream: true })
let text = ''
for await (const piece of stream.toTextStream()) text += piece
await stream.completed
console.log(`stream: ${text === stream.finalOutput ? 'whole' : 'cut'}`)

const Place = z.object({ city: z.string(), people: z.number() })
const structured = await runner.run(new Agent({ name: 'c', model: MODEL, outputType: Place }), 'Name a city.')
console.log(`structured: ${Place.safeParse(structured.finalOutput).success ? 'valid' : 'invalid'}`)
