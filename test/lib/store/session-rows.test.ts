import { expect } from 'chai'
import { transact } from '../../../lib/store/database.ts'
import { addRow, isFirstUse, takeRow, userOf } from '../../../lib/store/session-rows.ts'
import { onEveryStore } from '../../support/stores.ts'

const NOW = Date.UTC(2026, 10, 21) * 1000
const MINUTE = 60_000_000

describe('rows of sessions', () => {
  onEveryStore(store => {
    it('are found by kind and secret until they expire', async () => {
      const secret = await addRow(store(), 'link', 'alice', NOW, MINUTE)
      expect(await userOf(store(), 'link', secret, NOW)).equal('alice')
      expect(await userOf(store(), 'session', secret, NOW)).equal(undefined)
      expect(await userOf(store(), 'link', secret, NOW + MINUTE)).equal(undefined)
      const { db } = store()
      expect(JSON.stringify(await db.selectFrom('console_sessions').selectAll().execute())).not.contain(secret)
    })

    it('are taken once, and only by their kind', async () => {
      const secret = await addRow(store(), 'link', 'alice', NOW, MINUTE)
      expect(await takeRow(store(), 'session', secret)).equal(undefined)
      expect(await takeRow(store(), 'link', secret)).equal('alice')
      expect(await takeRow(store(), 'link', secret)).equal(undefined)
    })
  })
})

describe('first use', () => {
  onEveryStore(store => {
    it('is once, also for concurrent attempts', async () => {
      const tries = Array.from({ length: 5 }, () => transact(store(), session => isFirstUse(session, 'once', NOW)))
      expect((await Promise.all(tries)).filter(Boolean)).length(1)
      expect(await isFirstUse(store(), 'once', NOW + 15 * MINUTE)).equal(false)
      expect(await isFirstUse(store(), 'another', NOW)).equal(true)
    })

    it('is stored for a time, without the secret', async () => {
      await isFirstUse(store(), 'once', NOW)
      const rows = () => store().db.selectFrom('console_sessions').selectAll().execute()
      expect(JSON.stringify(await rows())).not.contain('once')
      await isFirstUse(store(), 'another', NOW + 60 * MINUTE)
      expect(await rows()).length(1)
    })
  })
})
