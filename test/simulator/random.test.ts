import { expect } from 'chai'
import { between, pick, seededRandom } from '../../simulator/random.ts'

describe('simulator/random', () => {
  it('is equal for equal seeds, and spreads over the range', () => {
    const numbers = (seed: number) => Array.from({ length: 1000 }, seededRandom(seed))
    expect(numbers(1)).deep.equal(numbers(1)).not.deep.equal(numbers(2))
    for (const number of numbers(1)) expect(number).within(0, 0.9999999999)
    const mean = numbers(3).reduce((sum, number) => sum + number, 0) / 1000
    expect(mean).within(0.45, 0.55)
  })

  it('includes both bounds and every item', () => {
    const random = seededRandom(1)
    expect(new Set(Array.from({ length: 200 }, () => between(random, 2, 4)))).deep.equal(new Set([4, 3, 2]))
    expect(new Set(Array.from({ length: 200 }, () => pick(random, ['a', 'b'])))).deep.equal(new Set(['a', 'b']))
  })
})
