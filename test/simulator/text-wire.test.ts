import { expect } from 'chai'
import type { JsonObject } from '../../lib/base/json.ts'
import { at, closeSimulators, type Running, simulatorWith } from '../support/simulator.ts'

const PATH = '/v1/completions'

describe('simulator/text-wire', () => {
  let vllm: Running

  beforeEach(async () => {
    vllm = await simulatorWith()
  })
  afterEach(closeSimulators)

  const ask = async (more: JsonObject) => (await vllm.post(PATH, { model: 'simulated', ...more })).json

  it('streams the prompt first with echo', async () => {
    const { events } = await vllm.post(PATH, {
      model: 'simulated',
      prompt: 'one',
      echo: true,
      stream: true,
      max_tokens: 2,
    })
    expect(at(events[0], 'choices', 0, 'text')).equal('one')
  })

  it('counts usage as chat completions do', async () => {
    const stream_options = { include_usage: true, continuous_usage_stats: true }
    const { events } = await vllm.post(PATH, {
      model: 'simulated',
      prompt: 'one',
      max_tokens: 2,
      stream: true,
      stream_options,
    })
    expect(events.slice(0, -1).map(event => at(event, 'usage', 'completion_tokens'))).deep.equal([1, 2, 2])
    expect(at(events.at(-2), 'choices')).deep.equal([])
  })

  it('has log probabilities', async () => {
    const json = await ask({ prompt: 'x', logprobs: 1, max_tokens: 3 })
    const tokens = at(json, 'choices', 0, 'logprobs', 'tokens')
    expect(Array.isArray(tokens) && tokens.join('')).equal(at(json, 'choices', 0, 'text'))
  })
})
