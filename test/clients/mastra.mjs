/** @mastra/core with the chat provider of the AI SDK. */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { Agent } from '@mastra/core/agent'
import { createTool } from '@mastra/core/tools'
import { z } from 'zod'

const { BASE_URL, API_KEY, MODEL } = process.env
const provider = createOpenAICompatible({
  name: 'sluiceway',
  baseURL: `${BASE_URL}/v1`,
  apiKey: API_KEY,
  includeUsage: true,
  supportsStructuredOutputs: true,
})

let called = 0
const weather = createTool({
  id: 'get_weather',
  description: 'The weather of a city.',
  inputSchema: z.object({ city: z.string() }),
  outputSchema: z.object({ weather: z.string() }),
  execute: async () => {
    called++
    return { weather: 'sunny' }
  },
})
const agent = new Agent({
  id: 'a',
  name: 'a',
  instructions: 'Be brief.',
  model: provider(MODEL),
  tools: { get_weather: weather },
})

const looped = await agent.generate('Call get_weather, please.')
console.log(`tool loop: ${called} call, ${looped.text.length > 0 ? 'an answer' : 'no answer'}`)

const stream = await agent.stream('Tell me about rivers.')
let text = ''
for await (const piece of stream.textStream) text += piece
console.log(`stream: ${text.length > 0 && text === (await stream.text) ? 'whole' : 'cut'}`)

const Place = z.object({ city: z.string(), people: z.number() })
const plain = new Agent({ id: 'b', name: 'b', instructions: 'Be brief.', model: provider(MODEL) })
const structured = await plain.generate('Name a city.', { structuredOutput: { schema: Place } })
console.log(`structured: ${Place.safeParse(structured.object).success ? 'valid' : 'invalid'}`)
