import { expect } from 'chai'
import { keepRetention } from '../../../lib/store/retention.ts'
import { clockAt } from '../../support/clock.ts'
import { insertRecords, makeRecord } from '../../support/record.ts'
import { onEveryStore, silent } from '../../support/stores.ts'

const DAY = 86_400_000_000
const NOON = Date.UTC(2026, 10, 21, 12) * 1000

const TABLES = ['requests', 'request_errors', 'request_tags', 'request_error_tags'] as const

describe('retention', () => {
  onEveryStore(store => {
    const insert = () =>
      insertRecords(
        store(),
        [0, 1, 2, 3, 4, 40].flatMap(days => [
          makeRecord({ created_at: NOON - days * DAY, request_tags: ['a'] }),
          makeRecord({ created_at: NOON - days * DAY, status_code: 400, dispatched: false, request_tags: ['b'] }),
        ]),
      )
    const days = async (table: (typeof TABLES)[number]) => {
      const rows = await store()
        .db.selectFrom(table)
        .select('created_at')
        .distinct()
        .orderBy('created_at', 'desc')
        .execute()
      return rows.map(row => (NOON - row.created_at) / DAY)
    }

    const expire = (days: number, now: number) =>
      keepRetention({ store: store(), days, log: silent, clock: clockAt(now) })()

    it('removes expired records, errors and tags, and keeps usage', async () => {
      await insert()
      await expire(2, NOON + DAY / 2)
      for (const table of TABLES) expect(await days(table)).deep.equal([0, 1])
      const zones = await store().db.selectFrom('request_zones').select('zone').execute()
      expect(zones).length(2)
      const minutes = await store().db.selectFrom('endpoint_minutes').select('minute').distinct().execute()
      expect(minutes).length(2)
      const usage = await store().db.selectFrom('usage_hours').select('hour').execute()
      expect(usage).length(6)
    })

    it('removes more than one batch', async () => {
      const records = Array.from({ length: 1100 }, (_, i) => makeRecord({ created_at: NOON - 9 * DAY + i }))
      await insertRecords(store(), [...records, makeRecord({ created_at: NOON })])
      await expire(2, NOON)
      expect(await days('requests')).deep.equal([0])
    })
  })
})
