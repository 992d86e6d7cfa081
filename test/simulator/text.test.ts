import { expect } from 'chai'
import type { JsonObject } from '../../lib/base/json.ts'
import { countTokens } from '../../simulator/tokens.ts'
import { at, closeSimulators, joined, type Running, simulatorWith } from '../support/simulator.ts'

const PATH = '/v1/completions'

describe('simulator/text', () => {
  let vllm: Running

  beforeEach(async () => {
    vllm = await simulatorWith()
  })
  afterEach(closeSimulators)

  const ask = async (more: JsonObject) => (await vllm.post(PATH, { model: 'simulated', ...more })).json

  it('completes a prompt with 16 tokens by default, streamed or not', async () => {
    const json = await ask({ prompt: 'one two' })
    expect(json).include({ object: 'text_completion', model: 'simulated' })
    expect(at(json, 'choices', 0, 'finish_reason')).equal('length')
    expect(countTokens(String(at(json, 'choices', 0, 'text')))).equal(16)
    expect(at(json, 'usage')).include({ prompt_tokens: 2, completion_tokens: 16, total_tokens: 18 })
    const { events } = await vllm.post(PATH, { model: 'simulated', prompt: 'one two', stream: true })
    expect(joined(events, 'text')).equal(at(json, 'choices', 0, 'text'))
    expect(events.at(-1)).equal('[DONE]')
  })

  it('has n choices per prompt, in order', async () => {
    const json = await ask({ prompt: ['one', 'two'], n: 2, max_tokens: 3, echo: true })
    const choices = at(json, 'choices')
    expect(
      Array.isArray(choices) && choices.map(choice => [at(choice, 'index'), String(at(choice, 'text')).slice(0, 3)]),
    ).deep.equal([
      [0, 'one'],
      [1, 'one'],
      [2, 'two'],
      [3, 'two'],
    ])
    expect(at(json, 'usage')).include({ prompt_tokens: 2, completion_tokens: 12 })
  })

  it('accepts token ids, of one prompt or several', async () => {
    const one = await ask({ prompt: [5, 6, 7], max_tokens: 1, echo: true })
    expect(at(one, 'usage', 'prompt_tokens')).equal(3)
    expect(at(one, 'choices', 0, 'text')).match(/^ t5 t6 t7/)
    const two = await ask({ prompt: [[5, 6], [7]], max_tokens: 1 })
    expect(at(two, 'choices', 1, 'index')).equal(1)
    expect(at(two, 'usage', 'prompt_tokens')).equal(3)
  })

  it('applies stop strings, constraints and directives', async () => {
    expect(at(await ask({ prompt: 'simulate: say=one two', stop: 'two' }), 'choices', 0)).include({
      text: 'one ',
      stop_reason: 'two',
    })
    expect(at(await ask({ prompt: 'x', structured_outputs: { regex: '\\d{4}' } }), 'choices', 0, 'text')).match(
      /^\d{4}$/,
    )
    expect(at(await ask({ prompt: 'simulate: tokens=5' }), 'usage', 'completion_tokens')).equal(5)
    expect((await vllm.post(PATH, { model: 'simulated', prompt: 'simulate: status=500' })).status).equal(500)
  })

  it('refuses invalid prompts', async () => {
    const status = async (more: JsonObject) => (await vllm.post(PATH, { model: 'simulated', ...more })).status
    for (const prompt of [undefined, [], [[]], [1, 'x'], {}, 5])
      expect(await status(prompt === undefined ? {} : { prompt })).equal(400)
    expect(await status({ prompt: 'x', max_tokens: 40_000 })).equal(400)
    expect(await status({ prompt: ['x', 'y'], n: 600 })).equal(400)
  })
})
