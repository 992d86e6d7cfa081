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
  /** Values, one RowsText, or one RecordLines. */
  readonly parameters: readonly unknown[]
}

/**
 * Rows of parameters to run a statement with, one after the other, as JSON. The result has the first parameter of each row that
 * changed something. Posting JSON costs the event loop a third of a structured clone of the rows.
 */
export interface RowsText {
  readonly rowsText: string
}

/** Lines of the journal (../lines.ts), whose records are inserted in a transaction of their own. The SQL of the job is only its name. */
export interface RecordLines {
  readonly recordLines: Uint8Array
}

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

/** One connection to a database file, on one thread. Keeps the process alive only while a statement runs. */
export class SqliteThread {
  readonly #worker: Worker
  readonly #pending = new Map<number, Pending>()
  #next = 0
  #ended = false

  constructor(options: ThreadOptions) {
    const file = import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js'
    this.#worker = new Worker(new URL(file, import.meta.url), { workerData: options, name: 'sqlite' })
    this.#worker.unref()
    this.#worker.on('message', (result: JobResult) => this.#onResult(result))
    this.#worker.on('error', error => this.#onEnd(error))
    this.#worker.on('exit', () => this.#onEnd(new Error('The thread of the SQLite store ended.')))
  }

  /** False after the thread has ended; a transaction that was open on it is rolled back. */
  get alive(): boolean {
    return !this.#ended
  }

  run(sql: string, parameters: readonly unknown[]): Promise<{ readonly rows: unknown[]; readonly changes: number }> {
    if (this.#ended) return Promise.reject(new Error('The thread of the SQLite store has ended.'))
    const id = this.#next++
    if (this.#pending.size === 0) this.#worker.ref()
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject })
      this.#worker.postMessage({ id, sql, parameters } satisfies Job)
    })
  }

  /** Ends the thread after all statements that were sent. */
  async close(): Promise<void> {
    if (this.#ended) return
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
    if (this.#ended) return
    this.#ended = true
    for (const pending of this.#pending.values()) pending.reject(reason)
    this.#pending.clear()
  }
}
