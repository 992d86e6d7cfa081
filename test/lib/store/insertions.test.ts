import { expect } from 'chai'
import { sql } from 'kysely'
import { bulkInsert, insertRows } from '../../../lib/store/bulk.ts'
import { insertLines, runInsertions } from '../../../lib/store/insertions.ts'
import { encode, toLines } from '../../../lib/store/journal-lines.ts'
import { insertRecords, makeRecord } from '../../support/record.ts'
import { onEveryStore } from '../../support/stores.ts'

const columns = { account_id: 'text', balance_microcents: 'bigint', charged_microcents: 'bigint' } as const

describe('insertions', () => {
  onEveryStore(store => {
    const add = bulkInsert(
      'credit_balances',
      columns,
      '(account_id) do update set balance_microcents = credit_balances.balance_microcents + excluded.balance_microcents',
    )
    const keep = bulkInsert('credit_balances', columns, 'do nothing')
    const run = (...insertion: Parameters<typeof insertRows>) => runInsertions(store(), insertRows(...insertion))

    it('returns the keys of rows that are new or changed', async () => {
      expect(
        await run(keep, [
          ['a', 1, 0],
          ['b', 2, 0],
        ]),
      ).deep.equal(['a', 'b'])
      expect(
        await run(keep, [
          ['c', 3, 0],
          ['a', 9, 0],
        ]),
      ).deep.equal(['c'])
      expect(await run(add, [['a', 10, 0]])).deep.equal(['a'])
      const rows = await store().db.selectFrom('credit_balances').selectAll().orderBy('account_id').execute()
      expect(rows.map(row => row.balance_microcents)).deep.equal([11, 2, 3])
    })

    it('does nothing without rows', async () => {
      expect(await run(keep, [])).deep.equal([])
    })

    it('inserts quotes, line feeds and null unchanged', async () => {
      const odd = `'"; drop table x; --\n\\`
      expect(await run(keep, [[odd, 1, 0]])).deep.equal([odd])
    })
  })
})

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

    it('stores every member', async () => {
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

    it('stores a record only once', async () => {
      const [first, second] = [makeRecord({ request_tags: ['a'] }), makeRecord({ status_code: 500 })]
      expect(await insertRecords(store(), [first!, first!])).equal(1)
      expect(await insertRecords(store(), [first!, second!])).equal(1)
      expect(await insertRecords(store(), [second!])).equal(0)
      expect([await count('requests'), await count('request_errors'), await count('request_tags')]).deep.equal([
        2, 1, 1,
      ])
    })

    it('stores refusals before the model was known only in the error log', async () => {
      await insertRecords(store(), [
        makeRecord({ status_code: 400, dispatched: false, error_code: 'invalid_json_request' }),
      ])
      expect([await count('requests'), await count('request_errors')]).deep.equal([0, 1])
    })

    it('stores successful requests without a model in the request table', async () => {
      expect(await insertRecords(store(), [makeRecord({ dispatched: false, status_code: 200 })])).equal(1)
      expect([await count('requests'), await count('request_errors')]).deep.equal([1, 0])
    })

    it('stores a batch and its totals completely, or not at all', async () => {
      await sql`alter table endpoint_minutes rename to away`.execute(store().db)
      const records = [makeRecord(), makeRecord({ request_tags: ['a'] })]
      const refused = await insertRecords(store(), records).catch(() => 'refused')
      await sql`alter table away rename to endpoint_minutes`.execute(store().db)
      expect([refused, await count('requests'), await count('request_tags')]).deep.equal(['refused', 0, 0])
      expect(await insertRecords(store(), records)).equal(2)
    })

    it('reads lines of the journal, and counts damaged ones', async () => {
      const [one, two] = [encode(makeRecord()), encode(makeRecord())]
      expect(await insertLines(store(), toLines([one, 'damaged\n']))).deep.equal({ inserted: 1, corrupt: 1 })
      expect(await insertLines(store(), toLines([one, two]))).deep.equal({ inserted: 1, corrupt: 0 })
      expect(await count('requests')).equal(2)
    })

    it('stores every value of clients and backends', async () => {
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
