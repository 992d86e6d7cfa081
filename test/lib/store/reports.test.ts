import { expect } from 'chai'
import { queryRunner } from '../../../lib/store/query-runner.ts'
import { storeReports } from '../../../lib/store/reports.ts'
import { insertRecords, makeRecord } from '../../support/record.ts'
import { onEveryStore } from '../../support/stores.ts'

const endpoint = 'acme.example.com'

describe('reports', () => {
  onEveryStore(store => {
    it('return the data of the store', async () => {
      const record = makeRecord()
      await insertRecords(store(), [record])
      const reports = storeReports(queryRunner(store()))
      const id = record.id.slice(-12)
      expect((await reports.requests({ endpoint }, undefined, 5)).requests[0]).include({ request_id: id })
      expect(await reports.request(endpoint, id)).include({ request_id: id, duration_ms: 2390 })
      const { created_at } = record
      const account = record.account_id!
      const page = await reports.accountRequests({ account, since: created_at }, 5)
      expect(page.requests[0]).include({ id: record.id, request_id: id })
      expect(await reports.accountRequest({ account }, id)).include({ id: record.id, duration_ms: 2390 })
      expect(await reports.metrics(endpoint, created_at, created_at + 1)).include({ request_count: 1 })
      const usage = await reports.usage({ account_id: record.account_id!, from: created_at, to: created_at + 1 })
      expect(usage.rows).length(1)
      expect(usage).include({ from: created_at, to: created_at + 1 })
      expect(await reports.members(record.account_id!)).deep.equal([])
    })

    it('are paged by the cursor of the previous page, also among requests with the same time', async () => {
      const records = [1, 2, 3].map(() => makeRecord({ created_at: 1_795_255_653_000_001 }))
      await insertRecords(store(), records)
      const reports = storeReports(queryRunner(store()))
      const seen: unknown[] = []
      let cursor: string | undefined
      do {
        const page = await reports.requests({ endpoint }, cursor, 1)
        seen.push(...page.requests.map(({ request_id }) => request_id))
        cursor = page.cursor ?? undefined
      } while (cursor !== undefined)
      expect(seen.toSorted()).deep.equal(records.map(({ id }) => id.slice(-12)).toSorted())
    })
  })
})
