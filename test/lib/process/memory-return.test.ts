import { expect } from 'chai'
import { MemoryReturn, processMemory, returnMemory } from '../../../lib/process/memory-return.ts'

const MB = 2 ** 20

interface Figures {
  resident: number
  held?: number
  cpuShare?: number
}

describe('memory that goes back', () => {
  /** A process in MB; `after` tells what a step leaves. It starts with 150 MB, of which bodies have none, and is busy. */
  function processWith(after: { collect?: () => Partial<Figures>; release?: () => Partial<Figures> }) {
    let now: Required<Figures> = { resident: 150, held: 0, cpuShare: 0.5 }
    const steps: string[] = []
    function step(name: 'collect' | 'release'): () => void {
      return () => {
        steps.push(name)
        now = { ...now, ...after[name]?.() }
      }
    }
    const memory = new MemoryReturn({
      resident: () => now.resident * MB,
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

  it('is collected once after a burst, and again after the next', () => {
    const { looks } = processWith({ collect: () => ({ resident: 160 }) })
    looks(1)
    expect([looks(10, { resident: 900 }), looks(10, { resident: 500 })]).deep.equal([['collect'], ['collect']])
  })

  it('is given back where much is left of it', () => {
    const { looks } = processWith({ collect: () => ({ resident: 600 }), release: () => ({ resident: 160 }) })
    looks(1)
    expect(looks(10, { resident: 900 })).deep.equal(['collect', 'release'])
    expect(looks(10, { resident: 900 })).deep.equal(['collect', 'release'])
  })

  it('is given back at once where the process is quiet', () => {
    const { looks } = processWith({ release: () => ({ resident: 160 }) })
    looks(1)
    expect(looks(10, { resident: 900, cpuShare: 0.01 })).deep.equal(['release'])
  })

  it('stays while bodies hold much, also in a quiet process, and goes back as soon as they do not', () => {
    const { looks } = processWith({ release: () => ({ resident: 160 }) })
    looks(1)
    expect(looks(30, { resident: 900, held: 300 })).deep.equal([])
    expect(looks(30, { resident: 300, cpuShare: 0.01 })).deep.equal([])
    expect(looks(1, { held: 5 })).deep.equal(['release'])
  })

  it('goes on while something goes back', () => {
    let left = 900
    const less = () => {
      left -= 200
      return { resident: left }
    }
    const { looks } = processWith({ collect: less, release: less })
    looks(1)
    expect(looks(20, { resident: 900 })).deep.equal(['collect', 'release', 'release'])
  })

  it('is tried once more at once, and then becomes rare where what is there is in use: an hour between two at last', () => {
    const { looks } = processWith({})
    looks(1)
    expect(looks(3, { resident: 900 })).deep.equal(['collect', 'release', 'release'])
    expect(looks(30)).length(4)
    looks(1000)
    expect(looks(1444)).length(4)
  })

  it('does not wait where another burst has come since', () => {
    let left = 880
    const { looks } = processWith({ release: () => ({ resident: left }) })
    looks(1)
    looks(31, { resident: 900 })
    left = 160
    expect(looks(1, { resident: 1070 })).deep.equal([])
    expect(looks(1, { resident: 1090 })).deep.equal(['release'])
  })

  it('does not take a step for one in vain where another burst came right after it', () => {
    const { looks } = processWith({ release: () => ({ resident: 400 }) })
    looks(2, { resident: 600 })
    for (let burst = 1; burst < 10; burst++) expect(looks(1, { resident: 900 + 40 * burst })).length(1)
  })

  it('has the least ever for its measure, also where that comes later', () => {
    const { looks } = processWith({ collect: () => ({ resident: 310 }) })
    looks(1, { resident: 500 })
    expect(looks(1, { resident: 310 })).deep.equal([])
    expect(looks(1, { resident: 520 })).deep.equal(['collect'])
  })

  describe('of a process that hardly anybody uses', () => {
    it('goes back where a third as much is to be had', () => {
      const { looks } = processWith({ release: () => ({ resident: 160 }) })
      looks(1)
      expect(looks(10, { resident: 220 })).deep.equal([])
      expect(looks(10, { cpuShare: 0.06 })).deep.equal([])
      expect(looks(10, { cpuShare: 0.01 })).deep.equal(['release'])
    })

    it('goes back every five minutes at most', () => {
      const { looks } = processWith({ release: () => ({ resident: 160 }) })
      looks(1)
      expect(looks(2, { resident: 230, cpuShare: 0.01 })).deep.equal(['release'])
      expect(looks(29, { resident: 230 })).deep.equal([])
      expect(looks(1)).deep.equal(['release'])
    })

    it('is asked for rarely where nothing goes back', () => {
      const { looks } = processWith({})
      looks(1)
      expect(looks(1000, { resident: 230, cpuShare: 0.01 })).length(5)
    })

    it('does not wait for a burst', () => {
      const { looks } = processWith({ release: () => ({ resident: 160 }) })
      looks(1)
      looks(2, { resident: 230, cpuShare: 0.01 })
      expect(looks(1, { resident: 900 })).deep.equal(['release'])
    })
  })

  it('is what Node says of this process', () => {
    const memory = processMemory(() => 7)
    expect(memory.resident()).greaterThan(20 * MB)
    expect(memory.held()).equal(7)
    while (process.cpuUsage().user === 0);
    expect(memory.cpuShare()).greaterThan(0).and.lessThan(64)
    memory.end()
  })

  it('ends with the process that it looks after', () => {
    expect(returnMemory(() => 0)()).equal(undefined)
  })
})
