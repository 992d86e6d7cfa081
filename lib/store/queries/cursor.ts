/**
 * Where a page of requests begins. The API's cursor is a timestamp, and many requests may share one: split between two
 * pages they must neither repeat nor get lost. So the list's order is time, then public id, and where the next row shares
 * the time of the last one, the cursor says the last one's place among them in further digits of its second: a finer
 * timestamp, still ISO-8601, for which "strictly older" is as true as before. Every other cursor is just the last row's
 * created_at. A page never holds more rows than were asked for.
 */
import { parseIso, toIso } from './time.ts'

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

/** The cursor behind `last`. `next`: the row that follows it. */
export function formatCursor(last: Cursor, next: Cursor): string {
  const time = toIso(last.created_at)
  if (next.created_at < last.created_at) return time
  return `${time.slice(0, -1)}${String(last.public_id).padStart(DIGITS, '0')}Z`
}
