/**
 * The position of a page in a list that is ordered by time and public id. The page contains strictly older requests.
 * A cursor is the created_at of the last row of the previous page. If the next row has the same time, the digits of the
 * last row's public id follow the microseconds, and the cursor is still an ISO-8601 timestamp (docs/adr/0014).
 */
import { parseIso, toIso } from '../../base/time.ts'

/** Digits of a 48-bit number. */
const DIGITS = 15

export interface Cursor {
  /** Microseconds since the epoch. */
  readonly created_at: number
  /** Of rows with the same time, those with a lower public id count as older. */
  readonly public_id: number
}

/** undefined: not an ISO-8601 timestamp with a timezone. */
export function parseCursor(text: string): Cursor | undefined {
  const instant = parseIso(text)
  return instant && { created_at: instant.micros, public_id: Number(instant.rest.slice(0, DIGITS).padEnd(DIGITS, '0')) }
}

/** The cursor of the page that follows the row `last`. `next`: the first row of that page. */
export function formatCursor(last: Cursor, next: Cursor): string {
  const time = toIso(last.created_at)
  if (next.created_at < last.created_at) return time
  return `${time.slice(0, -1)}${String(last.public_id).padStart(DIGITS, '0')}Z`
}
