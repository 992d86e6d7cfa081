/**
 * The position of a page of requests. In the API a cursor is a timestamp, and a page contains what is strictly older. If
 * several requests share the timestamp at which a page ends, the next page must neither repeat nor skip one. Therefore the
 * list is ordered by time and public id, and in that case the cursor has the last row's public id as further digits behind
 * the microseconds: still an ISO-8601 timestamp. Every other cursor is the created_at of the last row (docs/adr/0011).
 */
import { parseIso, toIso } from '../../base/time.ts'

/** Digits of a 48-bit number. */
const DIGITS = 15

export interface Cursor {
  /** Microseconds since the epoch. */
  readonly created_at: number
  /** Rows of the same time with a lower public id count as older. */
  readonly public_id: number
}

/** undefined: not an ISO-8601 timestamp with a timezone. */
export function parseCursor(text: string): Cursor | undefined {
  const instant = parseIso(text)
  return instant && { created_at: instant.micros, public_id: Number(instant.rest.slice(0, DIGITS).padEnd(DIGITS, '0')) }
}

/** The cursor of the page after the row `last`. `next`: the first row of that page. */
export function formatCursor(last: Cursor, next: Cursor): string {
  const time = toIso(last.created_at)
  if (next.created_at < last.created_at) return time
  return `${time.slice(0, -1)}${String(last.public_id).padStart(DIGITS, '0')}Z`
}
