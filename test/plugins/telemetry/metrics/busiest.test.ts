import { expect } from 'chai'
import { BusiestNames } from '../../../../plugins/telemetry/metrics/busiest.ts'

const MINUTE = 60_000

describe('busiest names', () => {
  const created = (max: number) => {
    const removed: string[] = []
    return { removed, busiest: new BusiestNames(max, name => removed.push(name), 0) }
  }
  const times = (count: number, act: () => void) => {
    for (let i = 0; i < count; i++) act()
  }

  it('shows the first names, and counts all others as other', () => {
    const { busiest, removed } = created(2)
    expect(['a', 'b', 'c', 'a', 'c'].map(name => busiest.count(name, 0))).deep.equal(['a', 'b', 'other', 'a', 'other'])
    expect(removed).deep.equal([])
  })

  it('chooses again after a minute, and reports the name that it drops', () => {
    const { busiest, removed } = created(2)
    for (const name of ['a', 'b', 'c', 'c', 'a']) busiest.count(name, 0)
    expect(busiest.count('c', MINUTE - 1)).equal('other')
    expect(busiest.count('c', MINUTE)).equal('c')
    expect(removed).deep.equal(['b'])
    expect(busiest.count('b', MINUTE)).equal('other')
  })

  it('drops names that were busy long ago', () => {
    const { busiest, removed } = created(1)
    times(1000, () => busiest.count('old', 0))
    times(2, () => busiest.count('new', 11 * MINUTE))
    busiest.count('new', 12 * MINUTE)
    expect(removed).deep.equal(['old'])
  })

  it('finds the busy one among thousands of names', () => {
    const { busiest } = created(1)
    times(5000, () => busiest.count('busy', 0))
    for (let i = 0; i < 5000; i++) {
      busiest.count(`once-${i}`, 0)
      busiest.count('late', 0)
      busiest.count('late', 0)
    }
    expect(busiest.count('once', MINUTE)).equal('other')
    expect(busiest.count('late', MINUTE)).equal('late')
  })
})
