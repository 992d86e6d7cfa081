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

export interface Zone {
  readonly zone: number
  readonly requests: number
}

/** Zones asked for at first, and at most: many lists are full after a few. */
const FIRST_ZONES = 8
const MOST_ZONES = 512
/** So many requests, near enough, are walked in one statement: some ten milliseconds. */
const MOST_REQUESTS = 50_000
/** So many requests are rather walked in vain than skipped by a statement of their own. */
const WORTH_A_STATEMENT = 2000

/**
 * Where requests within the bounds may be, newest first, in portions for one statement each. `before`: up to this time,
 * inclusive. Ranges that are left out hold none.
 */
export async function* rangesToWalk(
  session: Session,
  endpoint: string,
  bounds: readonly Bound[],
  before: number | undefined,
): AsyncGenerator<Range> {
  let below = before === undefined ? 2 ** 31 - 1 : Math.floor(before / ZONE) + 1
  for (let count = FIRST_ZONES; ; count = Math.min(count * 8, MOST_ZONES)) {
    const zones = await zonesToWalk(session, endpoint, bounds, below, count)
    yield* toRanges(zones)
    if (zones.length < count) return
    below = zones.at(-1)!.zone
  }
}

async function zonesToWalk(
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

/** Zones, newest first, joined where that saves statements and divided where one would walk too far. */
export function* toRanges(zones: readonly Zone[]): Generator<Range> {
  let first = 0
  let end = 0
  let requests = 0
  for (const next of zones) {
    // What lies between is not known: probably as much as beside it.
    const between = (first - next.zone - 1) * next.requests
    if (requests > 0 && between <= WORTH_A_STATEMENT && requests + between + next.requests <= MOST_REQUESTS) {
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
  const parts = Math.ceil(requests / MOST_REQUESTS)
  const timeOf = (part: number) => Math.floor(first * ZONE + ((end - first) * ZONE * part) / parts)
  for (let part = parts; part > 0; part--) yield { from: timeOf(part - 1), to: timeOf(part) }
}
