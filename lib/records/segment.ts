import {
  closeSync,
  close as closeWithCallback,
  fdatasync,
  type NoParamCallback,
  openSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { promisify } from 'node:util'
import { HEADER } from '../store/journal-lines.ts'

const flush = promisify((fd: number, done: NoParamCallback) => fdatasync(fd, done))
const close = promisify(closeWithCallback)

/** The segment of the journal that this process appends to. lib/store/journal-lines.ts defines its lines. */
export class OpenSegment {
  readonly path: string
  /** Milliseconds since the epoch. */
  readonly openedAt: number
  records = 0
  bytes = 0
  readonly #fd: number
  #isDirty = true
  #flushed: Promise<void> = Promise.resolve()

  /** Creates the file and writes its first line. On an error, removes the file and throws the error. */
  constructor(path: string, openedAt: number) {
    this.path = path
    this.openedAt = openedAt
    this.#fd = openSync(path, 'ax', 0o600)
    try {
      this.#write(HEADER)
    } catch (error) {
      closeSync(this.#fd)
      rmSync(path, { force: true })
      throw error
    }
  }

  /**
   * Writes the lines of `records` records by one write(2), so that they survive a crash of this process. After an error
   * the segment must be closed, because it may end with a part of a line.
   */
  append(lines: string, records: number): void {
    this.#write(lines)
    this.records += records
  }

  /** Flushes to the disk, on a thread of libuv's pool. */
  flush(): Promise<void> {
    if (this.#isDirty) {
      this.#isDirty = false
      this.#flushed = this.#flushed.then(() => flush(this.#fd))
    }
    return this.#flushed
  }

  async close(): Promise<void> {
    try {
      await this.flush()
    } finally {
      await close(this.#fd)
    }
  }

  #write(text: string): void {
    const bytes = Buffer.byteLength(text)
    if (writeSync(this.#fd, text) !== bytes) throw new Error('The disk is full: a line was cut off.')
    this.bytes += bytes
    this.#isDirty = true
  }
}
