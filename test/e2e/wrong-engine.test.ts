import { expect } from 'chai'
import type { Json, JsonObject } from '../../lib/base/json.ts'
import { eventually, type TestGateway, testGateway } from '../support/gateway.ts'
import { at, closeSimulators, simulatorWith } from '../support/simulator.ts'

const json = async (response: Response) => (await response.json()) as Json

describe('a backend that runs another engine than the file says', () => {
  let gateway: TestGateway | undefined
  afterEach(async () => {
    await gateway?.close()
    gateway = undefined
    await closeSimulators()
  })

  it('gets requests as its engine reads them, with its window, and is shown with the problem', async () => {
    const seen: JsonObject[] = []
    const { root } = await simulatorWith({
      engine: 'sglang',
      models: [{ id: 'upstream-m', max_model_len: 2048 }],
      onRequest: ({ body }) => seen.push(body as JsonObject),
    })
    const model = { capabilities: { chat_completions: { regex: true } } }
    gateway = await testGateway({ backends: [`${root}/v1`], model })
    const shown = async () => {
      const response = await fetch(`${gateway!.gateway.adminUrl}/backends`)
      return at(await json(response), 'backends', 0, 'problem')
    }
    const problem = 'runs sglang, but its `engine` is vllm; it has a window of 2048 tokens, but `max_model_len` is 8192'
    await eventually(async () => (await shown()) === problem)

    const messages = [{ role: 'user', content: 'Say a number.' }]
    const reply = await gateway.post('/v1/chat/completions', { model: 'm', messages, regex: '[0-9]{4}' })
    expect(reply.status).equal(200)
    expect(at(await json(reply), 'choices', 0, 'message', 'content')).match(/^[0-9]{4}$/)
    expect(seen.at(-1)).include({ regex: '[0-9]{4}' })

    expect(at(await json(await gateway.get('/v1/models')), 'data', 0)).include({ max_model_len: 2048 })
    const long = await gateway.post('/v1/chat/completions', { model: 'm', messages, max_tokens: 4096 })
    expect(at(await json(long), 'error')).include({ code: 'context_length_exceeded', context_length_limit: 2048 })
  })
})
