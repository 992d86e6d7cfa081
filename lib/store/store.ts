import { existsSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Kysely, type Dialect as KyselyDialect, type LogEvent, sql } from 'kysely'
import type { Logger } from 'pino'
import { systemClock } from '../base/clock.ts'
import { makeDirectory } from '../base/make-directory.ts'
import { StartError } from '../base/start-error.ts'
import type { Database, Dialect, Session } from './database.ts'
import { isReadOnly, storeProblem } from './database-error.ts'
import { appliedVersions, MIGRATIONS, type Migration, migrate } from './migrate.ts'
import { Partitions } from './partitions.ts'
import { postgresDialect } from './postgres.ts'
import { sqliteDialect } from './sqlite/dialect.ts'
import { SqliteError } from './sqlite/thread.ts'

const MEMORY = ':memory:'
const SQLITE_BUSY = 5
const NO_ANSWER = 'the store has not answered since the start: records wait in the journal'
/** Time limit of a migration statement, which may read whole tables. */
const MIGRATION_MS = 30 * 60_000

export interface Store extends Session {
  /** For queries that clients wait for. It has separate connections, so that queries do not delay the writer. */
  readonly reader: Session
  /** null: SQLite has none. */
  readonly partitions: Partitions | null
  /** Brings the tables up to date. To be called before each use. Does nothing after the first success. */
  prepare(): Promise<void>
  /** Remarks for operators. */
  notes(): readonly string[]
  /** Resolves when all commits are on the disk, so that they survive a failure of the machine. */
  flush(): Promise<void>
  close(): Promise<void>
}

interface StoreOptions {
  readonly log: Logger
  /** Called with the duration of each statement, including those that failed. */
  readonly onQuery?: OnQuery
}

type OnQuery = (seconds: number) => void

/**
 * Opens `sqlite:<path>` or `postgres://…` and brings its tables up to date. While a PostgreSQL is unreachable, requests
 * are served and records wait in the journal. Throws StartError on every other problem.
 */
export async function openStore(url: string, { log, onQuery }: StoreOptions): Promise<Store> {
  let store: Store | undefined
  try {
    store = url.startsWith('sqlite:')
      ? sqliteStore(url.slice('sqlite:'.length), onQuery)
      : postgresStore(url, log, onQuery)
    await store.prepare()
  } catch (error) {
    if (store === undefined || store.dialect === 'sqlite' || !isUnreachable(error)) {
      await store?.close()
      throw new StartError(`the store ${nameOf(url)} cannot be used: ${storeProblem(error)}`, { cause: error })
    }
    log.error({ err: error }, 'the store is unreachable: records wait in the journal')
  }
  return store
}

export interface StoreState {
  /** `PostgreSQL 17.2`; null: the SQLite file does not exist. */
  readonly server: string | null
  /** The tables exist. */
  readonly hasTables: boolean
  readonly pending: readonly Migration[]
  /** Versions that this build does not know. */
  readonly newer: readonly number[]
}

/** The state of a store. Changes nothing, and creates no SQLite file. Rejects if the store cannot be used. */
export async function storeState(url: string, log: Logger): Promise<StoreState> {
  const path = url.slice('sqlite:'.length)
  const isNew = url.startsWith('sqlite:') && (path === MEMORY || !existsSync(path))
  if (isNew) return { server: null, hasTables: false, pending: MIGRATIONS, newer: [] }
  const session = url.startsWith('sqlite:')
    ? sessionOn(sqliteDialect({ path, readOnly: true }), 'sqlite')
    : sessionOn(postgresDialect(url, { log, connections: 1 }), 'postgres')
  try {
    const version = session.dialect === 'sqlite' ? sql`sqlite_version()` : sql`current_setting('server_version')`
    const { rows } = await sql<{ version: string }>`select ${version} as version`.execute(session.db)
    const applied = await appliedVersions(session)
    const known = new Set(MIGRATIONS.map(one => one.version))
    return {
      server: `${session.dialect === 'sqlite' ? 'SQLite' : 'PostgreSQL'} ${rows[0]?.version}`,
      hasTables: applied.size > 0,
      pending: MIGRATIONS.filter(one => !applied.has(one.version)),
      newer: [...applied].filter(one => !known.has(one)).toSorted((a, b) => a - b),
    }
  } finally {
    await session.db.destroy()
  }
}

