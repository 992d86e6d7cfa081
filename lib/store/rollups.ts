/** Totals that are updated when records are inserted: usage, metrics of dedicated endpoints, charges. */

import { type BulkInsert, bulkInsert, insertRows } from './bulk.ts'
import { bookCredits } from './credits.ts'
import type { Database, Session } from './database.ts'
import type { RequestRecord } from './record.ts'
import { type Column, type SqlValue, toCount } from './rows.ts'

const MINUTE = 60_000_000
const HOUR = 60 * MINUTE

/** Runs in the transaction that inserts records. `records`: only those that were not in the store before. */
export type OnInserted = (session: Session, records: readonly RequestRecord[]) => Promise<void>

/** A table of counters: how its rows are keyed, and what they count. */
interface Rollup {
  readonly insert: BulkInsert
  /** null: the record is not counted in this table. */
  keyOf(record: RequestRecord): readonly SqlValue[] | null
  countsOf(record: RequestRecord): readonly number[]
}

/** The database adds the same to `usage_days` (migrations/usage-days.ts). */
const usage: Rollup = {
  insert: counters(
    'usage_hours',
    {
      account_id: 'text',
      hour: 'integer',
      user_id: 'text',
      key_id: 'text',
      surface: 'text',
      endpoint: 'text',
      model: 'text',
    },
    ['requests', 'input_tokens', 'output_tokens', 'cache_read_tokens'],
  ),
  keyOf: record =>
    record.account_id === null || !isServed(record)
      ? null
      : [
          record.account_id,
          Math.floor(record.created_at / HOUR),
          record.user_id ?? '',
          record.key_id ?? '',
          record.surface,
          record.endpoint ?? '',
          record.model_resolved ?? '',
        ],
  countsOf: record => [1, ...tokensOf(record)],
}

const endpointMetrics: Rollup = {
  insert: counters('endpoint_minutes', { endpoint: 'text', minute: 'integer', status_code: 'integer' }, [
    'requests',
    'errors',
    'input_tokens',
    'output_tokens',
    'cache_read_tokens',
    'stalls',
  ]),
  keyOf: record =>
    record.endpoint === null ? null : [record.endpoint, Math.floor(record.created_at / MINUTE), record.status_code],
  countsOf: record => [1, Number(isFailed(record)), ...tokensOf(record), toCount(record.stall_count)],
}

/** All totals, in the order in which their rows are locked. */
export const ROLLUPS: readonly OnInserted[] = [
  (session, records) => add(session, usage, records),
  (session, records) => add(session, endpointMetrics, records),
  charge,
]

/** Whether the request counts as usage. A failed one, or one whose client disconnected, does if it used tokens. */
function isServed(record: RequestRecord): boolean {
  return record.dispatched && (record.status_code < 400 || tokensOf(record).some(count => count > 0))
}

/** Whether metrics count the request as an error. A broken stream is one, although its status is 200. */
function isFailed(record: RequestRecord): boolean {
  return record.status_code >= 400 || record.stream_error_status_code !== null
}

function tokensOf({ input_tokens, output_tokens, cache_read_tokens }: RequestRecord): number[] {
  return [toCount(input_tokens), toCount(output_tokens), toCount(cache_read_tokens)]
}

/** Sums up by key first, so that a batch updates few rows. Sorted by key, so that two processes cannot deadlock. */
async function add(
  session: Session,
  { insert, keyOf, countsOf }: Rollup,
  records: readonly RequestRecord[],
): Promise<void> {
  const rows = new Map<string, { readonly key: readonly SqlValue[]; readonly counts: number[] }>()
  for (const record of records) {
    const key = keyOf(record)
    if (key === null) continue
    const text = JSON.stringify(key)
    const row = rows.get(text)
    const counts = countsOf(record)
    if (row === undefined) rows.set(text, { key, counts: [...counts] })
    else for (let i = 0; i < counts.length; i++) row.counts[i]! += counts[i]!
  }
  const sorted = [...rows.keys()].sort().map(text => rows.get(text)!)
  await insertRows(
    session,
    insert,
    sorted.map(({ key, counts }) => [...key, ...counts]),
  )
}

async function charge(session: Session, records: readonly RequestRecord[]): Promise<void> {
  const entries = records.flatMap(({ id, account_id, cost_microcents, created_at }) =>
    account_id === null || cost_microcents === null || cost_microcents <= 0
      ? []
      : [{ request_id: id, account_id, amount_microcents: -Math.round(cost_microcents), kind: 'charge', created_at }],
  )
  await bookCredits(session, entries)
}

function counters(
  table: keyof Database,
  key: Readonly<Record<string, Column['type']>>,
  sums: readonly string[],
): BulkInsert {
  const columns: Column[] = [
    ...Object.entries(key).map(([name, type]) => ({ name, type })),
    ...sums.map(name => ({ name, type: 'bigint' as const })),
  ]
  const updates = sums.map(name => `${name} = ${table}.${name} + excluded.${name}`).join(', ')
  return bulkInsert(table, columns, `(${Object.keys(key).join(', ')}) do update set ${updates}`)
}
