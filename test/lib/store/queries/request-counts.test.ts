import { expect } from 'chai'
import { sql } from 'kysely'
import { requestCounts } from '../../../../lib/store/queries/request-counts.ts'
import { insertRecords, makeRecord } from '../../../support/record.ts'
import { onEveryStore } from '../../../support/stores.ts'

const HOUR = 3_600_000_000
const NOON = Date.UTC(2026, 10, 21, 12) * 1000
const OTHER = '00000000-0000-4000-8000-000000000002'

describe('counts of requests', () => {
  onEveryStore(store => {
    it('are those of whole hours from a time on, of each account', async () => {
      const record = makeRecord({ created_at: NOON })
      const others = [NOON + 1, NOON + HOUR].map(created_at => makeRecord({ created_at }))
      await insertRecords(store(), [record, ...others, makeRecord({ created_at: NOON, account_id: OTHER })])
      const account = record.account_id!
      const counts = async (from: number) =>
        Object.fromEntries(await requestCounts(store(), [account, OTHER, 'none'], from))
      expect(await counts(NOON)).deep.equal({ [account]: 3, [OTHER]: 1 })
      expect(await counts(NOON + 1)).deep.equal({ [account]: 1 })
      expect(await counts(NOON + 2 * HOUR)).deep.equal({})
    })

    it('of days are read from the totals of days, and of the hours before them alone from hours', async () => {
      const DAY = 24 * HOUR
      const times = [NOON - 2 * DAY, NOON - DAY, NOON - HOUR, NOON, NOON + DAY]
      await insertRecords(
        store(),
        times.map(created_at => makeRecord({ created_at })),
      )
      const account = makeRecord({ created_at: NOON }).account_id!
      const count = async (from: number) => (await requestCounts(store(), [account], from)).get(account)
      expect(await count(NOON - 2 * DAY)).equal(5)
      expect(await count(NOON - 2 * DAY + HOUR)).equal(4)
      expect(await count(NOON)).equal(2)
      // Whoever reads the hours of whole days would miss these.
      await sql`delete from usage_hours where hour >= ${(NOON - (NOON % DAY)) / HOUR}`.execute(store().db)
      expect(await count(NOON - DAY)).equal(4)
    })
  })
})
