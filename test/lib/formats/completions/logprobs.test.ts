import { expect } from 'chai'
import { mergeLogprobs } from '../../../../lib/formats/completions/logprobs.ts'

describe('mergeLogprobs', () => {
  it('continues each list', () => {
    const first = mergeLogprobs(null, { tokens: ['a'], token_logprobs: [-1], top_logprobs: null })
    expect(mergeLogprobs(first, { tokens: ['b'], token_logprobs: [null], top_logprobs: [{ b: -1 }] })).deep.equal({
      tokens: ['a', 'b'],
      token_logprobs: [-1, null],
      top_logprobs: [{ b: -1 }],
    })
  })

  it('leaves the pieces as they were', () => {
    const piece = { tokens: ['a'] }
    mergeLogprobs(mergeLogprobs(null, piece), { tokens: ['b'] })
    expect(piece).deep.equal({ tokens: ['a'] })
  })

  it('keeps what it has where a piece is nothing', () => {
    const before = { tokens: ['a'] }
    expect(mergeLogprobs(before, null)).equal(before)
    expect(mergeLogprobs(null, null)).equal(null)
  })
})
