import { expect } from 'chai'
import { centsOf, microcentsOf } from '../../../lib/base/money.ts'

describe('money', () => {
  it('has at most six decimals of a cent', () => {
    const balance = microcentsOf(500) - 495_140_056
    expect(centsOf(balance)).equal(4.859944)
    expect([centsOf(1), centsOf(-1), centsOf(9_007_199_254_740_000)]).deep.equal([
      0.000001, -0.000001, 9_007_199_254.74,
    ])
    expect([microcentsOf(0.1 + 0.2), microcentsOf(4.859944000000041)]).deep.equal([300_000, 4_859_944])
  })
})
