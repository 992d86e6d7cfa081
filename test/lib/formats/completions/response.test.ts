import { expect } from 'chai'
import type { Json, JsonObject } from '../../../../lib/base/json.ts'
import { ResponseCollector } from '../../../../lib/formats/completions/response.ts'
import { textRequest } from '../../../support/canonical.ts'
import { chunkOf, contextOf } from '../../../support/encoders.ts'

/** Log probabilities of a response that arrives in these pieces. */
function gathered(...pieces: readonly Json[]): Json | undefined {
  const collector = new ResponseCollector(contextOf(textRequest()))
  for (const logprobs of pieces) collector.chunk(chunkOf({ text: 'a', logprobs }))
  const [choice] = collector.result().choices as JsonObject[]
  return choice!.logprobs
}

describe('log probabilities of a completion', () => {
  it('continue each list', () => {
    const first = { tokens: ['a'], token_logprobs: [-1], top_logprobs: null }
    expect(gathered(first, { tokens: ['b'], token_logprobs: [null], top_logprobs: [{ b: -1 }] })).deep.equal({
      tokens: ['a', 'b'],
      token_logprobs: [-1, null],
      top_logprobs: [{ b: -1 }],
    })
  })

  it('do not change the pieces', () => {
    const piece = { tokens: ['a'] }
    gathered(piece, { tokens: ['b'] })
    expect(piece).deep.equal({ tokens: ['a'] })
  })

  it('are kept if a piece is null', () => {
    expect(gathered({ tokens: ['a'] }, null)).deep.equal({ tokens: ['a'] })
    expect(gathered(null)).equal(null)
  })
})
