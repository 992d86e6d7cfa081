import { mkdirSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Kysely, type Dialect as KyselyDialect } from 'kysely'
import type { Logger } from 'pino'
import { StartError } from '../base/start-error.ts'
import type { Database, Dialect, Session } from './database.ts'
import { migrate } from './migrate.ts'
import { Partitions } from './partitions.ts'
import { postgresDialect } from './postgres.ts'
import { SqliteThreadDialect } from './sqlite/dialect.ts'

const MEMORY = ':memory:'
/** A migration may have to read all that is there. */
const MIGRATION_MS = 30 * 60_000

export interface Store extends Session {
  /** For questions that clients wait for: on connections of their own, so that none of them holds up the writer. */
  readonly reader: Session
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
 * store once it is back. Throws StartError on every other problem.
 */
export async function openStore(url: string, { log }: StoreOptions): Promise<Store> {
  let store: Store | undefined
  try {
    store = createStore(url, log)
    await store.prepare()
  } catch (error) {
    if (store === undefined || store.dialect === 'sqlite' || !isUnreachable(error)) {
      await store?.close()
      throw new StartError(`the store ${nameOf(url)} cannot be used: ${(error as Error).message}`, { cause: error })
    }
    log.error({ err: error }, 'the store cannot be reached: records wait in the journal')
  }
  return store
}

/** Without the password. */
function nameOf(url: string): string {
  if (url.startsWith('sqlite:')) return url
  const parsed = URL.parse(url)
  return parsed === null ? 'postgres' : `${parsed.protocol}//${parsed.host}${parsed.pathname}`
}

function createStore(url: string, log: Logger): Store {
  return url.startsWith('sqlite:') ? sqliteStore(url.slice('sqlite:'.length)) : postgresStore(url, log)
}

function sqliteStore(path: string): Store {
  if (path !== MEMORY) mkdirSync(dirname(path), { recursive: true })
  const session = sessionOn(new SqliteThreadDialect(path), 'sqlite')
  const reader = path === MEMORY ? session : sessionOn(new SqliteThreadDialect(path, { readOnly: true }), 'sqlite')
  return {
    ...session,
    reader,
    partitions: null,
    prepare: once(() => migrate(session)),
    flush: () => flushLog(path),
    // The last one brings the write-ahead log into the file.
    close: () => reader.db.destroy().then(() => session.db.destroy()),
  }
}

function postgresStore(url: string, log: Logger): Store {
  const session = sessionOn(postgresDialect(url, { log }), 'postgres')
  const reader = sessionOn(postgresDialect(url, { log }), 'postgres')
  return {
    ...session,
    reader,
    partitions: new Partitions(session),
    prepare: once(async () => {
      const migrator = sessionOn(postgresDialect(url, { log, connections: 1, statementMs: MIGRATION_MS }), 'postgres')
      await migrate(migrator).finally(() => migrator.db.destroy())
    }),
    flush: () => Promise.resolve(),
    close: () => Promise.all([reader.db.destroy(), session.db.destroy()]).then(() => {}),
  }
}

function sessionOn(dialect: KyselyDialect, name: Dialect): Session {
  return { dialect: name, db: new Kysely<Database>({ dialect }) }
}

/** Does it again only where it failed. */
function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined
  return () => {
    done ??= work().catch(error => {
      done = undefined
      throw error
    })
    return done
  }
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
