import { expect } from 'chai'
import { costOf } from '../../../../../lib/limits/cost.ts'

const MODULE = new URL('../../../../../lib/pages/browser/console/try-cost.js', import.meta.url)

interface Tokens {
  readonly input: number
  readonly cachedInput: number
  readonly output: number
  readonly reasoning: number
}
interface Module {
  microcentsOf(price: object, tokens: Tokens): number
  moneyText(microcents: number, currency: string): string
  tokensText(tokens: Tokens): string
  durationText(ms: number): string
}

describe('cost of the page Try it', () => {
  let browser: Module
  before(async () => {
    browser = (await import(MODULE.href)) as Module
  })

  it('is that of usage reports', () => {
    const price = { input: 100, cached_input: 12.5, output: 333.3 }
    for (const [input, cachedInput, output] of [
      [17, 16, 60],
      [5, 9, 0],
      [0, 0, 0],
      [123_456, 0, 7891],
    ] as const) {
      const tokens = { input, cachedInput, output, reasoning: 0 }
      expect(browser.microcentsOf(price, tokens)).equal(costOf(price, tokens))
    }
  })

  it('shows the first digits of small amounts', () => {
    const shown = [0, 1234, 1_000_000, 250_000_000, 123_456_789].map(amount => browser.moneyText(amount, 'EUR'))
    expect(shown).deep.equal(['0.00 EUR', '0.0000123 EUR', '0.01 EUR', '2.50 EUR', '1.2346 EUR'])
  })

  it('has tokens and times in words', () => {
    const tokens = { input: 1700, cachedInput: 0, output: 60, reasoning: 0 }
    expect(browser.tokensText(tokens)).equal('1,700 tokens in; 60 out')
    expect(browser.tokensText({ ...tokens, cachedInput: 16, reasoning: 20 })).equal(
      '1,700 tokens in, 16 of them cached; 60 out, 20 of reasoning',
    )
    expect([80.4, 1250].map(browser.durationText)).deep.equal(['80 ms', '1.3 s'])
  })
})
