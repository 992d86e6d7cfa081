import { expect } from 'chai'
import { costOf, hasTokenPrices } from '../../../lib/limits/cost.ts'

describe('costOf', () => {
  const pricing = { input: 10, cached_input: 2.5, output: 40 }

  it('is exact in micro-cents: a million tokens cost their price in cents', () => {
    expect(costOf(pricing, { input: 1_000_000, cachedInput: 0, output: 0 })).equal(10_000_000)
    expect(costOf(pricing, { input: 0, cachedInput: 0, output: 1 })).equal(40)
    expect(costOf(pricing, { input: 100, cachedInput: 60, output: 7 })).equal(400 + 150 + 280)
  })

  it('is a whole number, also for fractional prices', () => {
    expect(costOf(pricing, { input: 3, cachedInput: 3, output: 0 })).equal(8)
    expect(costOf({ input: 0.1, cached_input: 0.1, output: 0.1 }, { input: 3, cachedInput: 0, output: 0 })).equal(0)
  })

  it('never has more cached tokens than input tokens', () => {
    expect(costOf(pricing, { input: 10, cachedInput: 50, output: 0 })).equal(25)
  })

  it('has a price per unit in place of tokens, or beside them', () => {
    const none = { input: 0, cachedInput: 0, output: 0 }
    const free = { input: 0, cached_input: 0, output: 0 }
    expect(costOf({ ...free, per_million_characters: 1500 }, { ...none, units: 7 })).equal(10_500)
    expect(costOf({ ...free, per_image: 4 }, { ...none, units: 2 })).equal(8_000_000)
    expect(costOf({ ...free, per_minute: 0.6 }, { ...none, units: 90 })).equal(900_000)
    expect(costOf({ ...free, output: 3, per_image: 4 }, { ...none, output: 5 })).equal(15)
    expect([hasTokenPrices(free), hasTokenPrices({ ...free, output: 1 })]).deep.equal([false, true])
  })
})
