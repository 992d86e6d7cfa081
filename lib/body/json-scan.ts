/** Scans the bytes of a JSON text in one pass, before memory is allocated for its values. */
import { fail } from '../errors/errors.ts'
import { isNamedInput, isNewName, mayBeIndex } from './json-names.ts'

/** Maximum depth of arrays and objects. Real schemas stay below 40. */
export const MAX_DEPTH = 128

/** JSON values of one body. Validating and translating more would block the event loop for too long. */
const MAX_VALUES = 1_000_000

/** Names that were not seen lately. JSON.parse interns each of them, which takes ten times as long as a known name. */
const MAX_NEW_NAMES = 50_000

/** Counted in addition for a number or a name whose text is kept: parsing one takes ten times as long. */
const INEXACT_VALUES = 9

/** Heap bytes of the values of one body, without long texts: those of a million empty objects. */
const MAX_WEIGHT = 64 * 1024 * 1024

/** Bytes of the shortest long text. Shorter texts cost less as strings of the parsed JSON. */
const MIN_LONG_TEXT = 4096

/** Heap bytes of parsed JSON (Node 24.21, mean of 200,000 values; docs/adr/0043). The 3 bytes `{},` become 64. */
const WEIGHT = {
  /** The slot of a value in its array or object. Numbers, booleans and null need no more. */
  value: 16,
  /** Without its bytes. */
  string: 24,
  array: 48,
  object: 56,
  /** Most names are shared. A new name creates a hidden class for its object. */
  member: 48,
  /** The text of a number that a double does not keep (lib/base/source-json.ts). */
  number: 160,
} as const

export interface ScannedJson {
  /** Number of JSON values, or slightly more. */
  readonly values: number
  /** Heap bytes that the parsed JSON needs, without its long texts. */
  readonly weight: number
  readonly depth: number
  /** Doubles keep all numbers below the top level, and objects the order of all members. */
  readonly isExact: boolean
  /** Long texts that are values, in order, without their quotes. */
  readonly texts: readonly LongText[]
}

interface LongText {
  readonly from: number
  readonly to: number
}

const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const BACKSLASH = 0x5c
const PLUS = 0x2b
const MINUS = 0x2d
const POINT = 0x2e
const ZERO = 0x30
const NINE = 0x39
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d

/**
 * Scans a JSON text. Validates strings (RFC 8259 section 7), because long texts are not parsed. JSON.parse validates
 * the structure later. Refuses too many values. Replaces lone surrogates in `bytes` by U+FFFD: engines fail on them.
 * `shortest`: bytes of the shortest long text.
 */
export function scanJson(bytes: Buffer, shortest: number = MIN_LONG_TEXT): ScannedJson {
  if (bytes.byteOffset % 4 !== 0) {
    const aligned = Buffer.from(bytes)
    const scanned = scanJson(aligned, shortest)
    aligned.copy(bytes)
    return scanned
  }
  const words = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2)
  const texts: LongText[] = []
  let values = 1
  let newNames = 0
  let weight: number = WEIGHT.value
  let textBytes = 0
  let depth = 0
  let deepest = 0
  let isExact = true
  /** The next value is the input of a Messages tool call, which the format converts to JSON text. */
  let isInput = false
  /** Depth of the input that the scan is in; 0: none. */
  let inputDepth = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) {
      const from = at + 1
      at = endOfString(bytes, words, from)
      if (bytes[nextToken(bytes, at + 1)] === COLON) {
        weight += WEIGHT.member
        if (isNewName(bytes, from, at)) newNames++
        if (mayBeIndex(bytes, from, at)) {
          values += INEXACT_VALUES
          isExact = false
        }
        isInput = depth > 1 && inputDepth === 0 && isNamedInput(bytes, from, at)
      } else {
        weight += WEIGHT.string
        if (at - from >= shortest && !isInput && inputDepth === 0) texts.push({ from, to: at })
        else textBytes += at - from
      }
    } else if (byte === COMMA) {
      values++
      weight += WEIGHT.value
      isInput = false
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      values++
      weight += byte === OPEN_BRACE ? WEIGHT.object : WEIGHT.array
      deepest = Math.max(deepest, ++depth)
      if (isInput) inputDepth = depth
      isInput = false
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      if (depth === inputDepth) inputDepth = 0
      depth--
    } else if (byte === MINUS || isDigit(byte)) {
      const from = at
      while (isInNumber(bytes[at + 1])) at++
      if (depth > 1 && !isExactNumber(bytes, from, at + 1)) {
        values += INEXACT_VALUES
        weight += WEIGHT.number
        isExact = false
      }
    }
    if (newNames > MAX_NEW_NAMES)
      fail('schema_validation_failed', { problem: 'The body has too many different names.' })
    if (values > MAX_VALUES || weight > MAX_WEIGHT)
      fail('schema_validation_failed', { problem: 'The body holds too many JSON values.' })
  }
  return { values, weight: weight + textBytes, depth: deepest, isExact, texts }
}

/** Index of the first byte at or after `at` that is not whitespace. */
function nextToken(bytes: Buffer, at: number): number {
  let next = at
  while (isBlank(bytes[next])) next++
  return next
}

function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= ZERO && byte <= NINE
}

/** Whether the byte may be part of a number: a digit, a sign, a point or an exponent. */
function isInNumber(byte: number | undefined): boolean {
  return isDigit(byte) || byte === POINT || byte === MINUS || byte === PLUS || byte === 0x65 || byte === 0x45
}

/** Digits that every double keeps. */
const MAX_EXACT_DIGITS = 15

/** Whether the number has the same text after JSON.parse and JSON.stringify. */
function isExactNumber(bytes: Buffer, from: number, to: number): boolean {
  let digits = from
  while (isDigit(bytes[digits])) digits++
  if (digits === to && to - from <= MAX_EXACT_DIGITS) return true
  const text = bytes.toString('latin1', from, to)
  return String(Number(text)) === text
}

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
function endOfString(bytes: Buffer, words: Int32Array, from: number): number {
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
