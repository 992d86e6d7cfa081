/** Finds the ends of strings in the bytes of a JSON text that arrives in pieces. */
import { fail } from '../../errors/errors.ts'
import { NOT_JSON } from '../json-limits.ts'
import { TextScan } from './text-scan.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const LOWER_U = 0x75
const SPACE = 0x20

/** By the byte behind a backslash: the length of the escape, 0 where there is none (RFC 8259 section 7). */
const ESCAPE_LENGTHS = new Uint8Array(256)
for (const byte of Buffer.from('"\\/bfnrt')) ESCAPE_LENGTHS[byte] = 2
ESCAPE_LENGTHS[LOWER_U] = 6

/** The bytes of `0123456789ABCDEFabcdef`. */
const IS_HEX = new Uint8Array(256)
for (const byte of Buffer.from('0123456789ABCDEFabcdef')) IS_HEX[byte] = 1

/** Made when it is needed first: by no process that gets no large bodies. */
let scan: TextScan | undefined

/** Begins the second escape of a character that needs two. */
const LOW_HALF = /^\\u[Dd][C-Fc-f]/

/** Index of the closing quote; without one the length of the bytes, or one more where the last byte is a backslash. */
export function endOfString(bytes: Buffer, first: number): number {
  let i = first
  for (; i < bytes.length; i++) {
    const byte = bytes[i]
    if (byte === QUOTE) return i
    if (byte === BACKSLASH) i++
  }
  return i
}

/**
 * The same for a string that the parser will not see: index of the closing quote, or of an escape that has not arrived
 * completely. Refuses what a JSON string must not hold. The bytes must not change while the ends of their texts are looked for.
 */
export function endOfText(bytes: Buffer, first: number): number {
  const { length } = bytes
  scan ??= new TextScan(ESCAPE_LENGTHS, IS_HEX)
  let i = scan.behind(bytes, first)
  while (i < length) {
    const byte = bytes[i]!
    if (byte === QUOTE) return i
    if (byte === BACKSLASH) {
      if (i + 1 >= length) return i
      const size = ESCAPE_LENGTHS[bytes[i + 1]!]!
      if (i + size > length) return i
      if (size === 0 || (size === 6 && !isHex(bytes, i + 2))) fail('invalid_json_request', { problem: NOT_JSON })
      i += size
    } else if (byte < SPACE) {
      fail('invalid_json_request', { problem: NOT_JSON })
    } else {
      i++
    }
  }
  return i
}

/**
 * Index behind the first `count` bytes of a text that ends at `end`, or behind a few more: never inside an escape, a
 * character, or a pair of surrogates.
 */
export function behindStart(bytes: Buffer, first: number, count: number, end: number): number {
  const least = Math.min(first + count, end)
  let i = first
  while (i < least || (bytes[i]! & 0xc0) === 0x80) i += bytes[i] === BACKSLASH ? escapeLength(bytes, i) : 1
  return i < end && bytes[i] === BACKSLASH && LOW_HALF.test(bytes.toString('latin1', i, i + 4)) ? i + 6 : i
}

function escapeLength(bytes: Buffer, at: number): 2 | 6 {
  return bytes[at + 1] === LOWER_U ? 6 : 2
}

/** Four digits. */
function isHex(bytes: Buffer, at: number): boolean {
  return (IS_HEX[bytes[at]!]! & IS_HEX[bytes[at + 1]!]! & IS_HEX[bytes[at + 2]!]! & IS_HEX[bytes[at + 3]!]!) === 1
}
