import { expect } from 'chai'
import { cordonBackend, listCordons, uncordonBackend, watchCordons } from '../../../lib/store/cordons.ts'
import { eventually } from '../../support/gateway.ts'
import { onEveryStore, silent } from '../../support/stores.ts'

const A = 'http://10.0.0.1:8000/v1'

describe('cordons', () => {
  onEveryStore(store => {
    it('are stored once, for one model or for all at an address', async () => {
      await cordonBackend(store(), { url: A, model: 'm' }, 1)
      await cordonBackend(store(), { url: A, model: 'm' }, 2)
      await cordonBackend(store(), { url: A, model: undefined }, 3)
      expect(await listCordons(store())).deep.equal([
        { url: A, model: undefined },
        { url: A, model: 'm' },
      ])
      expect(await uncordonBackend(store(), { url: A, model: 'm' })).equal(true)
      expect(await uncordonBackend(store(), { url: A, model: 'm' })).equal(false)
      expect(await uncordonBackend(store(), { url: A, model: undefined })).equal(true)
      expect(await listCordons(store())).deep.equal([])
    })

    it('are applied at the start of a process, and after each change', async () => {
      await cordonBackend(store(), { url: A, model: 'm' }, 1)
      let seen: Readonly<Awaited<ReturnType<typeof listCordons>>> = []
      const { end } = await watchCordons({
        store: store(),
        log: silent,
        everyMs: 10,
        apply: cordons => {
          seen = cordons
        },
      })
      expect(seen).deep.equal([{ url: A, model: 'm' }])
      await uncordonBackend(store(), { url: A, model: 'm' })
      await eventually(() => seen.length === 0)
      await end()
    })
  })

  onEveryStore(store => {
    it('are applied at once by refresh()', async () => {
      let seen: Readonly<Awaited<ReturnType<typeof listCordons>>> = []
      const { refresh, end } = await watchCordons({
        store: store(),
        log: silent,
        everyMs: 3_600_000,
        apply: cordons => {
          seen = cordons
        },
      })
      await cordonBackend(store(), { url: A, model: undefined }, 1)
      await refresh()
      expect(seen).deep.equal([{ url: A, model: undefined }])
      await end()
    })
  })
})
