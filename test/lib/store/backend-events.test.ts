import { expect } from 'chai'
import { addBackendEvents, listBackendEvents } from '../../../lib/store/backend-events.ts'
import { expireBackendHistory } from '../../../lib/store/backend-minutes.ts'
import type { BackendEvent } from '../../../lib/store/history-columns.ts'
import { onEveryStore } from '../../support/stores.ts'

const MINUTE = 60_000_000

const event = (more: Partial<BackendEvent>): BackendEvent => {
  return { kind: 'ejected', model: 'm', backend: 'http://a/v1', reason: 'requests', at: 10 * MINUTE, ...more }
}

describe('events of backends', () => {
  onEveryStore(store => {
    const list = (backend?: string, more = {}) =>
      listBackendEvents(store(), { model: 'm', backend, from: 0, to: 100 * MINUTE, limit: 10, ...more })

    it('of several processes in a minute are one', async () => {
      await addBackendEvents(store(), [event({ at: 10 * MINUTE + 5 }), event({ at: 10 * MINUTE + 9 })])
      await addBackendEvents(store(), [event({ at: 10 * MINUTE + 7 }), event({ at: 11 * MINUTE })])
      expect((await list()).map(({ at }) => at)).deep.equal([11 * MINUTE, 10 * MINUTE + 5])
    })

    it('are listed for a backend or a model, with reloads, newest first', async () => {
      const reload = event({ kind: 'reload', model: '', backend: '', reason: '', at: 20 * MINUTE })
      const others = [event({ backend: 'http://b/v1', at: 15 * MINUTE }), event({ model: 'other' })]
      await addBackendEvents(store(), [event({}), reload, ...others])
      expect((await list('http://a/v1')).map(({ kind }) => kind)).deep.equal(['reload', 'ejected'])
      expect(await list()).lengthOf(3)
      expect(await list(undefined, { model: undefined })).lengthOf(4)
      expect(await list(undefined, { limit: 1 })).deep.equal([reload])
      expect(await list(undefined, { from: 16 * MINUTE })).deep.equal([reload])
      expect(await list(undefined, { to: 11 * MINUTE })).deep.equal([event({})])
    })

    it('expire', async () => {
      await addBackendEvents(store(), [event({}), event({ at: 11 * MINUTE })])
      await expireBackendHistory(store(), { minutes: 0, hours: 11 })
      expect((await list()).map(({ at }) => at)).deep.equal([11 * MINUTE])
    })
  })
})
