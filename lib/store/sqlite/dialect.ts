import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { SqliteError, SqliteThread, type ThreadOptions } from './thread.ts'

/** Kysely's dialect for a SQLite file on its own thread. */
export function sqliteDialect(options: ThreadOptions): Dialect {
  return {
    createDriver: () => new SqliteThreadDriver(options),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new SqliteAdapter(),
    createIntrospector: db => new SqliteIntrospector(db),
  }
}

/** A single connection that one caller uses at a time, so that no statement runs in another caller's transaction. */
class SqliteThreadDriver implements Driver {
  readonly #options: ThreadOptions
  #thread: SqliteThread | undefined
  #last: Promise<void> = Promise.resolve()

  constructor(options: ThreadOptions) {
    this.#options = options
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    const before = this.#last
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#last = promise
    await before
    if (this.#thread === undefined || !this.#thread.isAlive) this.#thread = new SqliteThread(this.#options)
    return new SqliteThreadConnection(this.#thread, resolve)
  }

  /** IMMEDIATE, because a transaction that begins with a read may fail at its first write. */
  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('commit'))
  }

  /** After a full or failing disk, SQLite has already rolled back. The error of the statement must not be replaced. */
  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('rollback')).catch(error => {
      if (!(error instanceof SqliteError && error.message.includes('no transaction is active'))) throw error
    })
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    if (connection instanceof SqliteThreadConnection) connection.release()
  }

  async destroy(): Promise<void> {
    await this.#thread?.close()
  }
}

class SqliteThreadConnection implements DatabaseConnection {
  readonly release: () => void
  readonly #thread: SqliteThread

  constructor(thread: SqliteThread, release: () => void) {
    this.#thread = thread
    this.release = release
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const { rows, changes } = await this.#thread.run(sql, parameters)
    // Kysely has checked the type of the rows.
    return { rows: rows as R[], numAffectedRows: BigInt(changes) }
  }

  // biome-ignore lint/correctness/useYield: Kysely requires a generator. Pages are bounded, so it is not used.
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('Rows of the SQLite store are not streamed: ask for pages.')
  }
}