/**
 * Brings the tables of a store up to date, as a start does, and returns the applied versions. Waits while another
 * process does it. Rejects if the store cannot be used.
 */
export async function migrateStore(url: string, log: Logger): Promise<readonly number[]> {
  if (!url.startsWith('sqlite:')) return migratePostgres(url, log)
  const path = url.slice('sqlite:'.length)
  makeDirectory(dirname(path))
  const session = sessionOn(sqliteDialect({ path }), 'sqlite')
  const deadline = systemClock.monotonic() + MIGRATION_MS
  try {
    for (;;) {
      const applied = await migrate(session, MIGRATIONS).catch(error => {
        if (!isLocked(error) || systemClock.monotonic() > deadline) throw error
      })
      if (applied !== undefined) return applied
    }
  } finally {
    await session.db.destroy()
  }
}

/** The URL without user and password. */
export function nameOf(url: string): string {
  if (url.startsWith('sqlite:')) return url
  const parsed = URL.parse(url)
  return parsed === null ? 'postgres' : `${parsed.protocol}//${parsed.host}${parsed.pathname}`
}

function sqliteStore(path: string, onQuery: OnQuery | undefined): Store {
  if (path !== MEMORY) makeDirectory(dirname(path))
  const session = sessionOn(sqliteDialect({ path }), 'sqlite', onQuery)
  const reader = path === MEMORY ? session : sessionOn(sqliteDialect({ path, readOnly: true }), 'sqlite', onQuery)
  return {
    ...session,
    reader,
    partitions: null,
    prepare: once(() => migrate(session, MIGRATIONS)),
    // An SQLite that cannot be used prevents a start.
    notes: () => [],
    flush: () => flushLog(path),
    // The reader is closed first, because closing the last connection moves the write-ahead log into the database file.
    close: () => reader.db.destroy().then(() => session.db.destroy()),
  }
}

function postgresStore(url: string, log: Logger, onQuery: OnQuery | undefined): Store {
  let isPrepared = false
  const session = sessionOn(postgresDialect(url, { log }), 'postgres', onQuery)
  const reader = sessionOn(postgresDialect(url, { log }), 'postgres', onQuery)
  return {
    ...session,
    reader,
    partitions: new Partitions(session),
    prepare: once(async () => {
      await migratePostgres(url, log)
      isPrepared = true
    }),
    notes: () => (isPrepared ? [] : [NO_ANSWER]),
    flush: () => Promise.resolve(),
    close: () => Promise.all([reader.db.destroy(), session.db.destroy()]).then(() => {}),
  }
}

/** On a connection of its own, whose statements may take longer than queries. */
async function migratePostgres(url: string, log: Logger): Promise<readonly number[]> {
  const migrator = sessionOn(postgresDialect(url, { log, connections: 1, statementMs: MIGRATION_MS }), 'postgres')
  return migrate(migrator, MIGRATIONS).finally(() => migrator.db.destroy())
}

/** Another process holds the lock of the SQLite file. */
function isLocked(error: unknown): boolean {
  return error instanceof SqliteError && error.errcode === SQLITE_BUSY
}

function sessionOn(dialect: KyselyDialect, name: Dialect, onQuery?: OnQuery): Session {
  const log = onQuery && ((event: LogEvent) => onQuery(event.queryDurationMillis / 1000))
  return { dialect: name, db: new Kysely<Database>({ dialect, ...(log && { log }) }) }
}

/** Runs `work` at each call until it has succeeded once. */
function once(work: () => Promise<unknown>): () => Promise<void> {
  let done: Promise<unknown> | undefined
  return async () => {
    done ??= work().catch(error => {
      done = undefined
      throw error
    })
    await done
  }
}

/**
 * Flushes SQLite's write-ahead log, which SQLite flushes only at checkpoints (synchronous = NORMAL). SQLite has no lock
 * on this file. If it does not exist, the database has everything.
 */
async function flushLog(path: string): Promise<void> {
  try {
    await using log = await open(`${path}-wal`, 'r+')
    await log.datasync()
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
  }
}

/** Whether it is a network error, PostgreSQL's class 08 or 57P, 53300 (too_many_connections), or a read-only server. */
function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (isReadOnly(error)) return true
  const code = 'code' in error ? String(error.code) : ''
  return /^(E[A-Z]+|08\w{3}|57P\d\d|53300)$/.test(code) || /timeout|terminated/i.test(error.message)
}
