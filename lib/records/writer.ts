import { appendFile, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { type Clock, systemClock } from '../base/clock.ts'
import { isRejectedValue } from '../store/database-error.ts'
import type { RequestRecord } from '../store/record.ts'
import { insertRecords } from '../store/records.ts'
import { type OnInserted, ROLLUPS } from '../store/rollups.ts'
import type { Store } from '../store/store.ts'
import type { Journal } from './journal.ts'
import { decode, encode, SegmentReader } from './line.ts'
import { orphanedSegments } from './segment-lock.ts'

export interface WriterOptions {
  readonly journal: Journal
  readonly store: Store
  readonly log: Logger
  readonly clock?: Clock
  /** What else happens in the transaction that inserts records. */
  readonly onInserted?: readonly OnInserted[]
  /** Between two rounds. */
  readonly everyMs?: number
  /** Records of one transaction. Few, because reading them holds up the event loop for some microseconds each. */
  readonly batch?: number
}

/** How often the directory is searched for what dead processes left. */
const SEARCH_MS = 5000
/** The longest pause while the store is away, so that it is used again soon after it is back. */
const MAX_PAUSE_MS = 1500

/**
 * Moves the journal into the store. A segment is discarded only after all of its records have been committed and brought to
 * the disk; one that was moved in part is moved again from its start, which is harmless because records are inserted once
 * by their id.
 */
export class RecordWriter {
  /** Records that the store did not have before. */
  inserted = 0
  /** Records that the store will never take; they stand in `rejected.log` beside the journal. */
  rejected = 0
  /** Lines of the journal that could not be read; their segments stay in the directory as `.damaged`. */
  corrupt = 0
  readonly #caughtUp = Promise.withResolvers<void>()
  readonly #journal: Journal
  readonly #store: Store
  readonly #log: Logger
  readonly #clock: Clock
  readonly #onInserted: readonly OnInserted[]
  readonly #everyMs: number
  readonly #batch: number
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> = Promise.resolve()
  #searchAt = 0
  #failures = 0
  #closed = false

  constructor({ journal, store, log, clock, onInserted, everyMs, batch }: WriterOptions) {
    this.#journal = journal
    this.#store = store
    this.#log = log
    this.#clock = clock ?? systemClock
    this.#onInserted = onInserted ?? ROLLUPS
    this.#everyMs = everyMs ?? 500
    this.#batch = batch ?? 200
  }

  start(): void {
    this.#schedule(0)
  }

  /** What has not reached the store yet: how many records, and for how long the oldest has been waiting. */
  get lag(): { readonly records: number; readonly seconds: number } {
    const { records, since } = this.#journal.waiting
    return { records, seconds: since === null ? 0 : Math.max(0, this.#clock.now() - since) / 1000 }
  }

  /** Resolves once the store has what earlier lives of this process left in the journal. */
  get caughtUp(): Promise<void> {
    return this.#caughtUp.promise
  }

  /** False while the store takes no records. */
  get storing(): boolean {
    return this.#failures === 0
  }

  /** Moves what is there, for as long as `timeoutMs`; what is left then, another process or the next start moves. */
  async close(timeoutMs = 5000): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    clearTimeout(this.#timer)
    const { promise: timeout, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, timeoutMs)
    await Promise.race([this.#finish(), timeout])
    clearTimeout(timer)
    const { records } = this.lag
    if (records > 0)
      this.#log.warn({ records }, 'request records stay in the journal: they are moved at the next start')
  }

  async #finish(): Promise<void> {
    await this.#running
    this.#journal.rotate()
    await this.#turn()
  }

  #schedule(delayMs: number): void {
    if (this.#closed) return
    this.#timer = setTimeout(() => {
      this.#running = this.#turn().then(pauseMs => this.#schedule(pauseMs))
    }, delayMs)
    this.#timer.unref()
  }

  /** One round; answers how long to wait for the next. */
  async #turn(): Promise<number> {
    try {
      await this.#round()
    } catch (err) {
      if (this.#failures === 0) this.#log.error({ err }, 'the store takes no records: they wait in the journal')
      this.#failures++
      const pauseMs = Math.min(MAX_PAUSE_MS, 50 * 2 ** Math.min(this.#failures, 10))
      return pauseMs * (0.5 + Math.random() / 2)
    }
    this.#caughtUp.resolve()
    if (this.#failures > 0) this.#log.info('the store takes records again')
    this.#failures = 0
    return this.#everyMs
  }

  async #round(): Promise<void> {
    await this.#store.prepare()
    // While segments wait, new records may as well collect in one file.
    if (this.#journal.closed.length === 0) this.#journal.rotate()
    for (const segment of this.#journal.closed) {
      await this.#move(segment.path)
      await this.#store.flush()
      this.#journal.discard(segment)
    }
    await this.#moveQueue()
    if (this.#clock.now() >= this.#searchAt) await this.#adopt()
  }

  /** Moves what dead processes left in the directory. */
  async #adopt(): Promise<void> {
    const failed = (err: unknown) =>
      this.#log.warn({ err }, 'whether a process lives that shares the journal is not known')
    for (const orphaned of orphanedSegments(this.#journal.directory, failed)) {
      try {
        for (const path of orphaned.segments) {
          this.#log.info({ segment: path }, 'moving request records of a process that is gone')
          await this.#move(path)
          await this.#store.flush()
          await rm(path, { force: true })
        }
      } finally {
        orphaned.release()
      }
    }
    // Only now: a search that the store interrupted is taken up again in the next round.
    this.#searchAt = this.#clock.now() + SEARCH_MS
  }

  async #move(path: string): Promise<void> {
    const bytes = await readSegment(path)
    if (bytes === undefined) return this.#log.error({ segment: path }, 'a part of the journal was removed unread')
    const reader = new SegmentReader(bytes)
    for (let records = reader.next(this.#batch); records.length > 0; records = reader.next(this.#batch)) {
      await this.#insert(records)
    }
    if (reader.corrupt === 0) return
    this.corrupt += reader.corrupt
    this.#log.error({ segment: path, lines: reader.corrupt }, 'the journal is damaged: lines were skipped')
    await rename(path, `${path}.damaged`)
  }

  /** Moves into the store what the disk did not take and memory holds. */
  async #moveQueue(): Promise<void> {
    const lines = this.#journal.takeQueue()
    try {
      while (lines.length > 0) {
        await this.#insert(lines.slice(0, this.#batch).flatMap(line => decode(line) ?? []))
        lines.splice(0, this.#batch)
      }
    } finally {
      this.#journal.giveBack(lines)
    }
  }

  /** Where the store refuses a value for good, the batch is halved until the record is found, and the others get through. */
  async #insert(records: readonly RequestRecord[]): Promise<void> {
    try {
      this.inserted += await insertRecords(this.#store, records, this.#onInserted)
    } catch (err) {
      if (!isRejectedValue(err)) throw err
      if (records.length === 1) return this.#reject(records[0]!, err)
      const middle = Math.ceil(records.length / 2)
      await this.#insert(records.slice(0, middle))
      await this.#insert(records.slice(middle))
    }
  }

  async #reject(record: RequestRecord, err: unknown): Promise<void> {
    await appendFile(join(this.#journal.directory, 'rejected.log'), encode(record), { mode: 0o600 })
    this.rejected++
    this.#log.error({ err, id: record.id }, 'the store refuses a request record: it was put aside')
  }
}

/** undefined: there is no such file, and waiting will not bring it back. */
async function readSegment(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
