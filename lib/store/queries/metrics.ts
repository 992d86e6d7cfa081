/** Metrics of a dedicated endpoint (docs/api/endpoint-metrics.md#response). */
import { type RawBuilder, sql } from 'kysely'
import type { JsonObject } from '../../base/json.ts'
import { toIso } from '../../base/time.ts'
import type { Session } from '../database.ts'
import { type Percentiles, percentiles, type Window } from './percentiles.ts'

const MINUTE = 60_000_000
/** Maximum number of points of the series. */
const MAX_POINTS = 60

const SUMS = ['requests', 'errors', 'input_tokens', 'output_tokens', 'cache_read_tokens', 'stalls'] as const
type Sums = Readonly<Record<(typeof SUMS)[number], number>>

/**
 * Metrics between two times (microseconds), from the start of the first minute. Counts are sums of totals per minute.
 * Percentiles are computed from a bounded number of requests, so that the cost does not grow with the traffic.
 */
export async function endpointMetrics(
  session: Session,
  endpoint: string,
  from: number,
  to: number,
): Promise<JsonObject> {
  const first = Math.floor(from / MINUTE)
  const minutes = Math.max(1, Math.ceil(to / MINUTE) - first)
  const step = Math.ceil(minutes / MAX_POINTS)
  const range = { endpoint, first, end: first + minutes }
  const byStatus = await sumsBy(session, range, sql`status_code`)
  const byPoint = await sumsBy(session, range, sql`(minute - ${sql.lit(first)}) / ${sql.lit(step)}`)
  const total = addUp([...byStatus.values()])

  const window: Window = { endpoint, from: first * MINUTE, to, requests: total.requests }
  const whole = minutes * MINUTE
  const ttft = (await percentiles(session, window, 'ttft_ms', whole)).get(0)
  const latency = (await percentiles(session, window, 'total_latency_ms', whole)).get(0)
  const speed = (await percentiles(session, window, 'output_tps', whole)).get(0)
  const ttftByPoint = await percentiles(session, window, 'ttft_ms', step * MINUTE)

  return {
    endpoint,
    range_minutes: Math.round((to - from) / MINUTE),
    from: toIso(window.from),
    to: toIso(to),
    request_count: total.requests,
    error_count: total.errors,
    error_rate: total.requests === 0 ? 0 : total.errors / total.requests,
    input_tokens: total.input_tokens,
    output_tokens: total.output_tokens,
    cache_read_tokens: total.cache_read_tokens,
    cache_hit_pct: total.input_tokens === 0 ? null : (total.cache_read_tokens / total.input_tokens) * 100,
    ...named('ttft', ttft),
    ...named('total_latency', latency),
    output_tps_p50: speed?.p50 ?? null,
    stall_count: total.stalls,
    by_status: Object.fromEntries([...byStatus].map(([status, { requests }]) => [status, requests])),
    series: Array.from({ length: Math.ceil(minutes / step) }, (_, point) => ({
      at: toIso((first + point * step) * MINUTE),
      request_count: byPoint.get(point)?.requests ?? 0,
      error_count: byPoint.get(point)?.errors ?? 0,
      ttft_p95_ms: ttftByPoint.get(point)?.p95 ?? null,
      output_tokens: byPoint.get(point)?.output_tokens ?? 0,
    })),
  }
}

interface MinuteRange {
  readonly endpoint: string
  readonly first: number
  /** Exclusive. */
  readonly end: number
}

async function sumsBy(
  { db }: Session,
  { endpoint, first, end }: MinuteRange,
  group: RawBuilder<unknown>,
): Promise<ReadonlyMap<number, Sums>> {
  const { rows } = await sql<Sums & { key: number }>`
    select ${group} as key, ${sql.join(SUMS.map(name => sql`sum(${sql.ref(name)}) as ${sql.ref(name)}`))}
    from endpoint_minutes where endpoint = ${endpoint} and minute >= ${first} and minute < ${end}
    group by ${group} order by ${group}`.execute(db)
  return new Map(rows.map(({ key, ...sums }) => [key, sums]))
}

function addUp(all: readonly Sums[]): Sums {
  const sum = (name: keyof Sums) => all.reduce((total, sums) => total + sums[name], 0)
  return Object.fromEntries(SUMS.map(name => [name, sum(name)])) as Sums
}

function named(prefix: 'ttft' | 'total_latency', found: Percentiles | undefined): JsonObject {
  return {
    [`${prefix}_p50_ms`]: found?.p50 ?? null,
    [`${prefix}_p95_ms`]: found?.p95 ?? null,
    [`${prefix}_p99_ms`]: found?.p99 ?? null,
  }
}
