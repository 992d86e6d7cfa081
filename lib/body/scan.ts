import { fail } from '../errors.ts'
import { KEEP_START, markOf } from './detach.ts'
import { Gathering } from './gather.ts'
import { NOT_JSON, NOT_UTF8 } from './parse.ts'
import { Place } from './place.ts'
import { Utf8Check } from './utf8.ts'

/** Longer names are none that matter here. */
const LONGEST_NAME = 32

/** Smaller parts of a text are copied together: an object for each byte would be a hundred times its size. */
const SMALL_PART = 1024

const QUOTE = 0x22
const COMMA = 0x2c
const OPEN_BRACKET = 0x5b
const BACKSLASH = 0x5c
const CLOSE_BRACKET = 0x5d
const LOWER_U = 0x75
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
const SPACE = 0x20

/** What may stand behind a backslash, but for `u` (RFC 8259 section 7). */
const ESCAPED: ReadonlySet<number> = new Set(Buffer.from('"\\/bfnrt'))

/** Begins the second escape of a character that needs two. */
const LOW_HALF = /^\\u[Dd][C-Fc-f]/

const HEX = /^[0-9A-Fa-f]{4}$/

/**
 * Takes the long texts out of a large body while it arrives, so that what is left can be parsed at once: a mark stands
 * where each of them was (detach.ts tells about marks), and its bytes go on to the backend as they came. One pass does
 * it, a millisecond for a megabyte, spread over the pieces. What it takes out has been checked to be JSON's inside of a
 * string; what it leaves, whoever parses it checks.
 */
export class BodyScanner {
  readonly detached: Buffer[][] = []
  readonly #mark: string
  readonly #left = new Gathering(0)
  readonly #place = new Place()
  readonly #utf8 = new Utf8Check()
  #state: 'between' | 'string' | 'text' = 'between'
  /** The start of something that cannot be judged before more of it has come: a kilobyte or so at most. */
  #carried: Buffer | null = null
  /** In a string that stays: how many bytes of the next piece belong to an escape. */
  #escaped = 0

  constructor(mark: string) {
    this.#mark = mark
  }

  /** Throws the GatewayError where this cannot become a body. */
  feed(piece: Buffer): void {
    if (!this.#utf8.feed(piece)) fail('invalid_json_request', { problem: NOT_UTF8 })
    const bytes = this.#carried === null ? piece : Buffer.concat([this.#carried, piece])
    this.#carried = null
    if (this.#state === 'text') this.#goOnInText(bytes)
    else if (this.#state === 'string') this.#goOnInString(bytes)
    else this.#between(bytes, 0, 0)
  }

  /** What is left of the body, with marks. */
  end(): Buffer {
    if (!this.#utf8.ended) fail('invalid_json_request', { problem: NOT_UTF8 })
    if (this.#carried !== null) this.#left.add(this.#carried)
    return this.#left.bytes()
  }

  /** `at`: where structure goes on; `start`: where what stays begins, which has not been passed on yet. */
  #between(bytes: Buffer, start: number, at: number): void {
    const place = this.#place
    let from = start
    for (let i = at; i < bytes.length; i++) {
      const byte = bytes[i]!
      if (byte === QUOTE) {
        const shortest = place.shortest()
        const end = shortest === 0 ? endOfString(bytes, i + 1) : endOfText(bytes, i + 1)
        const ended = bytes[end] === QUOTE
        if (shortest > 0 && end - i > shortest) {
          from = this.#takeOut(bytes, from, i + 1, end)
          if (!ended) return
        } else if (!ended) {
          return shortest > 0 ? this.#carry(bytes, from, i) : this.#leave(bytes, from, i, end)
        } else if (place.nameNext) {
          place.named(end - i <= LONGEST_NAME ? bytes.toString('latin1', i + 1, end) : '')
        }
        i = end
      } else if (byte === COMMA) place.comma()
      else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) place.open(byte === OPEN_BRACE)
      else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) place.close()
    }
    this.#left.add(bytes.subarray(from))
  }

  /** A text from `first` to `end`, long enough to be taken out. Answers where what stays goes on. */
  #takeOut(bytes: Buffer, from: number, first: number, end: number): number {
    const cut = behindStart(bytes, first)
    this.#left.add(bytes.subarray(from, cut))
    this.#left.add(Buffer.from(markOf(this.#mark, this.detached.length)))
    this.detached.push([bytes.subarray(cut, end)])
    if (bytes[end] !== QUOTE) this.#awaitText(bytes, end)
    return end
  }

  #goOnInText(bytes: Buffer): void {
    const end = endOfText(bytes, 0)
    append(this.detached.at(-1)!, bytes.subarray(0, end))
    if (bytes[end] !== QUOTE) return this.#awaitText(bytes, end)
    this.#state = 'between'
    this.#between(bytes, end, end + 1)
  }

