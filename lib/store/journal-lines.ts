/**
 * The lines of the journal: the CRC-32 of the JSON in eight hex digits, a space, the JSON and a line feed. The first
 * line of a segment lists the members, so that a newer version can read it. Each other line has the values of a record.
 */
import { crc32 } from 'node:zlib'
import { isObject, type Json, parseText } from '../base/json.ts'
import { MEMBER_NAMES, type Member, type RequestRecord } from './record.ts'

const LINE_FEED = 10
/** Eight hex digits and a space. */
const PREFIX = 9

const header = { journal: 1, members: [...MEMBER_NAMES] }

export const HEADER = toLine(header)

/** Used if the first line is damaged. */
const OWN_LAYOUT = layoutOf(header)

/** Copied for every record. This costs a third of adding the members one by one. */
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

/** Parses the lines of a segment, except an incomplete last line. `corrupt`: lines with a wrong checksum or length. */
export function readLines(bytes: Buffer): { readonly records: readonly RequestRecord[]; readonly corrupt: number } {
  const records: RequestRecord[] = []
  let corrupt = 0
  let layout = OWN_LAYOUT
  let start = 0
  for (;;) {
    const end = bytes.indexOf(LINE_FEED, start)
    if (end === -1) return { records, corrupt }
    const value = parseLine(bytes, start, end)
    start = end + 1
    if (value === undefined) corrupt++
    else if (!Array.isArray(value)) layout = layoutOf(value)
    else if (value.length === layout.width) records.push(toRecord(value, layout))
    else corrupt++
  }
}

/** Input for readLines(): the first line, and these lines of encode(). */
export function toLines(lines: readonly string[]): Buffer {
  return Buffer.from(HEADER + lines.join(''))
}

/** Divides a segment into portions of up to `limit` records, each with the first line. Omits an incomplete line. */
export function* portionsOf(lines: Buffer, limit: number): Generator<Buffer> {
  const second = lines.indexOf(LINE_FEED) + 1
  const hasHeader = second > 0 && isObject(parseLine(lines, 0, second - 1))
  const header = hasHeader ? lines.subarray(0, second) : Buffer.from(HEADER)
  let start = hasHeader ? second : 0
  for (;;) {
    let end = start
    for (let count = 0; count < limit; count++) end = lines.indexOf(LINE_FEED, end) + 1 || end
    if (end === start) return
    yield Buffer.concat([header, lines.subarray(start, end)])
    start = end
  }
}

function parseLine(bytes: Buffer, start: number, end: number): Json | undefined {
  if (end - start <= PREFIX) return undefined
  const json = bytes.subarray(start + PREFIX, end)
  if (bytes.toString('latin1', start, start + PREFIX) !== prefixOf(json)) return undefined
  return parseText(json.toString('utf8'))
}

/** The order of the values in lines. */
interface Layout {
  readonly width: number
  /** Index in a line of each member of this version; -1: the version that wrote the lines does not have the member. */
  readonly positions: readonly number[]
}

function layoutOf(header: Json): Layout {
  const members = isObject(header) && Array.isArray(header.members) ? header.members : []
  return { width: members.length, positions: MEMBER_NAMES.map(name => members.indexOf(name)) }
}

function toRecord(values: readonly Json[], { positions }: Layout): RequestRecord {
  const record = { ...BLANK }
  for (let i = 0; i < MEMBER_NAMES.length; i++) record[MEMBER_NAMES[i]!] = values[positions[i]!] ?? null
  // The checksum proves that these are the values of a record.
  return record as RequestRecord
}
