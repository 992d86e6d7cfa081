import { expect } from 'chai'
import { geometricMean, spread } from '../../../bench/routing/spread.ts'

describe('the spread of draws', () => {
  it('is the mean, and the range of several', () => {
    expect(spread([1.234], 2)).equal('1.23')
    expect(spread([1, 2, 6], 1)).equal('3.0 (1.0–6.0)')
    expect(geometricMean([1, 4])).closeTo(2, 1e-9)
  })
})
