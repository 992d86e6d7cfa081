import { expect } from 'chai'
import type { JsonObject } from '../../../../lib/base/json.ts'
import type { TextRequest } from '../../../../lib/canonical/request.ts'
import { toCanonical } from '../../../../lib/formats/completions/request.ts'
import { OPTIONS } from '../../../support/encoders.ts'

const read = (members: JsonObject): TextRequest =>
  toCanonical({ model: 'model-1', prompt: 'Once', ...members }, OPTIONS)

describe('completions request', () => {
  it('leaves the number of tokens to the backend', () => expect(read({}).maxTokens).equal(undefined))

  it('clamps max_tokens where the operator says so', () => {
    const options = { ...OPTIONS, clamp_max_tokens: ['completions'] as const }
    expect(toCanonical({ model: 'model-1', prompt: 'Once' }, options).clampMaxTokens).equal(true)
    expect(read({}).clampMaxTokens).equal(false)
  })

  it('takes every kind of prompt as it is', () => {
    for (const prompt of ['a', ['a', 'b'], [1, 2], [[1], [2]]]) expect(read({ prompt }).prompt).equal(prompt)
  })

  it('takes stop as a list', () => {
    expect(read({ stop: 'a' }).stop).deep.equal(['a'])
    expect(read({ stop: ['a', 'b'] }).stop).deep.equal(['a', 'b'])
    expect(read({ stop: [] }).stop).equal(undefined)
  })

  it('keeps zero and false apart from absent', () => {
    const request = read({ temperature: 0, logprobs: 0, seed: 0, max_tokens: 0, echo: false })
    expect(request).deep.include({ sampling: { temperature: 0, logprobs: 0, seed: 0 }, maxTokens: 0, echo: false })
  })

  it('takes best_of that reaches n', () => expect(read({ n: 2, best_of: 2 }).bestOf).equal(2))
})
