import { expect } from 'chai'
import type { JsonObject } from '../../lib/base/json.ts'
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

  it('has the members of replies of vLLM', async () => {
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

  it('refuses and ignores the same members as vLLM of 2026-09', async () => {
    const { post } = await simulatorWith()
    const stop = ['a', 'b', 'c', 'd', 'e']
    const refused = async (more: JsonObject) => at((await post(PATH, chat('x', more))).json, 'error', 'message')
    expect((await post(PATH, chat('x', { stop }))).json).deep.equal({
      error: {
        message:
          "1 validation error:\n  {'type': 'too_long', 'loc': 'body.stop', 'msg': 'List should have at most 4 items after validation, not 5'}",
        type: 'Bad Request',
        param: 'body.stop',
        code: 400,
      },
    })
    expect(await refused({ stop: stop.slice(1) })).equal(undefined)
    expect(await refused({ tools: [] })).match(/^`tools` must not be an empty array/)
    expect(await refused({ cache_salt: '' })).match(/^Parameter 'cache_salt' must be a non-empty string/)
    for (const salt of ['a/b', 'a@b', 'a\\b', 'a\0b', 'a'.repeat(129)])
      expect(await refused({ cache_salt: salt })).match(/must be at most 128 characters and must not contain '@'/)
    expect(await refused({ cache_salt: 'a'.repeat(128) })).equal(undefined)
    expect(await refused({ top_logprobs: 2 })).match(/`logprobs` must be set to true/)
    expect(await refused({ top_logprobs: 0, logprobs: false })).equal(undefined)
    expect(await refused({ n: 2, temperature: 0 })).match(/^n must be 1 when using greedy sampling, got 2/)
    const text = async (more: JsonObject) =>
      at((await post('/v1/completions', { model: 'simulated', prompt: 'x', ...more })).json, 'error', 'message')
    expect(await text({ suffix: 'y', best_of: 2 })).equal(undefined)
    expect(await text({ prompt: '' })).equal('The decoder prompt cannot be empty')
  })

  it('refuses a request above the context window', async () => {
    const small = await simulatorWith({ models: [{ id: 'simulated', max_model_len: 50 }] })
    const long = await small.post(PATH, chat('water '.repeat(60)))
    expect(long.status).equal(400)
    expect(at(long.json, 'error', 'message')).match(
      /^The decoder prompt \(length 74\) is longer than the maximum model length of 50\./,
    )
    const asked = await small.post(PATH, chat('water', { max_tokens: 45 }))
    expect(asked.status).equal(400)
    expect(at(asked.json, 'error')).include({ param: 'input_tokens' })
    expect(at(asked.json, 'error', 'message')).match(
      /maximum context length is 50 tokens.*45 output tokens.*at least 6 input/,
    )
    const beyond = await small.post(PATH, chat('water', { max_tokens: 51 }))
    expect(at(beyond.json, 'error', 'message')).match(
      /^max_tokens=51 cannot be greater than max_model_len=max_total_tokens=50\./,
    )
    // A request without a limit gets the rest of the window.
    const rest = await small.post(PATH, chat('water', { ignore_eos: true }))
    expect(at(rest.json, 'usage', 'total_tokens')).equal(50)
  })

  it('refuses a constraint with a named tool, and satisfies one with a free choice', async () => {
    const { post } = await simulatorWith({})
    const both = { tools: [{ type: 'function', function: { name: 'f' } }], structured_outputs: { regex: '[ab]' } }
    const named = { ...both, tool_choice: { type: 'function', function: { name: 'f' } } }
    const refused = await post(PATH, chat('f', named))
    expect([refused.status, at(refused.json, 'error', 'message')]).deep.equal([
      400,
      'You can only either use constraints for structured outputs or tools, not both.',
    ])
    const free = await post(PATH, chat('f', both))
    expect(at(free.json, 'choices', 0, 'message', 'content')).match(/^[ab]$/)
  })
})
