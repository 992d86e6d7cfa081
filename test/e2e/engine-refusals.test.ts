/** Refusals of the simulated engines, and the errors that clients get. */
import { expect } from 'chai'
import type { JsonObject } from '../../lib/base/json.ts'
import { type TestGateway, testGateway } from '../support/gateway.ts'
import { closeSimulators, simulatorWith } from '../support/simulator.ts'

const ENGINES = ['vllm', 'sglang', 'llama.cpp'] as const
const WINDOW = 100
const user = (content: unknown) => [{ role: 'user', content }]
const F = { type: 'function', function: { name: 'f', parameters: { type: 'object', properties: {} } } }
const IMAGE = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } }

describe('refusals of engines', () => {
  let gateway: TestGateway

  afterEach(async () => {
    await gateway.close()
    await closeSimulators()
  })

  /** A gateway in front of one engine, without a window in the model card. */
  async function behind(engine: (typeof ENGINES)[number], window = WINDOW): Promise<void> {
    const model = { id: 'up', max_model_len: window, vision: true, reasoning: false }
    const { root } = await simulatorWith({ engine, models: [model], reasoning_by_default: false })
    const chat_completions = { tools: true, streaming_tools: true, regex: engine !== 'llama.cpp' }
    const backends = [{ url: `${root}/v1`, model: 'up', engine }]
    const capabilities = { vision: true, messages: { vision: true }, tools: true, reasoning: false, chat_completions }
    gateway = await testGateway({ backends: [], model: { backends, capabilities, max_model_len: 100_000 } })
  }

  const chat = async (body: JsonObject) => {
    const response = await gateway.post('/v1/chat/completions', { model: 'm', ...body })
    return { status: response.status, text: await response.text() }
  }

  for (const engine of ENGINES)
    it(`of prompts that are too long are context_length_exceeded on ${engine}, streamed or not`, async () => {
      await behind(engine)
      const prompts = [
        // Images count after they are expanded. SGLang leaves six tokens of its window free.
        ...[user('water '.repeat(WINDOW + 20)), user('water '.repeat(WINDOW))],
        user([{ type: 'text', text: 'water '.repeat(60) }, IMAGE]),
        ...(engine === 'sglang' ? [user('water '.repeat(82))] : []),
      ]
      for (const messages of prompts)
        for (const stream of [false, true]) {
          const { status, text } = await chat({ messages, stream } as JsonObject)
          expect(status, text).equal(400)
          expect(JSON.parse(text).error).include({ code: 'context_length_exceeded' })
        }
      // None of them is evidence about the backend.
      expect((await chat({ messages: user('Hi'), max_tokens: 3 } as JsonObject)).status).equal(200)
    })

  for (const engine of ['vllm', 'sglang'] as const)
    it(`never come of a regular expression beside tools on ${engine}`, async () => {
      await behind(engine, 4000)
      for (const choice of ['auto', 'required', { type: 'function', function: { name: 'f' } }]) {
        const body = { messages: user('Call f.'), tools: [F], tool_choice: choice, regex: '[ab]' } as JsonObject
        const { status, text } = await chat(body)
        expect(status, text).equal(200)
        expect(JSON.parse(text).choices[0].message.tool_calls, text).lengthOf(1)
      }
      // Without tools, it applies.
      const held = await chat({
        messages: user('Call f.'),
        tools: [F],
        tool_choice: 'none',
        regex: '[ab]',
      } as JsonObject)
      expect(JSON.parse(held.text).choices[0].message.content).match(/^[ab]$/)
    })

  it('are none where vLLM cuts off a text that repeats itself: it is a stop', async () => {
    await behind('vllm', 4000)
    const messages = user('Hi\nsimulate: finish=repetition')
    const { status, text } = await chat({ messages } as JsonObject)
    expect([status, JSON.parse(text).choices[0].finish_reason]).deep.equal([200, 'stop'])
    const streamed = await chat({ messages, stream: true } as JsonObject)
    expect(streamed.text).includes('"finish_reason":"stop"').and.includes('[DONE]')
    const message = await (
      await gateway.post('/v1/messages', { model: 'm', max_tokens: 200, messages } as JsonObject)
    ).json()
    expect(message).include({ stop_reason: 'end_turn' })
  })
})
