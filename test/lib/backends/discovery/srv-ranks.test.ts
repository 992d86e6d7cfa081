import { expect } from 'chai'
import { isTelling, ranksOf } from '../../../../lib/backends/discovery/srv-ranks.ts'

const ranks = (...records: (readonly [priority: number, weight: number])[]) =>
  [...ranksOf(records.map(([priority, weight]) => ({ priority, weight }))).values()].map(
    ({ priority, weight }) => [priority, weight] as const,
  )

describe('ranks of SRV records', () => {
  it('count priorities from 0, and weights from the mean of a priority', () => {
    expect(ranks([10, 30], [10, 10], [40, 7])).deep.equal([
      [0, 1.5],
      [0, 0.5],
      [1, 1],
    ])
  })

  it('leave a small chance to weight 0, and are alike where every weight is 0', () => {
    expect(ranks([0, 0], [0, 10])).deep.equal([
      [0, 0.01],
      [0, 2],
    ])
    expect(ranks([0, 0], [0, 0])).deep.equal([
      [0, 1],
      [0, 1],
    ])
    expect(ranks()).deep.equal([])
  })

  it('tell something where they differ', () => {
    expect(isTelling([{ priority: 0, weight: 1 }])).equal(false)
    expect(
      isTelling([
        { priority: 0, weight: 1 },
        { priority: 1, weight: 1 },
      ]),
    ).equal(true)
    expect(isTelling([{ priority: 0, weight: 2 }])).equal(true)
  })
})
