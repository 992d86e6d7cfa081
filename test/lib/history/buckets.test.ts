import { expect } from 'chai'
import { bucketOf, PACE_BOUNDS, quantileOf, TTFT_BOUNDS } from '../../../lib/history/buckets.ts'

describe('histograms of the history', () => {
  it('have 19 ascending bounds, and a bucket for more', () => {
    for (const bounds of [TTFT_BOUNDS, PACE_BOUNDS] as readonly (readonly number[])[]) {
      expect(bounds).lengthOf(19)
      expect(bounds.toSorted((a, b) => a - b)).deep.equal(bounds)
    }
    expect([0, 10, 10.1, 1e9].map(ms => bucketOf(TTFT_BOUNDS, ms))).deep.equal([0, 0, 1, 19])
  })

  it('estimate quantiles within a bucket', () => {
    expect(quantileOf([10, 20], [0, 0, 0], 0.5)).equal(null)
    expect(quantileOf([10, 20], [0, 4, 0], 0.5)).equal(15)
    expect(quantileOf([10, 20], [4, 4, 0], 0.5)).equal(10)
    expect(quantileOf([10, 20], [4, 4, 0], 0.25)).equal(5)
    expect(quantileOf([10, 20], [0, 0, 4], 0.95)).equal(20)
  })
})
