import { expect } from 'chai'
import { vllm } from '../../simulator/engine-vllm.ts'
import { Refusal } from '../../simulator/refusal.ts'
import { at, chat, closeSimulators, simulatorWith } from '../support/simulator.ts'

const PATH = '/v1/chat/completions'

describe('simulator/engine-vllm', () => {
  afterEach(closeSimulators)

  it('nests errors, with a type for each status', () => {
    const types = [400, 404, 501, 503, 500].map(status => at(vllm.errorBody(new Refusal(status, 'm')), 'error', 'type'))
    expect(types).deep.equal([
      'BadRequestError',
      'NotFoundError',
      'NotImplementedError',
      'ServiceUnavailableError',
      'InternalServerError',
    ])
    expect(vllm.errorBody(new Refusal(400, 'm', { param: 'p' }))).deep.equal({
      error: { message: 'm', type: 'BadRequestError', param: 'p', code: 400 },
    })
  })

  it('has the members of a reply that vLLM has', async () => {
    const { post } = await simulatorWith()
    const { json } = await post(PATH, chat('Hello'))
    expect(json).include.keys('id', 'object', 'created', 'model', 'choices', 'usage', 'system_fingerprint')
    expect(at(json, 'choices', 0)).include({ index: 0, logprobs: null, finish_reason: 'stop', stop_reason: null })
    expect(at(json, 'choices', 0, 'message')).deep.include({
      role: 'assistant',
      reasoning: null,
      refusal: null,
      tool_calls: [],
    })
  })

  it('refuses what does not fit its context window', async () => {
    const small = await simulatorWith({ models: [{ id: 'simulated', max_model_len: 50 }] })
    const long = await small.post(PATH, chat('water '.repeat(60)))
    expect(long.status).equal(400)
    expect(at(long.json, 'error', 'message')).match(/maximum context length is 50 tokens.*at least 74 input tokens/)
    const asked = await small.post(PATH, chat('water', { max_tokens: 45 }))
    expect(asked.status).equal(400)
    expect(at(asked.json, 'error')).include({ param: 'max_tokens' })
    expect(at(asked.json, 'error', 'message')).match(/too large: 45\. This model's maximum context length is 50 tokens/)
    // Without a limit of its own a request gets the rest of the window.
    const rest = await small.post(PATH, chat('water', { ignore_eos: true }))
    expect(at(rest.json, 'usage', 'total_tokens')).equal(50)
  })
})
