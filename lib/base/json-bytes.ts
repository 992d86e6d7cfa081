import { utf8Latin1 } from './short-utf8.ts'

/** A longer text is left to JSON.stringify(), which is faster by then. */
const SHORT = 32

const BLANK = 0x20
const QUOTE = 0x22
const BACKSLASH = 0x5c
const LAST_ASCII = 0x7f

/**
 * The UTF-8 of a value's JSON text, as a string with one character for each byte: its length is known at once, and sockets write it as it
 * is. A string that is put together with a single wider character has two bytes for each of all its characters, and Node encodes it a
 * hundred times as slowly.
 */
export function jsonBytes(value: unknown): string {
  if (typeof value === 'string' && value.length <= SHORT && isPlain(value)) return `"${value}"`
  const bytes = utf8Latin1(JSON.stringify(value))
  return typeof bytes === 'string' ? bytes : bytes.toString('latin1')
}

/** JSON has these characters as they are, and UTF-8 one byte for each. */
function isPlain(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code < BLANK || code > LAST_ASCII || code === QUOTE || code === BACKSLASH) return false
  }
  return true
}
