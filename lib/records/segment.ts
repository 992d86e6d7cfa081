/**
 * The segments of the journal: the format of their lines, the one that is written to, and the reader. A line is the CRC-32
 * in eight hex digits, a space, JSON and a line feed. The first line of a segment lists the members, every other holds the
 * values of one record in that order. So a line that was cut off by a crash or a full disk is detected, and a newer version
 * can read the segments of an older one.
 */
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
import { crc32 } from 'node:zlib'
import { isObject, type Json, parseText } from '../base/json.ts'
import { MEMBER_NAMES, type Member, type RequestRecord } from '../store/record.ts'

const LINE_FEED = 10
/** Eight hex digits and a space. */
const PREFIX = 9

const header = { journal: 1, members: [...MEMBER_NAMES] }

/** The first line of a segment written by this version. */
export const HEADER = toLine(header)

/** Used for a segment whose first line is damaged. */
const OWN_LAYOUT = layoutOf(header)

/** Copied for every record that is read, which costs a third of adding the members one by one. */
const BLANK = Object.fromEntries(MEMBER_NAMES.map(name => [name, null])) as Record<Member, Json>

export function encode(record: RequestRecord): string {
  return toLine(MEMBER_NAMES.map(name => record[name]))
}

function toLine(value: unknown): string {
  const json = JSON.stringify(value)
  return `${prefixOf(json)}${json}\n`
}

function prefixOf(json: string | Buffer): string {
  return `${crc32(json).toString(16).padStart(8, '0')} `
}

/** Reads the records of a segment. Damaged lines are counted and skipped; an incomplete last line is ignored. */
export class SegmentReader {
  /** Complete lines with a wrong checksum or length. */
  corrupt = 0
  readonly #bytes: Buffer
  #offset = 0
  #layout = OWN_LAYOUT

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  /** The next records, at most `limit`; empty at the end. */
  next(limit: number): RequestRecord[] {
    const records: RequestRecord[] = []
    while (records.length < limit) {
      const value = this.#line()
      if (value === undefined) break
      if (!Array.isArray(value)) this.#layout = layoutOf(value)
      else if (value.length === this.#layout.width) records.push(toRecord(value, this.#layout))
      else this.corrupt++
    }
    return records
  }

  /** The value of the next undamaged line; undefined at the end. */
  #line(): Json | undefined {
    for (;;) {
      const start = this.#offset
      const end = this.#bytes.indexOf(LINE_FEED, start)
      if (end === -1) return undefined
      this.#offset = end + 1
      const value = parseLine(this.#bytes, start, end)
      if (value !== undefined) return value
      this.corrupt++
    }
  }
}

/** The record of a line that encode() made. */
export function decode(line: string): RequestRecord | undefined {
  return new SegmentReader(Buffer.from(HEADER + line)).next(1)[0]
}

function parseLine(bytes: Buffer, start: number, end: number): Json | undefined {
  if (end - start <= PREFIX) return undefined
  const json = bytes.subarray(start + PREFIX, end)
  if (bytes.toString('latin1', start, start + PREFIX) !== prefixOf(json)) return undefined
  return parseText(json.toString('utf8'))
}

/** The order of the values in the lines of a segment. */
interface Layout {
  readonly width: number
  /** Index of each of our members in a line; -1: the version that wrote the segment does not have it. */
  readonly positions: readonly number[]
}

function layoutOf(header: Json): Layout {
  const members = isObject(header) && Array.isArray(header.members) ? header.members : []
  return { width: members.length, positions: MEMBER_NAMES.map(name => members.indexOf(name)) }
}

function toRecord(values: readonly Json[], { positions }: Layout): RequestRecord {
  const record = { ...BLANK }
  for (let i = 0; i < MEMBER_NAMES.length; i++) record[MEMBER_NAMES[i]!] = values[positions[i]!] ?? null
  // The checksum has proven that these are the values of a record.
  return record as RequestRecord
}

const flush = promisify((fd: number, done: NoParamCallback) => fdatasync(fd, done))
const close = promisify(closeWithCallback)

/** A segment that this process appends to. */
export class OpenSegment {
  readonly path: string
  /** Milliseconds since the epoch. */
  readonly openedAt: number
  records = 0
  bytes = 0
  readonly #fd: number
  #dirty = true
  #flushed: Promise<void> = Promise.resolve()

  /** Creates the file and writes its first line. If that fails, throws the error and removes the file. */
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
   * Writes these lines, of `records` records, by one write(2): they are in the page cache afterwards and survive a crash of this
   * process. After an error the segment must not be written to any more, because it may end with a part of the lines.
   */
  append(lines: string, records: number): void {
    this.#write(lines)
    this.records += records
  }

  /** Flushes to the disk, in a thread of libuv's pool. */
  flush(): Promise<void> {
    if (this.#dirty) {
      this.#dirty = false
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
    this.#dirty = true
  }
}
