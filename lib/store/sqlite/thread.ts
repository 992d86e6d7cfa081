import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

export interface ThreadOptions {
  readonly path: string
  /** The file must be open in another thread already. */
  readonly readOnly?: boolean
}

export interface Job {
  readonly id: number
  readonly sql: string
  /** Values of the statement, or a single RowsText or RecordLines. */
  readonly parameters: readonly unknown[]
}

/**
 * Rows of parameters as JSON, which the event loop posts at a third of the cost of a structured clone.
 * The result contains the first parameter of each row that changed the database.
 */
export interface RowsText {
  readonly rowsText: string
}

/** Lines of the journal, whose records are inserted in one transaction. The SQL of the job is ignored. */
export interface RecordLines {
  readonly recordLines: Uint8Array
}

/** Result of a job: the rows and the number of changes, or SQLite's error. */
export type QueryOutcome =
  | { readonly ok: true; readonly rows: unknown[]; readonly changes: number }
  | { readonly ok: false; readonly message: string; readonly errcode: number | undefined }

export type JobResult = QueryOutcome & { readonly id: number }

/** An error of SQLite with its result code (sqlite.org/rescode.html). */
export class SqliteError extends Error {
  readonly errcode: number | undefined

  constructor(message: string, errcode: number | undefined) {
    super(message)
    this.errcode = errcode
  }
}

interface Pending {
  resolve(done: { readonly rows: unknown[]; readonly changes: number }): void
  reject(reason: unknown): void
}

/** A connection to a database file, on its own thread. Keeps the process alive only while a statement runs. */
export class SqliteThread {
  readonly #worker: Worker
  readonly #pending = new Map<number, Pending>()
  #next = 0
  #hasEnded = false

  constructor(options: ThreadOptions) {
    const file = import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js'
    this.#worker = new Worker(new URL(file, import.meta.url), { workerData: options, name: 'sqlite' })
    this.#worker.unref()
    this.#worker.on('message', (result: JobResult) => this.#onResult(result))
    this.#worker.on('error', error => this.#onEnd(error))
    this.#worker.on('exit', () => this.#onEnd(new Error('The thread of the SQLite store ended.')))
  }

  /** False after the thread has ended. An open transaction was rolled back then. */
  get isAlive(): boolean {
    return !this.#hasEnded
  }

  run(sql: string, parameters: readonly unknown[]): Promise<{ readonly rows: unknown[]; readonly changes: number }> {
    if (this.#hasEnded) return Promise.reject(new Error('The thread of the SQLite store has ended.'))
    const id = this.#next++
    if (this.#pending.size === 0) this.#worker.ref()
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject })
      this.#worker.postMessage({ id, sql, parameters } satisfies Job)
    })
  }

  /** Ends the thread after all pending statements. */
  async close(): Promise<void> {
    if (this.#hasEnded) return
    const ended = once(this.#worker, 'exit')
    this.#worker.ref()
    this.#worker.postMessage(null)
    await ended
  }

  #onResult(result: JobResult): void {
    const pending = this.#pending.get(result.id)
    this.#pending.delete(result.id)
    if (this.#pending.size === 0) this.#worker.unref()
    if (result.ok) pending?.resolve(result)
    else pending?.reject(new SqliteError(result.message, result.errcode))
  }

  #onEnd(reason: Error): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    for (const pending of this.#pending.values()) pending.reject(reason)
    this.#pending.clear()
  }
}
