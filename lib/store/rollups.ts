/** Totals that are updated with each inserted record: usage, metrics of dedicated endpoints, charges. */
import { type BulkInsert, bulkInsert, type Insertions, insertRows } from './bulk.ts'
import type { Database } from './database.ts'
import { bookEntries, type CreditEntry } from './ledger.ts'
import type { RequestRecord } from './record.ts'
import { type ColumnTypes, type SqlValue, toCount } from './rows.ts'

const MINUTE = 60_000_000
const HOUR = 60 * MINUTE

/** A table of counters: the key of its rows, and their counts. */
interface Rollup {
  readonly insert: BulkInsert
  /** null: this table does not count the record. */
  keyOf(record: RequestRecord): readonly SqlValue[] | null
  countsOf(record: RequestRecord): readonly number[]
}

/** Triggers update `usage_days` (migrations/usage-days.ts). */
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
    ['requests', 'input_tokens', 'output_tokens', 'cache_read_tokens', 'units'],
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
  countsOf: record => [1, ...tokensOf(record), toCount(record.units)],
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

/** Adds records to all totals. `records`: those that were not in the store before. */
export function* countRecords(records: readonly RequestRecord[]): Insertions<void> {
  yield* add(usage, records)
  yield* add(endpointMetrics, records)
  yield* bookEntries(chargesOf(records))
}

/** Whether the request counts as usage: it succeeded, or it used tokens or units before it failed. */
function isServed(record: RequestRecord): boolean {
  return (
    record.dispatched &&
    (record.status_code < 400 || [...tokensOf(record), toCount(record.units)].some(count => count > 0))
  )
}

/** Whether metrics count the request as an error. A broken stream counts although its status is 200. */
function isFailed(record: RequestRecord): boolean {
  return record.status_code >= 400 || record.stream_error_status_code !== null
}

function tokensOf({ input_tokens, output_tokens, cache_read_tokens }: RequestRecord): number[] {
  return [toCount(input_tokens), toCount(output_tokens), toCount(cache_read_tokens)]
}

/** Sums by key first, so that a batch updates few rows. Sorted by key, so that processes cannot deadlock. */
function* add({ insert, keyOf, countsOf }: Rollup, records: readonly RequestRecord[]): Insertions<void> {
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
  yield* insertRows(
    insert,
    sorted.map(({ key, counts }) => [...key, ...counts]),
  )
}

function chargesOf(records: readonly RequestRecord[]): CreditEntry[] {
  return records.flatMap(({ id, account_id, cost_microcents, created_at }) =>
    account_id === null || cost_microcents === null || cost_microcents <= 0
      ? []
      : [{ request_id: id, account_id, amount_microcents: -Math.round(cost_microcents), kind: 'charge', created_at }],
  )
}

function counters(table: keyof Database, key: ColumnTypes, sums: readonly string[]): BulkInsert {
  const columns: ColumnTypes = { ...key, ...Object.fromEntries(sums.map(name => [name, 'bigint' as const])) }
  const updates = sums.map(name => `${name} = ${table}.${name} + excluded.${name}`).join(', ')
  return bulkInsert(table, columns, `(${Object.keys(key).join(', ')}) do update set ${updates}`)
}
