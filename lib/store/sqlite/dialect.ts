import {
  CompiledQuery,
  type DatabaseConnection,
  type DatabaseIntrospector,
  type Dialect,
  type Driver,
  type Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { type Options, SqliteError, SqliteThread } from './thread.ts'

/** Kysely on a SQLite file, on a thread of its own. */
export class SqliteThreadDialect implements Dialect {
  readonly #options: Options

  constructor(path: string, { readOnly = false }: { readonly readOnly?: boolean } = {}) {
    this.#options = { path, readOnly }
  }

  createDriver(): Driver {
    return new SqliteThreadDriver(this.#options)
  }

  createQueryCompiler(): SqliteQueryCompiler {
    return new SqliteQueryCompiler()
  }

  createAdapter(): SqliteAdapter {
    return new SqliteAdapter()
  }

  createIntrospector(db: Kysely<unknown>): DatabaseIntrospector {
    return new SqliteIntrospector(db)
  }
}

/** One connection, handed to one caller after the other, so that nothing gets into another caller's transaction. */
class SqliteThreadDriver implements Driver {
  readonly #options: Options
  #thread: SqliteThread | undefined
  #turn: Promise<void> = Promise.resolve()

  constructor(options: Options) {
    this.#options = options
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    const before = this.#turn
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#turn = promise
    await before
    if (this.#thread === undefined || !this.#thread.alive) this.#thread = new SqliteThread(this.#options)
    return new SqliteThreadConnection(this.#thread, resolve)
  }

  /** IMMEDIATE: a transaction that begins by reading could otherwise be refused when it comes to write. */
  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('commit'))
  }

  /** Where the disk is full or fails, SQLite has ended the transaction itself: its error is the one to be told. */
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
    // The type parameter is the caller's promise about the statement.
    return { rows: rows as R[], numAffectedRows: BigInt(changes) }
  }

  // biome-ignore lint/correctness/useYield: Kysely's interface asks for a generator; pages are bounded, so none is needed.
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('Rows of the SQLite store are not streamed: ask for pages.')
  }
}
