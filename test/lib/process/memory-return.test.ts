import { expect } from 'chai'
import { MemoryReturn, returnMemory } from '../../../lib/process/memory-return.ts'

const MB = 2 ** 20

describe('memory that goes back', () => {
  /** `kept`: what a collection leaves, in MB. */
  function processWith(kept: () => number) {
    let resident = 150 * MB
    let collected = 0
    const memory = new MemoryReturn({
      resident: () => resident,
      collect: () => {
        collected++
        resident = kept() * MB
      },
    })
    return {
      /** The collections of so many looks with this much in memory before the first. */
      looks(count: number, mb?: number): number {
        if (mb !== undefined) resident = mb * MB
        const before = collected
        for (let i = 0; i < count; i++) memory.look()
        return collected - before
      },
    }
  }

  it('collects nothing while the process has about what it has had before', () => {
    const { looks } = processWith(() => 150)
    expect([looks(10), looks(10, 300), looks(10, 349)]).deep.equal([0, 0, 0])
  })

  it('collects once after a burst, and again after the next', () => {
    const { looks } = processWith(() => 160)
    expect([looks(1), looks(10, 900), looks(10, 500)]).deep.equal([0, 1, 1])
  })

  it('goes on while something goes back', () => {
    let left = 900
    const { looks } = processWith(() => {
      left -= 200
      return left
    })
    expect([looks(1), looks(20, 900)]).deep.equal([0, 3])
  })

  it('becomes rare where what is there is in use: an hour between two at last', () => {
    const { looks } = processWith(() => 900)
    expect([looks(1), looks(30, 900)]).deep.equal([0, 4])
    looks(1000)
    expect(looks(964)).equal(4)
  })

  it('has the least ever for its measure, also where that comes later', () => {
    const { looks } = processWith(() => 310)
    looks(1, 500)
    expect(looks(1, 310)).equal(0)
    expect(looks(1, 520)).equal(1)
  })

  it('ends with the process that it looks after', () => {
    expect(returnMemory()()).equal(undefined)
  })
})
