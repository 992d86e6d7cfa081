import { expect } from 'chai'
import { MemoryReturn, processMemory, returnMemory } from '../../../lib/process/memory-return.ts'
import { collect } from '../../support/garbage.ts'

const MB = 2 ** 20

interface Figures {
  resident: number
  heap?: number
  held?: number
  cpuShare?: number
}

describe('memory that goes back', () => {
  /** A process in MB; `after` tells what a step leaves. It starts with 150 MB, of which its heap has 30 and requests hold none, and is busy. */
  function processWith(after: { collect?: () => Partial<Figures>; release?: () => Partial<Figures> }) {
    let now: Required<Figures> = { resident: 150, heap: 30, held: 0, cpuShare: 0.5 }
    const steps: string[] = []
    function step(name: 'collect' | 'release'): () => void {
      return () => {
        steps.push(name)
        now = { ...now, ...after[name]?.() }
      }
    }
    const memory = new MemoryReturn({
      resident: () => now.resident * MB,
      heap: () => now.heap * MB,
      held: () => now.held * MB,
      cpuShare: () => now.cpuShare,
      collect: step('collect'),
      release: step('release'),
    })
    return {
      /** The steps of so many looks, after these figures have changed. */
      looks(count: number, changed: Partial<Figures> = {}): string[] {
        now = { ...now, ...changed }
        steps.length = 0
        for (let i = 0; i < count; i++) memory.look()
        return [...steps]
      },
    }
  }

  it('does nothing while the process has about what it has had before', () => {
    const { looks } = processWith({})
    expect([looks(10), looks(10, { resident: 300 }), looks(10, { resident: 349 })]).deep.equal([[], [], []])
  })

  it('gives pages back once after a burst, and again after the next', () => {
    const { looks } = processWith({ release: () => ({ resident: 160 }) })
    looks(1)
    expect([looks(10, { resident: 900 }), looks(10, { resident: 500 })]).deep.equal([['release'], ['release']])
  })

  it('collects a large heap first, and gives its pages back at the next look', () => {
    const collect = () => ({ resident: 890, heap: 40 })
    const { looks } = processWith({ collect, release: () => ({ resident: 160 }) })
    looks(1)
    expect(looks(10, { resident: 900, heap: 700 })).deep.equal(['collect', 'release'])
  })

  it('gives no pages back while much of the heap is in use', () => {
    const { looks } = processWith({ collect: () => ({ resident: 850, heap: 400 }) })
    looks(1)
    expect(looks(8, { resident: 900, heap: 700 })).deep.equal(['collect', 'collect', 'collect'])
  })

  it('collects no large heap while requests hold much of it, and does as soon as they are over', () => {
    const { looks } = processWith({ collect: () => ({ resident: 160, heap: 40 }) })
    looks(1)
    expect(looks(10, { resident: 900, heap: 700, held: 300 })).deep.equal([])
    expect(looks(10, { held: 5 })).deep.equal(['collect'])
  })

  it('gives no pages back while requests hold much, in a small heap or a quiet process either', () => {
    const { looks } = processWith({ release: () => ({ resident: 160, heap: 40 }) })
    looks(1)
    expect(looks(10, { resident: 900, heap: 60, held: 300 })).deep.equal([])
    expect(looks(30, { resident: 300, cpuShare: 0.01 })).deep.equal([])
    expect(looks(1, { held: 5 })).deep.equal(['release'])
  })

  it('goes on while something goes back', () => {
    let left = 900
    const { looks } = processWith({
      release: () => {
        left -= 200
        return { resident: left }
      },
    })
    looks(1)
    expect(looks(20, { resident: 900 })).deep.equal(['release', 'release', 'release'])
  })

  it('becomes rare where what is there is in use: an hour between two at last', () => {
    const { looks } = processWith({})
    looks(1)
    expect(looks(30, { resident: 900 })).length(4)
    looks(1000)
    expect(looks(964)).length(4)
  })

  it('does not wait where another burst has come since', () => {
    let left = 880
    const { looks } = processWith({ release: () => ({ resident: left }) })
    looks(1)
    expect(looks(30, { resident: 900 })).length(4)
    left = 160
    expect(looks(1, { resident: 1070 })).deep.equal([])
    expect(looks(1, { resident: 1090 })).deep.equal(['release'])
  })

  it('does not take a step for one in vain where another burst came right after it', () => {
    const { looks } = processWith({ release: () => ({ resident: 400 }) })
    looks(1)
    expect(looks(1, { resident: 410 })).deep.equal(['release'])
    expect(looks(1, { resident: 900 })).deep.equal([])
    expect(looks(1)).deep.equal(['release'])
  })

  it('has the least ever for its measure, also where that comes later', () => {
    const { looks } = processWith({ release: () => ({ resident: 310 }) })
    looks(1, { resident: 500 })
    expect(looks(1, { resident: 310 })).deep.equal([])
    expect(looks(1, { resident: 520 })).deep.equal(['release'])
  })

  describe('of a quiet process', () => {
    it('goes back where a third as much is to be had', () => {
      const { looks } = processWith({ release: () => ({ resident: 160 }) })
      looks(1)
      expect(looks(10, { resident: 220 })).deep.equal([])
      expect(looks(10, { cpuShare: 0.01 })).deep.equal(['release'])
    })

    it('goes back without a collection before, however large the heap is', () => {
      const { looks } = processWith({ release: () => ({ resident: 160 }) })
      looks(1)
      expect(looks(1, { resident: 900, heap: 700, cpuShare: 0.01 })).deep.equal(['release'])
    })

    it('goes back every five minutes at most', () => {
      const { looks } = processWith({ release: () => ({ resident: 160 }) })
      looks(1)
      expect(looks(2, { resident: 230, cpuShare: 0.01 })).deep.equal(['release'])
      expect(looks(19, { resident: 230 })).deep.equal([])
      expect(looks(1)).deep.equal(['release'])
    })

    it('is asked for rarely where nothing goes back', () => {
      const { looks } = processWith({})
      looks(1)
      expect(looks(1000, { resident: 230, cpuShare: 0.01 })).length(6)
    })

    it('does not wait for a burst', () => {
      const { looks } = processWith({ release: () => ({ resident: 160 }) })
      looks(1)
      looks(2, { resident: 230, cpuShare: 0.01 })
      expect(looks(1, { resident: 900 })).deep.equal(['release'])
    })
  })

  describe('of this process', () => {
    const memory = processMemory(collect, () => 7)

    it('is what Node says of it', () => {
      expect(memory.resident()).greaterThan(20 * MB)
      expect(memory.held()).equal(7)
      expect(memory.heap())
        .greaterThan(5 * MB)
        .and.lessThan(memory.resident())
      while (process.cpuUsage().user === 0);
      expect(memory.cpuShare()).greaterThan(0).and.lessThan(64)
    })

    it('keeps the pages that a collection has emptied, until they are given back', () => {
      const fill = () => Array.from({ length: 1_000_000 }, (_, i) => ({ i }))
      expect(fill()).length(1_000_000)
      memory.collect()
      const kept = memory.resident()
      memory.release()
      expect(kept - memory.resident()).greaterThan(20 * MB)
    })
  })

  it('ends with the process that it looks after', () => {
    expect(returnMemory(() => 0)()).equal(undefined)
  })
})
