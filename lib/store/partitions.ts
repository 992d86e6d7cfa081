import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Session, transact } from './database.ts'

/** Tables of PostgreSQL that are partitioned by the UTC day of `created_at`. */
const TABLES = ['requests', 'request_errors', 'request_tags', 'request_error_tags'] as const
const DAY = 86_400_000_000
/** Id of the advisory lock for creating and dropping partitions. Used for nothing else. */
const LOCK = 5_481_702_114

/** Pause between two attempts to get the lock. */
const PAUSE_MS = 100
const MAX_ATTEMPTS = 600

/** The partitions of PostgreSQL's large tables. They are created in advance and dropped when they have expired. */
export class Partitions {
  readonly #store: Session
  /** Days whose partitions exist. */
  readonly #known = new Set<number>()

  constructor(store: Session) {
    this.#store = store
  }

  /** Creates the partitions for these times (microseconds since the epoch). */
  async ensure(times: Iterable<number>): Promise<void> {
    const missing = new Set<number>()
    for (const time of times) {
      const day = Math.floor(time / DAY)
      if (!this.#known.has(day)) missing.add(day)
    }
    if (missing.size === 0) return
    await this.#locked(async session => {
      for (const day of missing) for (const table of TABLES) await create(session, table, day)
    })
    for (const day of missing) this.#known.add(day)
  }

  /** To be called if another process may have dropped partitions. */
  forget(): void {
    this.#known.clear()
  }

  /** Drops the partitions that end before this time (microseconds since the epoch). */
  async expire(before: number): Promise<void> {
    this.forget()
    const last = Math.floor(before / DAY) - 1
    await this.#locked(async session => {
      for (const table of TABLES) {
        for (const name of await partitionsOf(session, table)) {
          if (dayOf(name) <= last) await sql`drop table ${sql.id(name)}`.execute(session.db)
        }
      }
    })
  }

  /**
   * Runs `work` in one process at a time; the others retry after a pause, without a connection.
   * A lock of a table is awaited for at most a second, because a waiting lock blocks later queries.
   */
  async #locked(work: (session: Session) => Promise<void>): Promise<void> {
    for (let attempts = 1; ; attempts++) {
      const isDone = await transact(this.#store, async session => {
        const { rows } = await sql<{ got: boolean }>`
          select pg_try_advisory_xact_lock(${sql.lit(LOCK)}) as got`.execute(session.db)
        if (rows[0]?.got !== true) return false
        await sql`set local lock_timeout = '1s'`.execute(session.db)
        await work(session)
        return true
      })
      if (isDone) return
      if (attempts === MAX_ATTEMPTS) throw new Error('another process has been changing partitions for a minute')
      await sleep(PAUSE_MS)
    }
  }
}

/** Creates a table and attaches it, which needs no lock that blocks readers or writers. */
async function create({ db }: Session, table: string, day: number): Promise<void> {
  const name = `${table}_${nameOf(day)}`
  const found = await sql<{ name: string | null }>`select to_regclass(${name}) as name`.execute(db)
  if (found.rows[0]?.name !== null) return
  await sql`create table ${sql.id(name)} (like ${sql.id(table)} including all)`.execute(db)
  await sql`
    alter table ${sql.id(table)} attach partition ${sql.id(name)}
    for values from (${sql.lit(day * DAY)}) to (${sql.lit((day + 1) * DAY)})`.execute(db)
}

async function partitionsOf({ db }: Session, table: string): Promise<string[]> {
  const found = await sql<{ name: string }>`
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = to_regclass(${table})`.execute(db)
  return found.rows.map(row => row.name)
}

/** `20261121` */
function nameOf(day: number): string {
  return new Date(day * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '')
}

function dayOf(partition: string): number {
  const digits = partition.slice(-8)
  return Date.parse(`${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6)}`) / 86_400_000
}
