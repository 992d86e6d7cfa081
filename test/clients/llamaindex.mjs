/** LlamaIndex.TS with @llamaindex/openai and an agent of @llamaindex/workflow. */
import { OpenAI } from '@llamaindex/openai'
import { agent, agentStreamEvent } from '@llamaindex/workflow'
import { tool } from 'llamaindex'
import { z } from 'zod'

const { BASE_URL, API_KEY, MODEL } = process.env
const llm = new OpenAI({ model: MODEL, apiKey: API_KEY, baseURL: `${BASE_URL}/v1`, maxRetries: 0 })
// Of a name that it does not know, LlamaIndex takes no tools for granted.
Object.defineProperty(llm, 'supportToolCall', { value: true })

let called = 0
const weather = tool({
  name: 'get_weather',
  description: 'The weather of a city.',
  parameters: z.object({ city: z.string() }),
  execute: () => {
    called++
    return 'sunny'
  },
})

let answer = ''
for await (const event of agent({ llm, tools: [weather] }).runStream('Call get_weather, please.')) {
  if (agentStreamEvent.include(event)) answer += event.data.delta
}
console.log(`tool loop: ${called} call, ${answer.length > 0 ? 'an answer' : 'no answer'}`)

let text = ''
const messages = [{ role: 'user', content: 'Tell me about rivers.' }]
for await (const piece of await llm.chat({ messages, stream: true })) text += piece.delta
console.log(`stream: ${text.length > 0 ? 'whole' : 'cut'}`)

const Place = z.object({ city: z.string(), people: z.number() })
const structured = await llm.chat({ messages: [{ role: 'user', content: 'Name a city.' }], responseFormat: Place })
console.log(`structured: ${Place.safeParse(JSON.parse(structured.message.content)).success ? 'valid' : 'invalid'}`)
