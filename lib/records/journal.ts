/**
 * The write-ahead journal of records. One write(2) at the end of a tick appends its records before the tick sends
 * anything, so that the record of a response survives a crash of this process (docs/adr/0007).
 * A segment is flushed to the disk every second and when it is closed. The writer (writer.ts) moves it into the store.
 */
import { rm } from 'node:fs/promises'
import type { Logger } from 'pino'
import { type Clock, systemClock } from '../base/clock.ts'
import { makeDirectory } from '../base/make-directory.ts'
import { StartError } from '../base/start-error.ts'
import { type Flushable, LoopWriteQueue } from '../base/write-queue.ts'
import { encode } from '../store/journal-lines.ts'
import type { RequestRecord } from '../store/record.ts'
import { OpenSegment } from './segment.ts'
import { acquireSegmentLock, type SegmentLock, segmentPath } from './segment-lock.ts'

interface JournalOptions {
  readonly directory: string
  readonly log: Logger
  readonly clock?: Clock
  /** The queue that also contains the last bytes of responses. */
  readonly writes?: LoopWriteQueue
  /** A segment of this size is closed. */
  readonly segmentBytes?: number
  /** Maximum number of records in memory while the disk cannot be written. Further records are lost and counted. */
  readonly queueLimit?: number
  /** Histogram of the duration of a write, in seconds. */
  readonly writeSeconds?: { observe(seconds: number): void }
  /** Interval of flushes, and of attempts to write queued records. */
  readonly flushMs?: number
}

/** A segment that is complete and waits for the writer. */
interface ClosedSegment {
  readonly path: string
  readonly records: number
  /** Milliseconds since the epoch. */
  readonly openedAt: number
}

/** More characters than this are written before the end of the tick. */
const MAX_PENDING = 64 * 1024

/**
 * Receives the record of each finished exchange. It is written in the tick of append(), before all that is added to
 * the write queue after append().
 */
export interface RecordSink {
  /** False while records cannot be made durable. New requests are then refused, so that no record is lost. */
  readonly healthy: boolean
  append(record: RequestRecord): void
}

export class Journal implements RecordSink, Flushable {
  readonly directory: string
  /** Records appended since the start. */
  appended = 0
  /** Records lost because the disk could not be written and the queue was full. */
  lost = 0
  readonly #log: Logger
  readonly #clock: Clock
  readonly #writes: LoopWriteQueue
  readonly #writeSeconds: JournalOptions['writeSeconds']
  readonly #segmentBytes: number
  readonly #queueLimit: number
  readonly #lock: SegmentLock
  readonly #timer: NodeJS.Timeout
  readonly #closing = new Set<Promise<void>>()
  #segment: OpenSegment | undefined
  #segments = 0
  #closed: ClosedSegment[] = []
  /** Lines that are written at the end of the tick. */
  #pending: string[] = []
  #pendingCharacters = 0
  /** Lines that could not be written yet. */
  #queue: string[] = []
  #writeProblem: unknown
  #flushProblem: unknown
  #ended: Promise<void> | undefined

  /** Throws StartError if the directory cannot be used. */
  constructor(options: JournalOptions) {
    this.directory = options.directory
    this.#log = options.log
    this.#clock = options.clock ?? systemClock
    this.#writes = options.writes ?? new LoopWriteQueue()
    this.#writeSeconds = options.writeSeconds
    this.#segmentBytes = options.segmentBytes ?? 8 * 1024 * 1024
    this.#queueLimit = options.queueLimit ?? 10_000
    try {
      makeDirectory(this.directory, 0o700)
      this.#lock = acquireSegmentLock(this.directory)
    } catch (cause) {
      const problem = `request records cannot be kept in ${this.directory}: a writable directory of a local file system is needed`
      throw new StartError(`${problem} (${messageOf(cause)})`, { cause })
    }
    this.#timer = setInterval(() => this.#maintain(), options.flushMs ?? 1000)
    this.#timer.unref()
  }

  get healthy(): boolean {
    return this.#writeProblem === undefined && this.#flushProblem === undefined
  }

  /** Records in memory because the disk cannot be written. */
  get queued(): number {
    return this.#queue.length
  }

  get closed(): readonly ClosedSegment[] {
    return this.#closed
  }

