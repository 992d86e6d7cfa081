/** Zone maps: extremes per endpoint and ten minutes. Lists skip requests by them (queries/ranges.ts, docs/adr/0014). */
import { bulkInsert, type Insertions, insertRows } from './bulk.ts'
import type { Database } from './database.ts'
import type { RequestRecord } from './record.ts'
import { type BoundedColumn, boundedValues, type ColumnTypes, type SqlValue } from './rows.ts'

/** Length of a zone in microseconds. */
export const ZONE = 600_000_000

type Extreme = Exclude<keyof Database['request_zones'], 'endpoint' | 'zone' | 'requests'>

/** The column of each extreme, and the comparison that a new extreme must satisfy. */
const EXTREMES: Readonly<Record<Extreme, readonly [column: BoundedColumn, wins: '<' | '>']>> = {
  min_ttft_ms: ['ttft_ms', '<'],
  max_ttft_ms: ['ttft_ms', '>'],
  min_total_latency_ms: ['total_latency_ms', '<'],
  max_total_latency_ms: ['total_latency_ms', '>'],
  max_input_tokens: ['input_tokens', '>'],
  min_cache_hit_pct: ['cache_hit_pct', '<'],
}
const NAMES = Object.keys(EXTREMES) as readonly Extreme[]

const typeOf = (name: Extreme) => (EXTREMES[name][0] === 'cache_hit_pct' ? 'double precision' : 'integer')
const COLUMNS: ColumnTypes = {
  endpoint: 'text',
  zone: 'integer',
  requests: 'bigint',
  ...Object.fromEntries(NAMES.map(name => [name, typeOf(name)])),
}

/** A value replaces null. A new null changes nothing, because no comparison with null is true. */
const zones = bulkInsert(
  'request_zones',
  COLUMNS,
  `(endpoint, zone) do update set requests = request_zones.requests + excluded.requests, ${NAMES.map(
    name => `${name} = case
      when request_zones.${name} is null or excluded.${name} ${EXTREMES[name][1]} request_zones.${name}
      then excluded.${name} else request_zones.${name} end`,
  ).join(', ')}`,
)

interface Zone {
  readonly endpoint: string
  readonly zone: number
  requests: number
  readonly extremes: Record<Extreme, number | null>
}

/** Adds records to their zones. To be called in the transaction that inserts them into the request table. */
export function* addToZones(records: readonly RequestRecord[]): Insertions<void> {
  const found = new Map<string, Zone>()
  for (const record of records) {
    const { endpoint } = record
    if (endpoint === null) continue
    const zone = Math.floor(record.created_at / ZONE)
    const key = `${zone} ${endpoint}`
    const known = found.get(key)
    const values = boundedValues(record)
    if (known === undefined) found.set(key, { endpoint, zone, requests: 1, extremes: extremesOf(values) })
    else widen(known, values)
  }
  // Sorted by key, so that two processes cannot deadlock.
  const sorted = [...found.keys()].sort().map(key => found.get(key)!)
  yield* insertRows(zones, sorted.map(toRow))
}

type BoundedValues = ReturnType<typeof boundedValues>

function extremesOf(values: BoundedValues): Record<Extreme, number | null> {
  return Object.fromEntries(NAMES.map(name => [name, values[EXTREMES[name][0]]])) as Record<Extreme, number | null>
}

function widen(zone: Zone, values: BoundedValues): void {
  zone.requests++
  for (const name of NAMES) {
    const [column, wins] = EXTREMES[name]
    const a = zone.extremes[name]
    const b = values[column]
    if (a === null || (b !== null && (wins === '<' ? b < a : b > a))) zone.extremes[name] = b
  }
}

function toRow({ endpoint, zone, requests, extremes }: Zone): SqlValue[] {
  return [endpoint, zone, requests, ...NAMES.map(name => extremes[name])]
}
