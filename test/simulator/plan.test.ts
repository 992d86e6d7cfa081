import { expect } from 'chai'
import { at, CLOCK, chat, closeSimulators, type Running, simulatorWith } from '../support/simulator.ts'

const PATH = '/v1/chat/completions'

describe('simulator/plan', () => {
  let vllm: Running

  beforeEach(async () => {
    vllm = await simulatorWith({ answer_tokens: 40 })
  })
  afterEach(closeSimulators)

  it('refuses the same values as vLLM', async () => {
    const refused = async (body: unknown) => {
      const { status, json } = await vllm.post(PATH, body)
      return [status, at(json, 'error', 'type'), at(json, 'error', 'param'), at(json, 'error', 'code')]
    }
    const bad = (param: string | null) => [400, 'BadRequestError', param, 400]
    expect(await refused('{"model":')).deep.equal(bad(null))
    expect(await refused([])).deep.equal(bad(null))
    expect(await refused({ model: 'simulated' })).deep.equal(bad('messages'))
    expect(await refused(chat('x', { model: 'other' }))).deep.equal([404, 'NotFoundError', 'model', 404])
    expect(await refused(chat('x', { max_tokens: 0 }))).deep.equal(bad('max_tokens'))
    expect(await refused(chat('x', { n: 0 }))).deep.equal(bad('n'))
    expect(await refused(chat('x', { n: 129 }))).deep.equal(bad('n'))
    expect(await refused(chat('x', { temperature: -1 }))).deep.equal(bad('temperature'))
    expect(await refused(chat('x', { top_p: 2 }))).deep.equal(bad('top_p'))
    expect(await refused(chat('x', { reasoning_effort: 'huge' }))).deep.equal([
      400,
      'Bad Request',
      'body.reasoning_effort',
      400,
    ])
    expect(await refused(chat('x', { stream_options: { include_usage: true } }))).deep.equal(bad('stream_options'))
    expect(await refused(chat('x', { tool_choice: 'required' }))).deep.equal(bad('tool_choice'))
    expect(await refused(chat('x', { tools: [{ type: 'custom' }] }))).deep.equal(bad('tools'))
    const unknown = { type: 'function', function: { name: 'other' } }
    expect(await refused(chat('x', { tools: [CLOCK], tool_choice: unknown }))).deep.equal(bad('tool_choice'))
    expect(await refused(chat('x', { response_format: { type: 'grammar' } }))).deep.equal(bad('response_format'))
    expect(await refused(chat('x', { structured_outputs: { regex: 'a', choice: ['b'] } }))).deep.equal(bad(null))
    const both = { structured_outputs: { regex: 'a' }, response_format: { type: 'json_object' } }
    expect(await refused(chat('x', both))).deep.equal(bad(null))
    expect(await refused(chat('x', { structured_outputs: { regex: '(' } }))).deep.equal(bad(null))
    expect(await refused(chat('simulate: nonsense=1'))).deep.equal(bad(null))
    const image = [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }]
    expect(await refused({ model: 'simulated', messages: [{ role: 'user', content: image }] })).deep.equal(bad(null))
  })
})
