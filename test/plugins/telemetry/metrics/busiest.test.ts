import { expect } from 'chai'
import { Busiest } from '../../../../plugins/telemetry/metrics/busiest.ts'

const MINUTE = 60_000

describe('Busiest', () => {
  const scene = (most: number) => {
    const lost: string[] = []
    return { lost, busiest: new Busiest(most, name => lost.push(name), 0) }
  }
  const times = (count: number, act: () => void) => {
    for (let i = 0; i < count; i++) act()
  }

  it('shows the first names, and counts all others together', () => {
    const { busiest, lost } = scene(2)
    expect(['a', 'b', 'c', 'a', 'c'].map(name => busiest.count(name, 0))).deep.equal(['a', 'b', 'other', 'a', 'other'])
    expect(lost).deep.equal([])
  })

  it('chooses anew after a minute, and says which one it no longer shows', () => {
    const { busiest, lost } = scene(2)
    for (const name of ['a', 'b', 'c', 'c', 'a']) busiest.count(name, 0)
    expect(busiest.count('c', MINUTE - 1)).equal('other')
    expect(busiest.count('c', MINUTE)).equal('c')
    expect(lost).deep.equal(['b'])
    expect(busiest.count('b', MINUTE)).equal('other')
  })

  it('forgets what was busy long ago', () => {
    const { busiest, lost } = scene(1)
    times(1000, () => busiest.count('old', 0))
    times(2, () => busiest.count('new', 11 * MINUTE))
    busiest.count('new', 12 * MINUTE)
    expect(lost).deep.equal(['old'])
  })

  it('finds the busy one among names without end', () => {
    const { busiest } = scene(1)
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
