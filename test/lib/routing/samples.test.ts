import { expect } from 'chai'
import { FadingSum, faded, MovingMean, RecentQuantile, SlowMinimum } from '../../../lib/routing/samples.ts'

describe('RecentQuantile', () => {
  it('is a quantile of the last samples', () => {
    const median = new RecentQuantile(4, 0.5)
    expect([median.value, median.count, median.movedAt]).deep.equal([0, 0, 0])
    for (const sample of [9, 1, 2, 3, 4]) median.add(sample, 10 + sample)
    expect([median.value, median.count]).deep.equal([3, 4])
  })

  it('is updated by every sample at first, and by every eighth one later', () => {
    const median = new RecentQuantile(48, 0.5)
    for (let i = 0; i < 48; i++) median.add(100, i)
    for (let i = 0; i < 31; i++) median.add(25, 100 + i)
    expect([median.value, median.movedAt]).deep.equal([100, 0])
    median.add(25, 131)
    expect([median.value, median.movedAt]).deep.equal([25, 131])
  })
})

describe('MovingMean', () => {
  it('begins with the first value, and follows later ones slowly', () => {
    const mean = new MovingMean(0.1)
    expect(mean.value).equal(0)
    mean.add(10)
    mean.add(20)
    expect(mean.value).closeTo(11, 1e-9)
  })
})

describe('FadingSum', () => {
  it('loses weight with time', () => {
    const sum = new FadingSum(1000)
    expect(sum.at(0)).equal(0)
    sum.add(8, 0)
    expect(sum.at(1000)).closeTo(8 / Math.E, 1e-9)
    sum.add(2, 1000)
    expect(sum.at(1000)).closeTo(2 + 8 / Math.E, 1e-9)
    expect(faded(8, 2000, 1000)).closeTo(8 / Math.E ** 2, 1e-9)
  })
})

describe('SlowMinimum', () => {
  it('follows smaller values by a fifth of the way', () => {
    const minimum = new SlowMinimum()
    minimum.add(20, 1)
    minimum.add(10, 2)
    expect([minimum.value, minimum.count, minimum.movedAt]).deep.equal([18, 2, 2])
  })

  it('rises by at most 5 % an hour, whatever the number of samples', () => {
    const minimum = new SlowMinimum()
    minimum.add(10, 0)
    for (let ms = 0; ms <= 3_600_000; ms += 1000) minimum.add(200, ms)
    expect(minimum.value).closeTo(10.5, 1e-6)
  })

  it('does not exceed its samples', () => {
    const minimum = new SlowMinimum()
    minimum.add(10, 0)
    minimum.add(10.1, 7_200_000)
    expect(minimum.value).equal(10.1)
  })
})
