import { expect } from 'chai'
import { type Labels, type Series, SeriesMap } from '../../../lib/base/series-map.ts'

interface Made extends Series {
  readonly labels: Labels
  readonly again: () => Made
}

const newMap = () => new SeriesMap<Made>(['a', 'b'], (labels, again) => ({ labels, again, isRemoved: false }))

describe('base/series-map', () => {
  it('has one series for each set of values, with their names', () => {
    const map = newMap()
    const one = map.of(['1', '2'])
    expect(one.labels).deep.equal({ a: '1', b: '2' })
    expect(map.of(['1', '2'])).equal(one)
    expect(map.of(['12', ''])).not.equal(one)
    expect(map.all()).length(2)
  })

  it('shows no series that was removed, and tells those who kept it where to count', () => {
    const map = newMap()
    const [gone, other] = [map.of(['1', '2']), map.of(['3', '4'])]
    map.remove({ b: '2', a: '1' })
    map.remove({ a: 'none', b: '' })
    expect([gone.isRemoved, other.isRemoved]).deep.equal([true, false])
    expect(map.all()).deep.equal([other])
    const next = map.of(['1', '2'])
    expect(next).not.equal(gone)
    expect(gone.again()).equal(next)
    map.clear()
    expect([next.isRemoved, other.isRemoved, map.all().length]).deep.equal([true, true, 0])
  })
})
