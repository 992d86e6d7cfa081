import { mkdirSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { Database } from './database.ts'
import { migrate } from './migrate.ts'
import { Partitions } from './partitions.ts'
import { postgresDialect } from './postgres.ts'
import type { Session } from './session.ts'
import { SqliteThreadDialect } from './sqlite/dialect.ts'

export interface Store extends Session {
  /** null: SQLite has none. */
  readonly partitions: Partitions | null
  /** Brings the tables up to date. Does nothing once that has succeeded, so that it can precede any use. */
  prepare(): Promise<void>
  /** Resolves when everything committed so far survives the death of the machine, not only of this process. */
  flush(): Promise<void>
  close(): Promise<void>
}

export interface StoreOptions {
  readonly log: Logger
}

/**
 * Opens `sqlite:<path>` or `postgres://…` and brings its tables up to date. A PostgreSQL that cannot be reached just now
 * is no reason not to start: requests are served without it, records wait in the journal, and the writer prepares the
 * store once it is back. Throws on every other problem.
 */
export async function openStore(url: string, { log }: StoreOptions): Promise<Store> {
  const store = createStore(url, log)
  try {
    await store.prepare()
  } catch (error) {
    if (store.dialect === 'sqlite' || !isUnreachable(error)) {
      await store.close()
      throw error
    }
    log.error({ err: error }, 'the store cannot be reached: records wait in the journal')
  }
  return store
}

function createStore(url: string, log: Logger): Store {
  const dialect = url.startsWith('sqlite:') ? 'sqlite' : 'postgres'
  const db = new Kysely<Database>({
    dialect: dialect === 'sqlite' ? sqliteDialect(url.slice('sqlite:'.length)) : postgresDialect(url, { log }),
  })
  const session: Session = { dialect, db }
  let prepared: Promise<void> | undefined
  return {
    ...session,
    partitions: dialect === 'postgres' ? new Partitions(session) : null,
    prepare() {
      prepared ??= migrate(session).catch(error => {
        prepared = undefined
        throw error
      })
      return prepared
    },
    flush: () => (dialect === 'sqlite' ? flushLog(url.slice('sqlite:'.length)) : Promise.resolve()),
    close: () => db.destroy(),
  }
}

function sqliteDialect(path: string): SqliteThreadDialect {
  if (path !== ':memory:') mkdirSync(dirname(path), { recursive: true })
  return new SqliteThreadDialect(path)
}

/**
 * SQLite brings its write-ahead log to the disk only now and then, which spares a flush for each transaction. No lock is
 * held on that file, so opening and closing it here takes none away. Without the file all is in the database.
 */
async function flushLog(path: string): Promise<void> {
  try {
    await using log = await open(`${path}-wal`, 'r+')
    await log.datasync()
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
  }
}

/** The network's codes, and PostgreSQL's classes 08 (connection) and 57P (shutting down, starting up). */
function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  return /^(E[A-Z]+|08\w{3}|57P\d\d|53300)$/.test(code) || /timeout|terminated/i.test(error.message)
}
