/** @langchain/langgraph with the prebuilt agent of LangGraph on ChatOpenAI. */
import { tool } from '@langchain/core/tools'
import { createReactAgent } from '@langchain/langgraph/prebuilt'
import { ChatOpenAI } from '@langchain/openai'
import { z } from 'zod'

const { BASE_URL, API_KEY, MODEL } = process.env
const configuration = { baseURL: `${BASE_URL}/v1` }
const model = new ChatOpenAI({ model: MODEL, apiKey: API_KEY, configuration, maxRetries: 0 })

let called = 0
const weather = tool(
  async () => {
    called++
    return 'sunny'
  },
  { name: 'get_weather', description: 'The weather of a city.', schema: z.object({ city: z.string() }) },
)
const agent = createReactAgent({ llm: model, tools: [weather] })
const ask = content => ({ messages: [{ role: 'user', content }] })

const looped = await agent.invoke(ask('Call get_weather, please.'))
const answer = looped.messages.at(-1).content
console.log(`tool loop: ${called} call, ${answer.length > 0 ? 'an answer' : 'no answer'}`)

let text = ''
let counted
for await (const [piece] of await agent.stream(ask('Tell me about rivers.'), { streamMode: 'messages' })) {
  text += piece.content
  counted = piece.usage_metadata ?? counted
}
console.log(`stream: ${text.length > 0 && counted?.total_tokens > 0 ? 'whole' : 'cut'}`)

const Place = z.object({ city: z.string(), people: z.number() })
const structured = await createReactAgent({ llm: model, tools: [], responseFormat: Place }).invoke(ask('Name a city.'))
console.log(`structured: ${Place.safeParse(structured.structuredResponse).success ? 'valid' : 'invalid'}`)
