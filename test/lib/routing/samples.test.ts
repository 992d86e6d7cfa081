import { expect } from 'chai'
import { Samples } from '../../../lib/routing/samples.ts'

describe('Samples', () => {
  it('gives quantiles of the last ones', () => {
    const samples = new Samples(4)
    expect(samples.quantile(0.5)).equal(0)
    for (const value of [100, 3, 1, 2, 4]) samples.add(value)
    expect(samples.count).equal(4)
    expect([0, 0.5, 0.9, 1].map(share => samples.quantile(share))).deep.equal([1, 3, 4, 4])
    samples.add(9)
    expect(samples.quantile(1)).equal(9)
  })
})