  /** Number of records that are not in the store yet, and the time of the oldest (milliseconds since the epoch). */
  get waiting(): { readonly records: number; readonly since: number | null } {
    let records = this.#pending.length + this.#queue.length + (this.#segment?.records ?? 0)
    for (const segment of this.#closed) records += segment.records
    const since = this.#closed[0]?.openedAt ?? this.#segment?.openedAt ?? this.#clock.now()
    return { records, since: records === 0 ? null : since }
  }

  /** Never throws and never waits. A record that cannot be written is queued. */
  append(record: RequestRecord): void {
    this.appended++
    const line = encode(record)
    if (this.#writeProblem !== undefined) return this.#keep([line])
    if (this.#pending.push(line) === 1) this.#writes.addFirst(this)
    this.#pendingCharacters += line.length
    if (this.#pendingCharacters >= Math.min(MAX_PENDING, this.#segmentBytes)) this.onFlush()
  }

  onFlush(): void {
    const lines = this.#pending
    if (lines.length === 0) return
    this.#pending = []
    this.#pendingCharacters = 0
    // A write that failed may have written some of the lines. The store inserts a record only once by its id.
    if (!this.#write(lines)) this.#keep(lines)
  }

  /** Closes the open segment if it has records, because the writer moves closed segments only. */
  rotate(): void {
    this.onFlush()
    if (this.#segment !== undefined && this.#segment.records > 0) this.#close(this.#segment)
  }

  /** Removes a segment whose records are in the store, on a thread of libuv's pool, because a busy disk delays it. */
  async discard(segment: ClosedSegment): Promise<void> {
    await rm(segment.path, { force: true })
    this.#closed = this.#closed.filter(other => other !== segment)
  }

  /** Removes and returns the queued lines. returnToQueue() puts back those that were not stored. */
  takeQueue(): string[] {
    const lines = this.#queue
    this.#queue = []
    return lines
  }

  returnToQueue(lines: readonly string[]): void {
    this.#queue = [...lines, ...this.#queue]
  }

  /** Flushes every record to the disk and releases the lock; a later process moves the remaining segments. */
  close(): Promise<void> {
    this.#ended ??= this.#end()
    return this.#ended
  }

  async #end(): Promise<void> {
    clearInterval(this.#timer)
    this.onFlush()
    if (this.#writeProblem !== undefined) this.#retry()
    this.lost += this.#queue.length
    if (this.#queue.length > 0)
      this.#log.error(
        { lost: this.#queue.length },
        'request records lost: they could not be written before the end of the process',
      )
    this.#queue = []
    if (this.#segment !== undefined) this.#close(this.#segment)
    await Promise.all(this.#closing)
    this.#lock.release()
  }

  #maintain(): void {
    if (this.#writeProblem !== undefined) this.#retry()
    if (this.#flushProblem !== undefined) this.#reopen()
    const segment = this.#segment
    segment?.flush().then(
      () => this.#setFlushProblem(undefined),
      problem => {
        this.#setFlushProblem(problem)
        if (this.#segment === segment) this.#close(segment)
      },
    )
  }

  /** Keeps lines in memory until the disk can be written. */
  #keep(lines: readonly string[]): void {
    for (const line of lines) {
      if (this.#queue.length < this.#queueLimit) this.#queue.push(line)
      else if (this.lost++ === 0)
        this.#log.error('request records are lost: the disk cannot be written and the queue in memory is full')
    }
  }

  #write(lines: readonly string[]): boolean {
    try {
      this.#segment ??= this.#open()
      const startedAt = this.#clock.monotonic()
      this.#segment.append(lines.join(''), lines.length)
      this.#writeSeconds?.observe((this.#clock.monotonic() - startedAt) / 1000)
      if (this.#segment.bytes >= this.#segmentBytes) this.#close(this.#segment)
      return true
    } catch (error) {
      if (this.#segment !== undefined) this.#close(this.#segment)
      this.#setWriteProblem(error)
      return false
    }
  }

  #open(): OpenSegment {
    return new OpenSegment(segmentPath(this.directory, this.#lock.name, ++this.#segments), this.#clock.now())
  }

  /** Opens a segment if none is open. False: the disk still cannot be written. */
  #reopen(): boolean {
    try {
      this.#segment ??= this.#open()
      return true
    } catch {
      return false
    }
  }

  #retry(): void {
    if (!this.#reopen()) return
    const lines = this.takeQueue()
    const refused = lines.findIndex(line => !this.#write([line]))
    if (refused === -1) this.#setWriteProblem(undefined)
    else this.returnToQueue(lines.slice(refused))
  }

  #close(segment: OpenSegment): void {
    this.#segment = undefined
    const { path, records, openedAt } = segment
    if (records > 0) this.#closed.push({ path, records, openedAt })
    const closing = segment
      .close()
      .then(() => (records === 0 ? rm(path, { force: true }) : undefined))
      .catch(problem => this.#setFlushProblem(problem))
    this.#closing.add(closing)
    closing.finally(() => this.#closing.delete(closing))
  }

  #setWriteProblem(problem: unknown): void {
    if (problem !== undefined && this.#writeProblem === undefined) {
      this.#log.error({ err: problem }, 'journal cannot be written: new requests are refused')
    }
    if (problem === undefined) this.#log.info('journal can be written again')
    this.#writeProblem = problem
  }

  #setFlushProblem(problem: unknown): void {
    if (problem !== undefined && this.#flushProblem === undefined) {
      this.#log.error({ err: problem }, 'journal cannot be flushed to the disk: new requests are refused')
    }
    this.#flushProblem = problem
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
