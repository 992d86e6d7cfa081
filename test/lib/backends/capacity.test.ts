import { expect } from 'chai'
import { Capacity } from '../../../lib/backends/capacity.ts'
import type { PlaceStore } from '../../../lib/limits/places.ts'
import { ManualClock } from '../../support/clock.ts'

function setUp(store: PlaceStore | null = null) {
  const pumped: string[] = []
  const pump = (model: string) => void pumped.push(model)
  const capacity = new Capacity({ clock: new ManualClock(), store, pump, queued: () => 2 })
  return { capacity, pumped }
}

describe('backends/capacity', () => {
  it('has one count for each name, and forgets what no model has', () => {
    const { capacity } = setUp()
    const server = capacity.of('server:http://a')
    expect(capacity.of('server:http://a')).equal(server)
    capacity.retain(new Map([[server, new Set(['m'])]]))
    expect(capacity.of('server:http://a')).equal(server)
    capacity.retain(new Map())
    expect(capacity.of('server:http://a')).not.equal(server)
  })

  it('reports capacity of a server to all models that it serves', () => {
    const { capacity, pumped } = setUp()
    const server = capacity.of('server:http://a')
    capacity.retain(new Map([[server, new Set(['base', 'adapter'])]]))
    const tried: string[] = []
    const stop = capacity.wait('adapter', () => {
      tried.push('adapter')
      stop()
    })
    capacity.wait('other', () => tried.push('other'))
    capacity.report(server)
    capacity.report(server)
    expect(pumped).deep.equal(['base', 'adapter', 'base', 'adapter'])
    expect(tried).deep.equal(['adapter'])
  })

  it('says how many requests wait, and lets them try again when another process gives places back', async () => {
    let changed: (name: string) => void = () => {}
    const asked: number[] = []
    const { capacity, pumped } = setUp({
      async ask(_name, { needed }) {
        asked.push(needed)
        return { granted: 0, isContended: false, fair: 4 }
      },
      share: () => 1,
      watch: watcher => {
        changed = watcher
      },
    })
    const places = capacity.of('model:m')
    capacity.retain(new Map([[places, new Set(['m'])]]))
    places.update(9)
    capacity.wait('m', () => {})
    places.want()
    await new Promise(resolve => setImmediate(resolve))
    // Two in the queue and this one.
    expect(asked).deep.equal([3])
    changed('model:m')
    changed('model:unknown')
    expect(pumped).deep.equal(['m'])
    capacity.close()
  })
})
