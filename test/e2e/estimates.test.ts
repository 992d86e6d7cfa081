/** Estimates of prompts compared with tokenizers of models, for texts of all kinds. */
import { expect } from 'chai'
import { ModelTokens } from '../../lib/tokens/token-ratios.ts'
import { TOKENIZERS, type Tokenizer, type VariedPrompt, variedPrompts } from '../support/varied-prompts.ts'

describe('estimates of prompts, by the tokenizers of models', () => {
  let next: (kinds?: number) => VariedPrompt

  before(async () => {
    next = await variedPrompts(1)
  })

  /**
   * Sends prompts, whose counts correct the ratios. Returns the number of low estimates, and the sum of estimates
   * divided by that of counts.
   */
  function send(model: ModelTokens, tokenizer: Tokenizer, requests: number, kinds?: number) {
    let low = 0
    let estimated = 0
    let counted = 0
    for (let i = 0; i < requests; i++) {
      const { size, tokens } = next(kinds)
      const upperBound = model.upperBound(size)
      if (tokens[tokenizer] > upperBound) low++
      estimated += upperBound
      counted += tokens[tokenizer]
      model.learn(size, tokens[tokenizer])
    }
    return { low, ratio: estimated / counted }
  }

  for (const tokenizer of TOKENIZERS) {
    it(`are high for 999 of 1,000 requests, ${tokenizer}, after measurement`, () => {
      const model = new ModelTokens()
      send(model, tokenizer, 3000)
      const { low, ratio } = send(model, tokenizer, 10_000)
      expect(low).most(10)
      // High, but not many times too high: a balance must cover it.
      expect(ratio).within(1.05, 3)
    })

    it(`are high for 999 of 1,000 requests, ${tokenizer}, before measurement`, () => {
      let low = 0
      for (let start = 0; start < 20; start++) low += send(new ModelTokens(), tokenizer, 200).low
      expect(low).most(4)
    })

    it(`are high for nearly as many, ${tokenizer}, if traffic without prose and code follows`, () => {
      const model = new ModelTokens()
      send(model, tokenizer, 3000, 2)
      expect(send(model, tokenizer, 5000).low).most(10)
    })
  }
})
