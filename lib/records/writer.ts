import { appendFile, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { type Clock, systemClock } from '../base/clock.ts'
import { isRejectedValue } from '../store/database-error.ts'
import { insertLines, RECORDS_PER_TRANSACTION } from '../store/insertions.ts'
import { encode, portionsOf, readLines, toLines } from '../store/journal-lines.ts'
import type { Store } from '../store/store.ts'
import type { Journal } from './journal.ts'
import { orphanedSegments } from './segment-lock.ts'

interface WriterOptions {
  readonly journal: Journal
  readonly store: Store
  readonly log: Logger
  readonly clock?: Clock
  readonly everyMs?: number
  readonly batch?: number
}

/** How often the directory is searched for orphaned segments. */
const SEARCH_MS = 5000
/** Maximum pause between two attempts while the store is unavailable. */
const MAX_PAUSE_MS = 1500

/**
 * Moves records from the journal to the store (write-behind). A segment is removed after its records were committed and
 * flushed to the disk. An interrupted one is moved again from its start, because the store inserts each id only once.
 */
export class RecordWriter {
  inserted = 0
  /** Records that the store rejects permanently; they are written to `rejected.log` in the journal's directory. */
  rejected = 0
  /** Damaged lines of the journal; their segments stay in the directory as `.damaged`. */
  corrupt = 0
  readonly #caughtUp = Promise.withResolvers<void>()
  readonly #journal: Journal
  readonly #store: Store
  readonly #log: Logger
  readonly #clock: Clock
  readonly #everyMs: number
  readonly #batch: number
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> = Promise.resolve()
  #searchAt = 0
  #failures = 0
  #isClosed = false

  constructor({ journal, store, log, clock, everyMs, batch }: WriterOptions) {
    this.#journal = journal
    this.#store = store
    this.#log = log
    this.#clock = clock ?? systemClock
    this.#everyMs = everyMs ?? 500
    this.#batch = batch ?? RECORDS_PER_TRANSACTION[store.dialect]
  }

  start(): void {
    this.#schedule(0)
  }

  /** Number of records that are not in the store yet, and the age of the oldest. */
  get lag(): { readonly records: number; readonly seconds: number } {
    const { records, since } = this.#journal.waiting
    return { records, seconds: since === null ? 0 : Math.max(0, this.#clock.now() - since) / 1000 }
  }

  /** Resolves when the store contains all records that earlier processes left in the journal. */
  get caughtUp(): Promise<void> {
    return this.#caughtUp.promise
  }

  /** Moves the remaining records for at most `timeoutMs`. The next start, or another process, moves the rest. */
  async close(timeoutMs = 5000): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    clearTimeout(this.#timer)
    const { promise: timeout, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, timeoutMs)
    await Promise.race([this.#finish(), timeout])
    clearTimeout(timer)
    const { records } = this.lag
    if (records > 0) this.#log.warn({ records }, 'request records stay in the journal: the next start moves them')
  }

  async #finish(): Promise<void> {
    await this.#running
    this.#journal.rotate()
    await this.#runRound()
  }

  #schedule(delayMs: number): void {
    if (this.#isClosed) return
    this.#timer = setTimeout(() => {
      this.#running = this.#runRound().then(pauseMs => this.#schedule(pauseMs))
    }, delayMs)
    this.#timer.unref()
  }

  /** Runs one round and returns the pause until the next, in milliseconds. */
  async #runRound(): Promise<number> {
    try {
      await this.#round()
    } catch (err) {
      if (this.#failures === 0) this.#log.error({ err }, 'the store accepts no records: they wait in the journal')
      this.#failures++
      const pauseMs = Math.min(MAX_PAUSE_MS, 50 * 2 ** Math.min(this.#failures, 10))
      return pauseMs * (0.5 + Math.random() / 2)
    }
    this.#caughtUp.resolve()
    if (this.#failures > 0) this.#log.info('the store accepts records again')
    this.#failures = 0
    return this.#everyMs
  }

  async #round(): Promise<void> {
    await this.#store.prepare()
    // While closed segments wait, the open one can receive further records.
    if (this.#journal.closed.length === 0) this.#journal.rotate()
    for (const segment of this.#journal.closed) {
      await this.#move(segment.path)
      await this.#store.flush()
      await this.#journal.discard(segment)
    }
    await this.#moveQueue()
    if (this.#clock.now() >= this.#searchAt) await this.#moveOrphaned()
  }

  /** Moves the segments of processes that have ended. */
  async #moveOrphaned(): Promise<void> {
    const onError = (err: unknown) =>
      this.#log.warn({ err }, 'a lock of another process in the journal directory could not be tried')
    for (const orphaned of orphanedSegments(this.#journal.directory, onError)) {
      try {
        for (const path of orphaned.segments) {
          this.#log.info({ segment: path }, 'moving request records of a process that has ended')
          await this.#move(path)
          await this.#store.flush()
          await rm(path, { force: true })
        }
      } finally {
        orphaned.release()
      }
    }
    // Set last, so that the next round repeats a search that failed.
    this.#searchAt = this.#clock.now() + SEARCH_MS
  }

  async #move(path: string): Promise<void> {
    const bytes = await readSegment(path)
    if (bytes === undefined)
      return this.#log.error({ segment: path }, 'a segment of the journal was removed before it was read')
    let corrupt = 0
    for (const lines of portionsOf(bytes, this.#batch)) corrupt += await this.#insert(lines, this.#batch)
    if (corrupt === 0) return
    this.corrupt += corrupt
    this.#log.error({ segment: path, lines: corrupt }, 'the journal is damaged: lines were skipped')
    await rename(path, `${path}.damaged`)
  }

  /** Moves the records that are in memory because the disk cannot be written. */
  async #moveQueue(): Promise<void> {
    const lines = this.#journal.takeQueue()
    try {
      while (lines.length > 0) {
        await this.#insert(toLines(lines.slice(0, this.#batch)), this.#batch)
        lines.splice(0, this.#batch)
      }
    } finally {
      this.#journal.returnToQueue(lines)
    }
  }

  /**
   * Inserts the records of at most `count` lines and returns the number of damaged lines. If the store rejects a value,
   * the lines are halved until the record is found.
   */
  async #insert(lines: Buffer, count: number): Promise<number> {
    try {
      const { inserted, corrupt } = await insertLines(this.#store, lines)
      this.inserted += inserted
      return corrupt
    } catch (err) {
      if (!isRejectedValue(err)) throw err
      if (count === 1) return this.#reject(lines, err)
      const half = Math.ceil(count / 2)
      let corrupt = 0
      for (const portion of portionsOf(lines, half)) corrupt += await this.#insert(portion, half)
      return corrupt
    }
  }

  async #reject(lines: Buffer, err: unknown): Promise<number> {
    for (const record of readLines(lines).records) {
      await appendFile(join(this.#journal.directory, 'rejected.log'), encode(record), { mode: 0o600 })
      this.rejected++
      this.#log.error({ err, id: record.id }, 'the store rejects a request record: it was written to rejected.log')
    }
    return 0
  }
}

/** undefined: the file does not exist. */
async function readSegment(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
