import { type RawBuilder, sql } from 'kysely'
import type { Logger } from 'pino'
import { type Clock, systemClock } from '../base/clock.ts'
import { hourly } from '../base/hourly.ts'
import type { Session } from './database.ts'
import { firstIdAt } from './queries/lookup.ts'
import type { Store } from './store.ts'
import { ZONE } from './zones.ts'

const MINUTE = 60_000_000
const DAY = 24 * 60 * MINUTE
/** Days for which PostgreSQL's partitions are created in advance. */
const DAYS_AHEAD = 3
/** Rows per DELETE in SQLite. A DELETE blocks other writers for a few milliseconds. */
const BATCH = 500

/** Removes records older than `days`, but no usage totals and no credits. `now`: microseconds since the epoch. */
async function expireRecords(store: Store, days: number, now: number): Promise<void> {
  const before = now - days * DAY
  // Set first, so that no report counts a partly removed hour as complete.
  await store.db
    .updateTable('record_horizon')
    .set({ complete_from: before })
    .where('complete_from', '<', before)
    .execute()
  if (store.partitions === null) await expireRows(store, before)
  else {
    await store.partitions.ensure(Array.from({ length: DAYS_AHEAD }, (_, day) => now + day * DAY))
    await store.partitions.expire(before)
  }
  await store.db
    .deleteFrom('endpoint_minutes')
    .where('minute', '<', Math.floor(before / MINUTE))
    .execute()
  // Whole days, because PostgreSQL keeps the requests of a day until all of them have expired.
  await store.db
    .deleteFrom('request_zones')
    .where('zone', '<', (Math.floor(before / DAY) * DAY) / ZONE)
    .execute()
}

async function expireRows(session: Session, before: number): Promise<void> {
  // UUIDv7 ids are ordered by time, so the primary key finds old rows without an index on created_at.
  const oldest = firstIdAt(before)
  for (const table of ['requests', 'request_errors'] as const) {
    await deleteAll(session, table, sql`rowid`, sql`id < ${oldest} and created_at < ${before}`)
  }
  for (const table of ['request_tags', 'request_error_tags'] as const) {
    await deleteAll(session, table, sql`endpoint, tag, created_at, public_id`, sql`created_at < ${before}`)
  }
}

async function deleteAll({ db }: Session, table: string, key: RawBuilder<unknown>, condition: RawBuilder<unknown>) {
  for (;;) {
    const { numAffectedRows = 0n } = await sql`
      delete from ${sql.table(table)}
      where (${key}) in (select ${key} from ${sql.table(table)} where ${condition} limit ${sql.lit(BATCH)})`.execute(db)
    if (numAffectedRows < BATCH) return
  }
}

interface RetentionOptions {
  readonly store: Store
  readonly days: number
  readonly log: Logger
  readonly clock?: Clock
}

/** Removes expired records at once and then every hour. Returns a function that stops it. */
export function keepRetention({ store, days, log, clock = systemClock }: RetentionOptions): () => Promise<void> {
  return hourly(
    async () => {
      await store.prepare()
      await expireRecords(store, days, clock.now() * 1000)
    },
    err => log.warn({ err }, 'old records could not be removed: tried again later'),
  )
}
