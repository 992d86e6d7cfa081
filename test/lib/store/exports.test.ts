import { expect } from 'chai'
import { appendAudit } from '../../../lib/store/audit.ts'
import { endExport, leadExport, leaveExport, noteExported, waitingExports } from '../../../lib/store/exports.ts'
import { insertRecords, makeRecord } from '../../support/record.ts'
import { onEveryStore } from '../../support/stores.ts'

const NOON = Date.UTC(2026, 10, 21, 12) * 1000
const DAY = 86_400_000_000

describe('the queue of exports', () => {
  onEveryStore(store => {
    const lead = (holder = 'a', now = 1) => leadExport(store(), 'records', holder, now, now + 100)
    const idsOf = async (limit = 100) => (await waitingExports(store(), 'records', limit)).ids

    it('gets nothing while the export is off', async () => {
      await insertRecords(store(), [makeRecord()])
      expect(await waitingExports(store(), 'records', 9)).deep.equal({ ids: [], lines: [], since: null })
      expect(await store().db.selectFrom('export_queue').selectAll().execute()).deep.equal([])
    })

    it('gets each record once, from both tables, oldest first, whenever it is stored', async () => {
      await lead()
      const old = makeRecord({ created_at: NOON - DAY })
      const failed = makeRecord({ created_at: NOON, status_code: 500 })
      const refused = makeRecord({ created_at: NOON + 1000, status_code: 400, dispatched: false, request_tags: ['a'] })
      await insertRecords(store(), [failed, refused])
      // A record of a process that was down is committed after younger ones.
      await insertRecords(store(), [old, failed])
      const { ids, lines, since } = await waitingExports(store(), 'records', 100)
      expect(ids).deep.equal([old.id, failed.id, refused.id])
      expect(since).equal(NOON - DAY)
      expect(lines.map(({ id }) => id)).deep.equal(ids)
      expect(lines[2]).deep.include({ status_code: 400, dispatched: false, request_tags: ['a'] })
      expect(lines[2]).include({ created_at: '2026-11-21T12:00:00.001000Z' })
      await noteExported(store(), 'records', ids.slice(0, 1))
      expect(await idsOf(1)).deep.equal([failed.id])
    })

    it('gets audit entries as the operators see them', async () => {
      await leadExport(store(), 'audit', 'a', 1, 2)
      const change = { action: 'key.create', target: 'key_1', after: { a: 1 } }
      await appendAudit(store(), { name: 'alice', address: null }, change, NOON)
      const { ids, lines } = await waitingExports(store(), 'audit', 9)
      expect(ids).length(1)
      expect(lines[0]).deep.include({ id: ids[0], actor: 'alice', action: 'key.create', before: null, after: { a: 1 } })
      expect(await idsOf()).deep.equal([])
    })

    it('skips lines that have expired', async () => {
      await lead()
      const record = makeRecord({ created_at: NOON })
      await insertRecords(store(), [record])
      await store().db.deleteFrom('requests').execute()
      expect(await waitingExports(store(), 'records', 9)).deep.equal({ ids: [record.id], lines: [], since: NOON })
    })

    it('is sent by one process at a time', async () => {
      expect([await lead('a'), await lead('b'), await lead('a', 50)]).deep.equal([true, false, true])
      expect(await lead('b', 149)).equal(false)
      expect(await lead('b', 151)).equal(true)
      await leaveExport(store(), 'records', 'a')
      expect(await lead('a', 152)).equal(false)
      await leaveExport(store(), 'records', 'b')
      expect(await lead('a', 152)).equal(true)
    })

    it('ends if no process has sent for a while', async () => {
      await lead('a', 1000)
      await insertRecords(store(), [makeRecord()])
      await endExport(store(), 'records', 1000)
      expect(await idsOf()).length(1)
      await endExport(store(), 'records', 2000)
      expect(await idsOf()).deep.equal([])
      await insertRecords(store(), [makeRecord()])
      expect(await idsOf()).deep.equal([])
    })
  })
})
