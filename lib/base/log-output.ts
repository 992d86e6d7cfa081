import { constants, fstatSync, openSync, writeSync } from 'node:fs'
import { isatty } from 'node:tty'

/** Characters buffered before a write, about 40 lines. */
const MIN_LENGTH = 16_000

/** Longest time that a line is buffered. */
const FLUSH_MS = 1000

/** Delay before the next write to a pipe or terminal that is full. */
const RETRY_MS = 100

/** Characters buffered while nothing can be written, about 1,500 lines. Further lines are dropped. */
const MAX_BUFFERED = 524_288

const STDOUT = 1

const NEWLINE = 10

/**
 * Buffered lines on their way to stdout. Nothing here waits for a reader: if stdout is full or broken, lines are
 * dropped and counted.
 */
export class LogOutput {
  readonly #fd: number
  /** Complete lines that no write has tried yet. */
  #lines = ''
  /** Rest of the current write. */
  #rest: Buffer = Buffer.alloc(0)
  #isBlocked = false
  /** The last byte written is inside of a line. */
  #isTorn = false
  #dropped = 0
  /** `#dropped` at the last successful write. */
  #reported = 0

  /** Called after a write succeeds, with the number of lines that were dropped before it. */
  onRecovery: (dropped: number) => void = () => {}

  constructor(fd = STDOUT) {
    this.#fd = nonBlocking(fd)
    setInterval(() => this.flush(), FLUSH_MS).unref()
    process.prependListener('exit', () => this.flush())
  }

  /** Lines dropped since the start of the process. */
  get dropped(): number {
    return this.#dropped
  }

  get isEmpty(): boolean {
    return this.#lines === '' && this.#rest.length === 0
  }

  write(line: string): void {
    if (this.#lines.length + line.length > MAX_BUFFERED) {
      this.#dropped++
      return
    }
    this.#lines += line
    if (this.#lines.length >= MIN_LENGTH && !this.#isBlocked) this.flush()
  }

  /** Writes what is buffered, as far as stdout takes it now. */
  flush(): void {
    while (this.#rest.length > 0 || this.#lines !== '') {
      if (this.#rest.length === 0) {
        this.#rest = Buffer.from(this.#isTorn ? `\n${this.#lines}` : this.#lines)
        this.#lines = ''
      }
      try {
        const written = writeSync(this.#fd, this.#rest)
        this.#isTorn = this.#rest[written - 1] !== NEWLINE
        this.#rest = this.#rest.subarray(written)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'EAGAIN') this.#retry()
        else this.#drop()
        return
      }
    }
    this.#recovered()
  }

  #retry(): void {
    if (this.#isBlocked) return
    this.#isBlocked = true
    setTimeout(() => {
      this.#isBlocked = false
      this.flush()
    }, RETRY_MS).unref()
  }

  /** Drops the current write: its error, such as a full disk, would only repeat. */
  #drop(): void {
    // A newline at the beginning ends a line that was written or counted before.
    for (const byte of this.#rest.subarray(1)) if (byte === NEWLINE) this.#dropped++
    this.#rest = Buffer.alloc(0)
  }

  #recovered(): void {
    const dropped = this.#dropped - this.#reported
    if (dropped === 0) return
    this.#reported = this.#dropped
    this.onRecovery(dropped)
  }
}

/**
 * Makes writes to a pipe, socket or terminal fail with EAGAIN if it is full. A blocked write would stop the event loop,
 * and in a thread of Node's pool the end of the process. Files need nothing.
 */
function nonBlocking(fd: number): number {
  if (fstatSync(fd).isFile()) return fd
  try {
    // O_NONBLOCK belongs to the open file, which workers inherit: the start and the end of each of them reset the flag.
    return openSync(`/dev/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY)
  } catch {
    // A socket cannot be opened again. A stream for it sets the flag; for a terminal Node chooses blocking writes.
    if (!isatty(fd)) void process.stdout
    return fd
  }
}
