/**
 * Where a page of requests begins. By the API a cursor is a timestamp, and a page holds what is strictly older. But many
 * requests may share a timestamp, and where a page ends among them, none may be repeated or left out by the next. So the
 * list is ordered by time and then by public id, and such a cursor has the public id of the last row as further digits
 * behind the microseconds: still an ISO-8601 timestamp, only a finer one. Every other cursor is the created_at of the last
 * row. A page never holds more rows than were asked for.
 */
import { parseIso, toIso } from '../../base/time.ts'

/** Digits of a 48-bit number. */
const DIGITS = 15

export interface Cursor {
  /** Microseconds since the epoch. */
  readonly created_at: number
  /** Of the rows of that very time, those with a lower public id are older. */
  readonly public_id: number
}

/** undefined: not an ISO-8601 timestamp with a timezone. */
export function parseCursor(text: string): Cursor | undefined {
  const instant = parseIso(text)
  return instant && { created_at: instant.micros, public_id: Number(instant.rest.slice(0, DIGITS).padEnd(DIGITS, '0')) }
}

/** The cursor of the page behind the row `last`. `next`: the first row of that page. */
export function formatCursor(last: Cursor, next: Cursor): string {
  const time = toIso(last.created_at)
  if (next.created_at < last.created_at) return time
  return `${time.slice(0, -1)}${String(last.public_id).padStart(DIGITS, '0')}Z`
}
