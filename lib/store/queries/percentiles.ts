import { sql } from 'kysely'
import type { Session } from '../database.ts'

/** The requests of one dedicated endpoint between two times, in microseconds since the epoch. */
export interface Window {
  readonly endpoint: string
  readonly from: number
  /** Exclusive. */
  readonly to: number
  /** Approximate number of requests. */
  readonly requests: number
}

/** Percentiles by nearest rank. */
export interface Percentiles {
  readonly p50: number
  readonly p95: number
  readonly p99: number
}

/** Up to this number of requests, all are read. Above it, one in SHARE is read; above SHARE times it, one in SHARE². */
const EXACT = 20_000
/** Public ids are random, so 1/64 of them are below a bound. The index `requests_sample` contains these. */
const SHARE = 64
const PUBLIC_IDS = 2 ** 48

/**
 * Percentiles of a column over successful requests, by the number of the step. At most about 20,000 rows are sorted.
 * Up to this number the result is exact; above it, the error of the rank is below 0.5 %.
 */
export async function percentiles(
  { db }: Session,
  { endpoint, from, to, requests }: Window,
  column: 'ttft_ms' | 'total_latency_ms' | 'output_tps',
  step: number,
): Promise<ReadonlyMap<number, Percentiles>> {
  const value = sql.ref(column)
  const { rows } = await sql<Percentiles & { point: number }>`
    with chosen as (
      select ${value} as value, (created_at - ${sql.lit(from)}) / ${sql.lit(step)} as point
      from requests
      where endpoint = ${endpoint} and created_at >= ${from} and created_at < ${to}
        and status_code < 400 and ${value} is not null ${sampled(requests)}
    ), ranked as (
      select point, value, row_number() over (partition by point order by value) as n, count(*) over (partition by point) as total
      from chosen
    )
    select point,
      min(case when n * 100 >= total * 50 then value end) as p50,
      min(case when n * 100 >= total * 95 then value end) as p95,
      min(case when n * 100 >= total * 99 then value end) as p99
    from ranked group by point`.execute(db)
  return new Map(rows.map(({ point, p50, p95, p99 }) => [point, { p50, p95, p99 }]))
}

/** Literals instead of parameters, because the planner must know that the partial index covers these rows. */
function sampled(requests: number) {
  const bounds = []
  for (let share = SHARE; requests * SHARE > EXACT * share && bounds.length < 2; share *= SHARE) {
    bounds.push(sql`and public_id < ${sql.lit(PUBLIC_IDS / share)}`)
  }
  return bounds.length === 0 ? sql`` : sql.join(bounds, sql` `)
}
