import { sql } from 'kysely'
import type { Session } from '../database.ts'
import { ZONE } from '../zones.ts'
import { type Bound, mayLieWithin } from './bounds.ts'

/** Times in microseconds since the epoch. */
export interface Range {
  readonly from: number
  /** Exclusive. */
  readonly to: number
}

interface Zone {
  readonly zone: number
  readonly requests: number
}

/** Zones of the first query. Many lists are full after a few zones. */
const FIRST_ZONES = 8
const MAX_ZONES = 512
/** Approximate maximum number of requests that one statement reads, in about ten milliseconds. */
const MAX_REQUESTS = 50_000
/** Up to this number of requests, reading them is cheaper than a further statement that skips them. */
const WORTH_A_STATEMENT = 2000

/** The ranges of time to scan for requests within the bounds, newest first, one per statement. `before`: inclusive. */
export async function* rangesToScan(
  session: Session,
  endpoint: string,
  bounds: readonly Bound[],
  before: number | undefined,
): AsyncGenerator<Range> {
  let below = before === undefined ? 2 ** 31 - 1 : Math.floor(before / ZONE) + 1
  for (let count = FIRST_ZONES; ; count = Math.min(count * 8, MAX_ZONES)) {
    const zones = await zonesToScan(session, endpoint, bounds, below, count)
    yield* toRanges(zones)
    if (zones.length < count) return
    below = zones.at(-1)!.zone
  }
}

async function zonesToScan(
  { db }: Session,
  endpoint: string,
  bounds: readonly Bound[],
  below: number,
  count: number,
): Promise<readonly Zone[]> {
  const { rows } = await sql<Zone>`
    select z.zone, z.requests from request_zones as z
    where z.endpoint = ${endpoint} and z.zone < ${below} and ${sql.join(bounds.map(mayLieWithin), sql` and `)}
    order by z.zone desc limit ${count}`.execute(db)
  return rows
}

/** Joins zones to save statements, and divides zones that are too large for one statement. Newest first. */
function* toRanges(zones: readonly Zone[]): Generator<Range> {
  let first = 0
  let end = 0
  let requests = 0
  for (const next of zones) {
    // The requests between the two zones are unknown. Estimated as many per zone as in the next one.
    const between = (first - next.zone - 1) * next.requests
    if (requests > 0 && between <= WORTH_A_STATEMENT && requests + between + next.requests <= MAX_REQUESTS) {
      requests += between + next.requests
    } else {
      yield* divide(first, end, requests)
      end = next.zone + 1
      requests = next.requests
    }
    first = next.zone
  }
  yield* divide(first, end, requests)
}

function* divide(first: number, end: number, requests: number): Generator<Range> {
  const parts = Math.ceil(requests / MAX_REQUESTS)
  const timeOf = (part: number) => Math.floor(first * ZONE + ((end - first) * ZONE * part) / parts)
  for (let part = parts; part > 0; part--) yield { from: timeOf(part - 1), to: timeOf(part) }
}
