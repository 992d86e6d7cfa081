import { isPlain } from './json.ts'
import { utf8Latin1 } from './short-utf8.ts'

/** A longer text is left to JSON.stringify(), which is faster by then. */
const SHORT = 32

const LAST_ASCII = 0x7f

/**
 * The UTF-8 of a value's JSON text, as a string with one character for each byte: its length is known at once, and sockets write it as it
 * is. A string that is put together with a single wider character has two bytes for each of all its characters, and Node encodes it thirty to
 * sixty times as slowly.
 */
export function jsonBytes(value: unknown): string {
  if (typeof value === 'string' && value.length <= SHORT && isPlain(value, 0, value.length, LAST_ASCII))
    return `"${value}"`
  const bytes = utf8Latin1(JSON.stringify(value))
  return typeof bytes === 'string' ? bytes : bytes.toString('latin1')
}
