import { expect } from 'chai'
import type { JsonObject } from '../../lib/base/json.ts'
import { at, chat, closeSimulators, type Running, simulatorWith, WEATHER } from '../support/simulator.ts'

const PATH = '/v1/chat/completions'

describe('simulator/prompt', () => {
  let vllm: Running

  beforeEach(async () => {
    vllm = await simulatorWith({ answer_tokens: 40 })
  })
  afterEach(closeSimulators)

  it('counts reasoning of earlier turns, tools and images as part of the prompt', async () => {
    const vision = await simulatorWith({ models: [{ id: 'simulated', vision: true }] })
    const count = async (body: JsonObject) => Number(at((await vision.post(PATH, body)).json, 'usage', 'prompt_tokens'))
    const plain = await count(chat('Hello'))
    expect(await count(chat('Hello', { tools: [WEATHER] }))).above(plain)
    const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }
    const messages = [{ role: 'user', content: [{ type: 'text', text: 'Hello' }, image] }]
    expect(await count({ model: 'simulated', messages })).equal(plain + 64)
    const turns = (more: JsonObject) => [
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: 'Hi', ...more },
      { role: 'user', content: 'And?' },
    ]
    const without = await count({ model: 'simulated', messages: turns({}) })
    for (const field of ['reasoning', 'reasoning_content']) {
      expect(await count({ model: 'simulated', messages: turns({ [field]: 'because' }) }), field).above(without)
    }
  })

  it('refuses unknown details of images', async () => {
    const asked = async (engine: 'vllm' | 'sglang', detail: string) => {
      const { post } = await simulatorWith({ engine, models: [{ id: 'simulated', vision: true }] })
      const content = [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA', detail } }]
      return (await post(PATH, { model: 'simulated', messages: [{ role: 'user', content }], max_tokens: 4 })).json
        .message
    }
    expect(await asked('sglang', 'original')).contain(`'msg': "Input should be 'auto', 'low' or 'high'"`)
    for (const [engine, detail] of [
      ['sglang', 'high'],
      ['vllm', 'original'],
    ] as const)
      expect(await asked(engine, detail), engine).equal(undefined)
  })

  it('refuses the same conversations as chat templates', async () => {
    const user = { role: 'user', content: 'x' }
    const calls = {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }],
    }
    const tool = { role: 'tool', tool_call_id: 'a', content: 'y' }
    const status = async (...messages: JsonObject[]) => (await vllm.post(PATH, { model: 'simulated', messages })).status
    expect(await status(user, calls, tool, user)).equal(200)
    expect(await status({ role: 'system', content: 's' }, user)).equal(200)
    expect(await status(user, tool)).equal(400)
    expect(await status(user, calls, user, tool)).equal(400)
    expect(await status(user, { role: 'system', content: 's' }, user)).equal(400)
    expect(await status({ role: 'developer', content: 's' }, user)).equal(400)
    expect(await status({ role: 'user', content: [{ type: 'input_audio' }] })).equal(400)

    const lenient = await simulatorWith({ system_inline: true, developer_role: true })
    const messages = [{ role: 'developer', content: 'd' }, user, { role: 'system', content: 's' }]
    expect((await lenient.post(PATH, { model: 'simulated', messages })).status).equal(200)
  })
})
