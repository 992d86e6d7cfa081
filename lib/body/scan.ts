import { fail } from '../errors/errors.ts'
import { Builder } from './builder.ts'
import { KEEP_START, markOf } from './detach.ts'
import type { ReadBody } from './parse.ts'
import { NOT_UTF8 } from './parse.ts'
import { Place } from './place.ts'
import { behindStart, endOfString, endOfText } from './strings.ts'
import { DetachedTexts } from './texts.ts'
import { Utf8Check } from './utf8.ts'

/** Longer names are none that matter here, and in what they hold nothing is built before all of it has come. */
const LONGEST_NAME = 256

/** So much is parsed at a time, in a millisecond or two. */
const SLICE_BYTES = 128 * 1024

const QUOTE = 0x22
const COMMA = 0x2c
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d

/**
 * Reads a large body while it arrives. Long texts are taken out: a mark stands where each of them was (detach.ts tells
 * about marks), and its bytes go on to the backend as they came. They have been checked to be JSON's inside of a string.
 * All else is handed to a parser, slice by slice.
 */
export class BodyScanner {
  readonly #mark: string
  readonly #takesOut: boolean
  readonly #sliceBytes: number
  readonly #texts = new DetachedTexts()
  readonly #place = new Place()
  readonly #builder: Builder
  readonly #utf8 = new Utf8Check()
  #size = 0
  #state: 'between' | 'string' | 'text' = 'between'
  /** The start of something that cannot be judged before more of it has come: some kilobytes at most. */
  #carried: Buffer | null = null
  /** In a string that stays: how many bytes of the next piece belong to an escape. */
  #escaped = 0

  constructor(mark: string, takesOut: boolean, sliceBytes = SLICE_BYTES) {
    this.#mark = mark
    this.#takesOut = takesOut
    this.#sliceBytes = sliceBytes
    this.#builder = new Builder(this.#place, mark)
  }

  /** Throws the GatewayError where this cannot become a body. */
  feed(piece: Buffer): void {
    this.#size += piece.length
    if (!this.#utf8.feed(piece)) fail('invalid_json_request', { problem: NOT_UTF8 })
    const bytes = this.#carried === null ? piece : Buffer.concat([this.#carried, piece])
    this.#carried = null
    if (this.#state === 'text') this.#goOnInText(bytes)
    else if (this.#state === 'string') this.#goOnInString(bytes)
    else this.#between(bytes, 0, 0)
  }

  end(): ReadBody {
    if (!this.#utf8.ended) fail('invalid_json_request', { problem: NOT_UTF8 })
    if (this.#carried !== null) this.#builder.copy(this.#carried, 0, this.#carried.length)
    return { value: this.#builder.end(), detached: this.#texts, values: this.#place.values, size: this.#size }
  }

  /** `at`: where structure goes on; `start`: where what stays begins, which has not been passed on yet. */
  #between(bytes: Buffer, start: number, at: number): void {
    const place = this.#place
    const builder = this.#builder
    let from = start
    for (let i = at; i < bytes.length; i++) {
      const byte = bytes[i]!
      if (byte === QUOTE) {
        const shortest = this.#takesOut ? place.shortest() : 0
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
      } else if (byte === COMMA) {
        if (builder.waiting + i - from >= this.#sliceBytes) {
          builder.copy(bytes, from, i)
          builder.beforeComma()
          from = i
        }
        place.comma()
      } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
        place.open(byte === OPEN_BRACE)
      } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
        if (builder.built === place.depth) {
          builder.copy(bytes, from, i + 1)
          builder.afterClose()
          from = i + 1
        }
        place.close()
      }
    }
    builder.copy(bytes, from, bytes.length)
  }

  // ------------------------------------------------------------ texts that are taken out

  /** A text from `first` to `end`, long enough to be taken out. Answers where what stays goes on. */
  #takeOut(bytes: Buffer, from: number, first: number, end: number): number {
    const cut = behindStart(bytes, first, KEEP_START)
    this.#builder.copy(bytes, from, cut)
    this.#builder.write(markOf(this.#mark, this.#texts.count))
    this.#texts.begin(bytes, cut, end, this.#place.isEscapedTwice)
    if (bytes[end] !== QUOTE) this.#awaitText(bytes, end)
    return end
  }

  #goOnInText(bytes: Buffer): void {
    const end = endOfText(bytes, 0)
    this.#texts.goOn(bytes, 0, end)
    if (bytes[end] !== QUOTE) return this.#awaitText(bytes, end)
    this.#state = 'between'
    this.#between(bytes, end, end + 1)
  }

  #awaitText(bytes: Buffer, end: number): void {
    this.#state = 'text'
    if (end < bytes.length) this.#carried = bytes.subarray(end)
  }

  // ------------------------------------------------------------ strings that stay

  /** One that has not ended. */
  #leave(bytes: Buffer, from: number, quote: number, end: number): void {
    if (this.#place.nameNext) {
      if (bytes.length - quote <= LONGEST_NAME) return this.#carry(bytes, from, quote)
      this.#place.named('')
    }
    this.#state = 'string'
    this.#escaped = end - bytes.length
    this.#builder.copy(bytes, from, bytes.length)
  }

  #goOnInString(bytes: Buffer): void {
    const end = endOfString(bytes, this.#escaped)
    if (end < bytes.length) {
      this.#state = 'between'
      return this.#between(bytes, 0, end + 1)
    }
    this.#escaped = end - bytes.length
    this.#builder.copy(bytes, 0, bytes.length)
  }

  #carry(bytes: Buffer, from: number, at: number): void {
    this.#builder.copy(bytes, from, at)
    this.#carried = bytes.subarray(at)
  }
}
