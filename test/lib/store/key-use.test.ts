import { mock } from 'node:test'
import { expect } from 'chai'
import { pino } from 'pino'
import { KeyRing } from '../../../lib/accounts/access.ts'
import { keepKeyUse } from '../../../lib/store/key-use.ts'
import { createKey, findKey } from '../../../lib/store/keys.ts'
import { eventually } from '../../support/gateway.ts'
import { keyOf } from '../../support/key.ts'
import { onEveryStore, silent } from '../../support/stores.ts'

describe('the last use of keys', () => {
  onEveryStore(store => {
    const made = async () =>
      (await createKey(store(), 'service', { account_id: 'a', user: undefined, kind: 'pass', endpoints: [] }, 1)).id
    const lastUse = async (id: string) => (await findKey(store(), id))?.last_used_at

    it('is written from time to time, and what is left at the end', async () => {
      const id = await made()
      const ring = new KeyRing()
      const end = keepKeyUse({ store: store(), ring, log: silent, everyMs: 5 })
      ring.noteUse(keyOf({}, { id, isStored: true }), 10)
      await eventually(async () => (await lastUse(id)) === 10)
      await end()
      const endLater = keepKeyUse({ store: store(), ring, log: silent })
      ring.noteUse(keyOf({}, { id, isStored: true }), 20)
      expect(await lastUse(id)).equal(10)
      await endLater()
      expect(await lastUse(id)).equal(20)
    })

    it('is written once a minute, however many requests there are', async () => {
      const id = await made()
      const ring = new KeyRing()
      let writes = 0
      const counted = {
        ...store(),
        prepare: () => {
          writes++
          return store().prepare()
        },
      }
      mock.timers.enable({ apis: ['setInterval'] })
      try {
        const end = keepKeyUse({ store: counted, ring, log: silent })
        for (let i = 0; i < 1000; i++) ring.noteUse(keyOf({}, { id, isStored: true }), i)
        mock.timers.tick(59_999)
        expect(writes).equal(0)
        mock.timers.tick(1)
        expect(writes).equal(1)
        mock.timers.reset()
        await eventually(async () => (await lastUse(id)) === 999)
        await end()
        // Nothing was left to write.
        expect(writes).equal(1)
      } finally {
        mock.timers.reset()
      }
    })

    it('is not written for keys of the file', async () => {
      const ring = new KeyRing()
      ring.noteUse(keyOf(), 10)
      expect(ring.takeUses().size).equal(0)
    })

    it('is lost with a line in the log where the store fails', async () => {
      const lines: string[] = []
      const ring = new KeyRing()
      const failing = { ...store(), prepare: () => Promise.reject(new Error('away')) }
      const end = keepKeyUse({ store: failing, ring, log: pino({}, { write: line => void lines.push(line) }) })
      ring.noteUse(keyOf({}, { id: 'k', isStored: true }), 10)
      await end()
      expect(lines).lengthOf(1)
    })
  })
})
