import { expect } from 'chai'
import { sql } from 'kysely'
import { encode, toLines } from '../../../lib/store/journal-lines.ts'
import { insertLines } from '../../../lib/store/records.ts'
import { insertRecords, makeRecord } from '../../support/record.ts'
import { onEveryStore } from '../../support/stores.ts'

describe('records in the store', () => {
  onEveryStore(store => {
    const count = async (table: 'requests' | 'request_errors' | 'request_tags') => {
      const { db } = store()
      const row = await db
        .selectFrom(table)
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .executeTakeFirstOrThrow()
      return row.n
    }

    it('keeps every member', async () => {
      const record = makeRecord({
        request_tags: ['a', 'b'],
        matched_stop_token_id: 7,
        cost_microcents: 12_000_000,
        zdr: true,
      })
      expect(await insertRecords(store(), [record])).equal(1)
      const row = await store().db.selectFrom('requests').selectAll().executeTakeFirstOrThrow()
      expect({ ...row, is_streaming: 1, usage_present: 1, zdr: 1, dispatched: 1 }).deep.equal({
        ...record,
        is_streaming: 1,
        usage_present: 1,
        zdr: 1,
        dispatched: 1,
        request_tags: 'a,b',
        public_id: Number.parseInt(record.id.slice(-12), 16),
        cache_hit_pct: 40,
      })
      expect([row.is_streaming, row.usage_present, row.zdr].map(Boolean)).deep.equal([true, true, true])
    })

    it('stores a record once, however often it is written', async () => {
      const [first, second] = [makeRecord({ request_tags: ['a'] }), makeRecord({ status_code: 500 })]
      expect(await insertRecords(store(), [first!, first!])).equal(1)
      expect(await insertRecords(store(), [first!, second!])).equal(1)
      expect(await insertRecords(store(), [second!])).equal(0)
      expect([await count('requests'), await count('request_errors'), await count('request_tags')]).deep.equal([
        2, 1, 1,
      ])
    })

    it('keeps refusals before the model was known in the error log alone', async () => {
      await insertRecords(store(), [
        makeRecord({ status_code: 400, dispatched: false, error_code: 'invalid_json_request' }),
      ])
      expect([await count('requests'), await count('request_errors')]).deep.equal([0, 1])
    })

    it('keeps in the request table what was answered before the model was known', async () => {
      expect(await insertRecords(store(), [makeRecord({ dispatched: false, status_code: 200 })])).equal(1)
      expect([await count('requests'), await count('request_errors')]).deep.equal([1, 0])
    })

    it('stores all of a batch and what is counted from it, or nothing', async () => {
      await sql`alter table endpoint_minutes rename to away`.execute(store().db)
      const records = [makeRecord(), makeRecord({ request_tags: ['a'] })]
      const refused = await insertRecords(store(), records).catch(() => 'refused')
      await sql`alter table away rename to endpoint_minutes`.execute(store().db)
      expect([refused, await count('requests'), await count('request_tags')]).deep.equal(['refused', 0, 0])
      expect(await insertRecords(store(), records)).equal(2)
    })

    it('reads lines of the journal, and tells how many are damaged', async () => {
      const [one, two] = [encode(makeRecord()), encode(makeRecord())]
      expect(await insertLines(store(), toLines([one, 'damaged\n']))).deep.equal({ inserted: 1, corrupt: 1 })
      expect(await insertLines(store(), toLines([one, two]))).deep.equal({ inserted: 1, corrupt: 0 })
      expect(await count('requests')).equal(2)
    })

    it('stores whatever clients and backends put into a record', async () => {
      const odd = makeRecord({
        model_requested: 'a\0b\ud800',
        error_message: 'x'.repeat(10_000),
        matched_stop_token_id: 1e300,
        output_tokens: 1.5,
        temperature: Number.NaN,
        total_latency_ms: 12.4,
      })
      expect(await insertRecords(store(), [odd])).equal(1)
      const row = await store().db.selectFrom('requests').selectAll().executeTakeFirstOrThrow()
      expect(row.model_requested).equal('a\ufffdb\ufffd')
      expect(row.error_message).length(2000)
      expect([row.matched_stop_token_id, row.output_tokens, row.temperature]).deep.equal([2 ** 31 - 1, 2, null])
      expect(row.total_latency_ms).equal(12)
    })

    it('stores records of days without a partition', async () => {
      const day = 86_400_000_000
      const now = Date.now() * 1000
      expect(
        await insertRecords(
          store(),
          [-400, -1, 0, 30].map(days => makeRecord({ created_at: now + days * day })),
        ),
      ).equal(4)
    })
  })
})
