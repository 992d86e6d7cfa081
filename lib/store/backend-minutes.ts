/** The history of backends and models: a part of each process per minute, and sums of minutes per hour. */
import { sql } from 'kysely'
import { bulkInsert, insertRows } from './bulk.ts'
import { type Session, transact } from './database.ts'
import { type MinutePart, PEAK_COLUMNS, SUM_COLUMNS, VALUE_COLUMNS } from './history-columns.ts'
import { runInsertions } from './insertions.ts'
import type { ColumnTypes, SqlValue } from './rows.ts'

const MINUTE_COLUMNS: ColumnTypes = {
  model: 'text',
  backend: 'text',
  minute: 'integer',
  minutes: 'integer',
  ...Object.fromEntries(VALUE_COLUMNS.map(name => [name, 'bigint'])),
}

const insertMinute = bulkInsert(
  'backend_minutes',
  MINUTE_COLUMNS,
  `(model, backend, minute) do update set ${[
    ...[...SUM_COLUMNS, ...PEAK_COLUMNS].map(name => `${name} = backend_minutes.${name} + excluded.${name}`),
    'capacity = coalesce(excluded.capacity, backend_minutes.capacity)',
    'cached_tokens = coalesce(backend_minutes.cached_tokens + excluded.cached_tokens, backend_minutes.cached_tokens, excluded.cached_tokens)',
  ].join(', ')}`,
)

/** Rows of a statement. The event loop is free between two of them. */
const CHUNK = 500

/** Adds the parts of this process. Sorted by key, so that processes cannot deadlock. */
export function addBackendMinutes(session: Session, parts: readonly MinutePart[]): Promise<void> {
  const sorted = parts
    .map(part => [`${part.model}\0${part.backend}\0${part.minute}`, part] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return transact(session, async transaction => {
    for (let at = 0; at < sorted.length; at += CHUNK) {
      const rows = sorted.slice(at, at + CHUNK).map(([, part]) => rowOf(part))
      await runInsertions(transaction, insertRows(insertMinute, rows))
    }
  })
}

function rowOf({ model, backend, minute, values }: MinutePart): SqlValue[] {
  return [model, backend, minute, 1, ...Array.from(values, value => (Number.isNaN(value) ? null : Math.round(value)))]
}

/** How minutes, or hours, become one row. */
export const HISTORY_SUMS = sql.join([
  ...SUM_COLUMNS.map(name => sql`sum(${sql.ref(name)}) as ${sql.ref(name)}`),
  ...[...PEAK_COLUMNS, 'capacity'].map(name => sql`max(${sql.ref(name)}) as ${sql.ref(name)}`),
  sql`sum(cached_tokens) as cached_tokens`,
])

const MINUTES_PER_HOUR = 60

/** Writes the hours from `hour` on, in hours since the epoch, from their minutes. Repetitions have the same result. */
export async function sumBackendHours({ db }: Session, hour: number): Promise<void> {
  const columns = sql.join(VALUE_COLUMNS.map(name => sql.ref(name)))
  const updates = ['minutes', ...VALUE_COLUMNS].map(name => sql`${sql.ref(name)} = excluded.${sql.ref(name)}`)
  await sql`
    insert into backend_hours (model, backend, hour, minutes, ${columns})
    select model, backend, minute / ${sql.lit(MINUTES_PER_HOUR)} as hour, count(*), ${HISTORY_SUMS}
    from backend_minutes where minute >= ${hour * MINUTES_PER_HOUR}
    group by model, backend, minute / ${sql.lit(MINUTES_PER_HOUR)}
    order by 1, 2, 3
    on conflict (model, backend, hour) do update set ${sql.join(updates)}`.execute(db)
}

interface Horizons {
  /** In minutes since the epoch. */
  readonly minutes: number
  /** Of hours and events, in minutes since the epoch. */
  readonly hours: number
}

/** Removes what is older. */
export async function expireBackendHistory({ db }: Session, { minutes, hours }: Horizons): Promise<void> {
  await db.deleteFrom('backend_minutes').where('minute', '<', minutes).execute()
  await db
    .deleteFrom('backend_hours')
    .where('hour', '<', Math.floor(hours / MINUTES_PER_HOUR))
    .execute()
  await db.deleteFrom('backend_events').where('minute', '<', hours).execute()
}
