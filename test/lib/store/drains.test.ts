import { expect } from 'chai'
import { type Drain, drainBackend, listDrains, undrainBackend, watchDrains } from '../../../lib/store/drains.ts'
import { eventually } from '../../support/gateway.ts'
import { onEveryStore, silent } from '../../support/stores.ts'

const A = 'http://10.0.0.1:8000/v1'

describe('drains', () => {
  onEveryStore(store => {
    it('are kept once, for one model or for all at an address', async () => {
      await drainBackend(store(), { url: A, model: 'm' }, 1)
      await drainBackend(store(), { url: A, model: 'm' }, 2)
      await drainBackend(store(), { url: A, model: undefined }, 3)
      expect(await listDrains(store())).deep.equal([
        { url: A, model: undefined },
        { url: A, model: 'm' },
      ])
      expect(await undrainBackend(store(), { url: A, model: 'm' })).equal(true)
      expect(await undrainBackend(store(), { url: A, model: 'm' })).equal(false)
      expect(await undrainBackend(store(), { url: A, model: undefined })).equal(true)
      expect(await listDrains(store())).deep.equal([])
    })

    it('reach a process at its start, and whenever they change', async () => {
      await drainBackend(store(), { url: A, model: 'm' }, 1)
      let seen: readonly Drain[] = []
      const { end } = await watchDrains({
        store: store(),
        log: silent,
        everyMs: 10,
        apply: drains => {
          seen = drains
        },
      })
      expect(seen).deep.equal([{ url: A, model: 'm' }])
      await undrainBackend(store(), { url: A, model: 'm' })
      await eventually(() => seen.length === 0)
      await end()
    })
  })

  onEveryStore(store => {
    it('reach the process that is told to look at once', async () => {
      let seen: readonly Drain[] = []
      const { look, end } = await watchDrains({
        store: store(),
        log: silent,
        everyMs: 3_600_000,
        apply: drains => {
          seen = drains
        },
      })
      await drainBackend(store(), { url: A, model: undefined }, 1)
      await look()
      expect(seen).deep.equal([{ url: A, model: undefined }])
      await end()
    })
  })

  it('stay as they were last known while the store cannot be read, with one warning', async () => {
    const warnings: string[] = []
    const log = { warn: (_: unknown, text: string) => warnings.push(text) } as never
    let reads = 0
    const store = {
      prepare: () => {
        reads++
        return Promise.reject(new Error('away'))
      },
    } as never
    const { end, look } = await watchDrains({ store, log, everyMs: 5, apply: () => expect.fail('nothing is known') })
    await eventually(() => reads > 3)
    await look()
    await end()
    expect(warnings).lengthOf(1)
  })
})
