import { expect } from 'chai'
import { sql } from 'kysely'
import { creditBalance } from '../../../lib/store/credits.ts'
import { insertRecords, makeRecord } from '../../support/record.ts'
import { onEveryStore } from '../../support/stores.ts'

const account = '6f2c1e9a-8d1b-4c57-9a53-0d6b1c1f7e21'

describe('totals of records', () => {
  onEveryStore(store => {
    const sum = async (column: 'requests' | 'input_tokens' | 'output_tokens') => {
      const { db } = store()
      const row = await db
        .selectFrom('usage_hours')
        .select(({ fn }) => fn.sum<number>(column).as('sum'))
        .executeTakeFirst()
      return row?.sum ?? 0
    }

    it('count a record only once', async () => {
      const records = [makeRecord({ cost_microcents: 70 }), makeRecord({ cost_microcents: 7 }), makeRecord()]
      await insertRecords(store(), records.slice(0, 2))
      await insertRecords(store(), records)
      await insertRecords(store(), records)
      expect([await sum('requests'), await sum('input_tokens')]).deep.equal([3, 3000])
      expect(await creditBalance(store(), account)).equal(-77)
      const minutes = await store().db.selectFrom('endpoint_minutes').select(['requests']).execute()
      expect(minutes.reduce((total, row) => total + row.requests, 0)).equal(3)
    })

    it('exclude refusals from usage, and include failed requests that used tokens', async () => {
      const none = { input_tokens: null, output_tokens: null, cache_read_tokens: null }
      await insertRecords(store(), [
        makeRecord({ status_code: 429, ...none }),
        makeRecord({ status_code: 400, dispatched: false, ...none }),
        makeRecord({ status_code: 499, input_tokens: 50, output_tokens: 3 }),
        makeRecord({ stream_error_status_code: 502, input_tokens: 50, output_tokens: 4 }),
        makeRecord({ usage_present: false, ...none }),
        makeRecord({ account_id: null }),
      ])
      expect([await sum('requests'), await sum('input_tokens'), await sum('output_tokens')]).deep.equal([3, 100, 7])
    })

    it('add the units of hours to the days, and of users in SQLite; an older process writes none', async () => {
      await insertRecords(
        store(),
        [3, 4].map(units => makeRecord({ created_at: 1_750_000_000_000_000, unit: 'images', units })),
      )
      const sums = async () => {
        const { db, dialect } = store()
        const days = await db.selectFrom('usage_days').select('units').execute()
        const users = dialect === 'sqlite' ? await db.selectFrom('usage_user_days').select('units').execute() : days
        return [...days, ...users].map(({ units }) => Number(units))
      }
      expect(await sums()).deep.equal([7, 7])
      await insertRecords(store(), [makeRecord({ created_at: 1_750_000_000_000_000, unit: 'images', units: 5 })])
      expect(await sums()).deep.equal([12, 12])
      await sql`update usage_hours set requests = requests + 1`.execute(store().db)
      expect(await sums()).deep.equal([12, 12])
    })

    it('are correct with concurrent writers', async () => {
      const records = Array.from({ length: 200 }, (_, i) =>
        makeRecord({
          user_id: `u${i % 7}`,
          model_resolved: `m${i % 5}`,
          cost_microcents: 1,
          endpoint: `e${i % 3}.test`,
        }),
      )
      const shuffled = [...records].reverse()
      const halves = [records.slice(0, 100), records.slice(100), shuffled.slice(0, 100), shuffled.slice(100)]
      const results = await Promise.allSettled(halves.map(half => insertRecords(store(), half)))
      expect(results.map(({ status }) => status)).deep.equal(['fulfilled', 'fulfilled', 'fulfilled', 'fulfilled'])
      expect(await sum('requests')).equal(200)
      expect(await creditBalance(store(), account)).equal(-200)
    })
  })
})
