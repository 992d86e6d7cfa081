/** Converts records to rows, with values limited to the ranges of their columns. */
import { type Kind, MEMBER_NAMES, MEMBERS, type RequestRecord } from './record.ts'

export type SqlValue = string | number | null

/** PostgreSQL's types of columns. SQLite does not enforce types. */
export type ColumnTypes = Readonly<
  Record<string, 'uuid' | 'text' | 'integer' | 'bigint' | 'double precision' | 'boolean'>
>

const TYPES = {
  uuid: 'uuid',
  text: 'text',
  message: 'text',
  integer: 'integer',
  bigint: 'bigint',
  real: 'double precision',
  boolean: 'boolean',
  tags: 'text',
  json: 'text',
} as const satisfies Record<Kind, ColumnTypes[string]>

const INT4 = 2 ** 31 - 1

/** Columns of `requests` and `request_errors`: the members of a record and two derived values. */
export const REQUEST_COLUMNS: ColumnTypes = {
  ...Object.fromEntries(MEMBER_NAMES.map(name => [name, TYPES[MEMBERS[name]]])),
  public_id: 'bigint',
  cache_hit_pct: 'double precision',
}

/** A value for each of REQUEST_COLUMNS, valid in every store. */
export function toRow(record: RequestRecord): SqlValue[] {
  const row: SqlValue[] = new Array(FITS.length + 2)
  for (let i = 0; i < FITS.length; i++) row[i] = FITS[i]!(record[MEMBER_NAMES[i]!])
  row[FITS.length] = publicIdOf(record.id)
  row[FITS.length + 1] = cacheHitPct(record)
  return row
}

/** The public id as a number: 48 bits. */
export function publicIdOf(id: string): number {
  return Number.parseInt(id.slice(-12), 16)
}

/** Columns with bounds in the filters of a list (docs/api/endpoint-requests.md#request). */
export type BoundedColumn = 'ttft_ms' | 'total_latency_ms' | 'input_tokens' | 'cache_hit_pct'

/** The values of these columns, as toRow() returns them. */
export function boundedValues(record: RequestRecord): Readonly<Record<BoundedColumn, number | null>> {
  return {
    ttft_ms: integer(record.ttft_ms, INT4),
    total_latency_ms: integer(record.total_latency_ms, INT4),
    input_tokens: integer(record.input_tokens, INT4),
    cache_hit_pct: cacheHitPct(record),
  }
}

/** null: no input tokens were counted, or the engine does not report those from its cache. */
function cacheHitPct({ input_tokens, cache_read_tokens }: RequestRecord): number | null {
  if (input_tokens === null || input_tokens <= 0 || cache_read_tokens === null) return null
  return (cache_read_tokens / input_tokens) * 100
}

/** Limits values of clients and backends to the range of the column: a rejected value would delay all later records. */
const FIT: Readonly<Record<Kind, (value: unknown) => SqlValue>> = {
  uuid: value => String(value),
  text: value => text(value, 512),
  message: value => text(value, 2000),
  integer: value => integer(value, INT4),
  bigint: value => integer(value, Number.MAX_SAFE_INTEGER),
  real: value => (typeof value === 'number' && Number.isFinite(value) ? value : null),
  // PostgreSQL also casts these numbers.
  boolean: value => (value === true ? 1 : 0),
  tags: value => (Array.isArray(value) && value.length > 0 ? value.join(',') : null),
  json: value => (value == null ? null : JSON.stringify(value)),
}

/** FIT by member, because looking up the kind would cost more than the conversion. */
const FITS = MEMBER_NAMES.map(name => FIT[MEMBERS[name]])

/** PostgreSQL's text cannot contain NUL, and its JSON no lone surrogates. */
function text(value: unknown, limit: number): string | null {
  if (typeof value !== 'string') return null
  const short = value.length > limit ? value.slice(0, limit) : value
  const sound = short.isWellFormed() ? short : short.toWellFormed()
  return sound.includes('\0') ? sound.replaceAll('\0', '\ufffd') : sound
}

/** A count that is never negative. 0: not known. */
export function toCount(value: number | null): number {
  return Math.max(0, integer(value, INT4) ?? 0)
}

function integer(value: unknown, limit: number): number | null {
  if (typeof value !== 'number' || Number.isNaN(value)) return null
  return Math.max(-limit, Math.min(limit, Math.round(value)))
}