  #awaitText(bytes: Buffer, end: number): void {
    this.#state = 'text'
    if (end < bytes.length) this.#carried = bytes.subarray(end)
  }

  /** A string that stays and has not ended. */
  #leave(bytes: Buffer, from: number, quote: number, end: number): void {
    if (this.#place.nameNext) {
      if (bytes.length - quote <= LONGEST_NAME) return this.#carry(bytes, from, quote)
      this.#place.named('')
    }
    this.#state = 'string'
    this.#escaped = end - bytes.length
    this.#left.add(bytes.subarray(from))
  }

  #goOnInString(bytes: Buffer): void {
    const end = endOfString(bytes, this.#escaped)
    if (end < bytes.length) {
      this.#state = 'between'
      return this.#between(bytes, 0, end + 1)
    }
    this.#escaped = end - bytes.length
    this.#left.add(bytes)
  }

  #carry(bytes: Buffer, from: number, at: number): void {
    this.#left.add(bytes.subarray(from, at))
    this.#carried = bytes.subarray(at)
  }
}

/** Where the string ends, if it ends here; else the length of the bytes, or one more where the last one is a backslash. */
function endOfString(bytes: Buffer, first: number): number {
  let i = first
  for (; i < bytes.length; i++) {
    const byte = bytes[i]
    if (byte === QUOTE) return i
    if (byte === BACKSLASH) i++
  }
  return i
}

/** The same for one that is looked at closely: what has not come whole begins where it ends. */
function endOfText(bytes: Buffer, first: number): number {
  const { length } = bytes
  let i = first
  for (;;) {
    while (i < length && bytes[i]! !== QUOTE && bytes[i]! !== BACKSLASH && bytes[i]! >= SPACE) i++
    if (i >= length || bytes[i] === QUOTE) return i
    if (bytes[i] !== BACKSLASH) fail('invalid_json_request', { problem: NOT_JSON })
    const size = escapeLength(bytes, i)
    if (i + size > length) return i
    if (size === 2 ? !ESCAPED.has(bytes[i + 1]!) : !HEX.test(bytes.toString('latin1', i + 2, i + 6)))
      fail('invalid_json_request', { problem: NOT_JSON })
    i += size
  }
}

function escapeLength(bytes: Buffer, at: number): 2 | 6 {
  return bytes[at + 1] === LOWER_U ? 6 : 2
}

/** Behind the first characters of a text, which stay: never inside an escape, a character, or a pair of surrogates. */
function behindStart(bytes: Buffer, first: number): number {
  const least = first + KEEP_START
  let i = first
  while (i < least || (bytes[i]! & 0xc0) === 0x80) i += bytes[i] === BACKSLASH ? escapeLength(bytes, i) : 1
  return LOW_HALF.test(bytes.toString('latin1', i, i + 4)) ? i + 6 : i
}

/** Adds to a text. */
function append(text: Buffer[], part: Buffer): void {
  const last = text.at(-1)!
  if (part.length >= SMALL_PART || last.length >= SMALL_PART) text.push(part)
  else text[text.length - 1] = Buffer.concat([last, part])
}
