import { expect } from 'chai'
import { capacityOf } from '../../../bench/routing/capacity.ts'

describe('the search of the capacity', () => {
  it('finds the highest rate that is good, from below and from above', () => {
    for (const start of [3, 30, 300]) {
      let runs = 0
      const found = capacityOf(rate => {
        runs++
        return rate <= 42 ? 0.95 : 0.9
      }, start)
      expect(found).within(41, 42)
      expect(runs).most(16)
    }
  })

  it('ends without a rate that is good', () => {
    let runs = 0
    expect(capacityOf(() => ++runs && 0.5, 10)).equal(0)
    expect(runs).most(12)
  })
})
