/** Multiplies rows inside the database, which takes a fraction of the time of inserting new ones. */
import { Kysely, sql } from 'kysely'
import { pino } from 'pino'
import type { Database, Session } from '../../lib/store/database.ts'
import { postgresDialect } from '../../lib/store/postgres.ts'
import type { Store } from '../../lib/store/store.ts'

const GROW_MS = 900_000
const MINUTE = 60_000_000
const IDS = 2 ** 48
/** Offsets of a copy in time and public id: odd numbers that spread ten copies over the minute and the id range. */
const LATER = 5_876_543
const GREATER = 27_327_667_642_113

const COUNTED = {
  endpoint_minutes: ['requests', 'errors', 'input_tokens', 'output_tokens', 'cache_read_tokens', 'stalls'],
  usage_hours: ['requests', 'input_tokens', 'output_tokens', 'cache_read_tokens'],
  request_zones: ['requests'],
} as const

/** For PostgreSQL on its own connection, because the gateway's connections have a statement timeout. */
export async function growStore(store: Store, url: string, factor: number): Promise<void> {
  if (store.dialect === 'sqlite') return grow(store, factor)
  const dialect = postgresDialect(url, { log: pino({ level: 'warn' }), connections: 1, statementMs: GROW_MS })
  const db = new Kysely<Database>({ dialect })
  await grow({ dialect: 'postgres', db }, factor)
  await db.destroy()
}

/**
 * Multiplies every request by `factor` within its minute, with new ids, errors and tags; updates totals and zones.
 * Indexes are rebuilt at the end. PostgreSQL: the session must have no statement timeout.
 */
async function grow(session: Session, factor: number): Promise<void> {
  const run = (text: string) => sql.raw(text).execute(session.db)
  const indexes = await indexesOf(session)
  for (const { name } of indexes) await run(`drop index ${name}`)
  for (const table of ['requests', 'request_errors', 'request_tags', 'request_error_tags'] as const) {
    const columns = await columnsOf(session, table)
    await run(`create table seeded as select * from ${table}`)
    for (let copy = 1; copy < factor; copy++) {
      const values = columns.map(column => copyOf(session, column, copy)).join(', ')
      await run(`insert into ${table} (${columns.join(', ')}) select ${values} from seeded`)
    }
    await run('drop table seeded')
  }
  for (const [table, sums] of Object.entries(COUNTED)) {
    await run(`update ${table} set ${sums.map(name => `${name} = ${name} * ${factor}`).join(', ')}`)
  }
  for (const { definition } of indexes) await run(definition)
}

function copyOf({ dialect }: Session, column: string, copy: number): string {
  const time = `(created_at - created_at % ${MINUTE} + (created_at + ${copy * LATER}) % ${MINUTE})`
  const publicId = `((public_id + ${copy * GREATER}) % ${IDS})`
  if (column === 'created_at') return time
  if (column === 'public_id') return publicId
  if (column !== 'id') return column
  const hex = (value: string) =>
    dialect === 'sqlite' ? `printf('%012x', ${value})` : `lpad(to_hex(${value}), 12, '0')`
  const text = dialect === 'sqlite' ? 'id' : 'id::text'
  const millis = hex(`${time} / 1000`)
  const id = `substr(${millis}, 1, 8) || '-' || substr(${millis}, 9) || substr(${text}, 14, 11) || ${hex(publicId)}`
  return dialect === 'sqlite' ? id : `(${id})::uuid`
}

interface Index {
  readonly name: string
  readonly definition: string
}

/** Indexes of the tables that grow, except those of primary keys. */
async function indexesOf({ db, dialect }: Session): Promise<readonly Index[]> {
  const query =
    dialect === 'sqlite'
      ? sql<Index>`select name, sql as definition from sqlite_master
          where type = 'index' and tbl_name like 'request%' and sql is not null`
      : sql<Index>`select indexname as name, replace(indexdef, ' ON ONLY ', ' ON ') as definition from pg_indexes
          where tablename in ('requests', 'request_errors', 'request_tags') and indexname not like '%_pkey'`
  return (await query.execute(db)).rows
}

async function columnsOf({ db, dialect }: Session, table: string): Promise<readonly string[]> {
  const query =
    dialect === 'sqlite'
      ? sql<{ name: string }>`select name from pragma_table_info(${table})`
      : sql<{ name: string }>`select column_name as name from information_schema.columns
          where table_name = ${table} order by ordinal_position`
  return (await query.execute(db)).rows.map(({ name }) => name)
}
