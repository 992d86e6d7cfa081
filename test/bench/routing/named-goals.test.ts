import { expect } from 'chai'
import { isMet } from '../../../bench/routing/named-goals.ts'

describe('named goals', () => {
  it('are met at their limits', () => {
    expect(isMet({ name: 'n', value: 1.1, atMost: 1.1 })).equal(true)
    expect(isMet({ name: 'n', value: 1.11, atMost: 1.1 })).equal(false)
    expect(isMet({ name: 'n', value: 0.94, atLeast: 0.95 })).equal(false)
    // A part that has measured nothing has not met its goal.
    expect(isMet({ name: 'n', value: Number.NaN, atMost: 1 })).equal(false)
  })
})
