import { expect } from 'chai'
import { sortedBy } from '../../../lib/base/order.ts'

describe('an order by values', () => {
  it('has rows without a value last in both orders, and keeps the order of equal ones', () => {
    const rows = [
      ['a', 2],
      ['b', null],
      ['c', 1],
      ['d', 2],
    ] as const
    const names = (order: 'asc' | 'desc') => sortedBy(rows, ([, value]) => value, order).map(([name]) => name)
    expect(names('asc')).deep.equal(['c', 'a', 'd', 'b'])
    expect(names('desc')).deep.equal(['a', 'd', 'c', 'b'])
  })
})
