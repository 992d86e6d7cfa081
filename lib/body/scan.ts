import { fail } from '../errors.ts'
import { KEEP_START, markOf } from './detach.ts'
import { Growing } from './growing.ts'
import { NOT_UTF8 } from './parse.ts'
import { Place } from './place.ts'
import type { RawBody, RawList } from './raw.ts'
import { SLICE_CHARACTERS } from './slices.ts'
import { behindStart, endOfString, endOfText } from './strings.ts'
import { DetachedTexts } from './texts.ts'
import { Utf8Check } from './utf8.ts'

/** Longer names are none that matter here. */
const LONGEST_NAME = 32

const QUOTE = 0x22
const COMMA = 0x2c
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d

/**
 * Takes the long texts out of a large body while it arrives, so that what is left can be parsed at once: a mark stands
 * where each of them was (detach.ts tells about marks), and its bytes go on to the backend as they came. The lists of
 * the conversation are kept apart, in slices that are parsed one at a time. What is taken out has been checked to be
 * JSON's inside of a string; what is left, whoever parses it checks.
 */
export class BodyScanner {
  readonly #mark: string
  readonly #texts = new DetachedTexts()
  readonly #lists: OpenList[] = []
  readonly #rest = new Growing()
  readonly #place = new Place()
  readonly #utf8 = new Utf8Check()
  /** What stays goes here: the rest, or a slice of a list. */
  #left = this.#rest
  #size = 0
  #state: 'between' | 'string' | 'text' = 'between'
  /** The start of something that cannot be judged before more of it has come: some kilobytes at most. */
  #carried: Buffer | null = null
  /** In a string that stays: how many bytes of the next piece belong to an escape. */
  #escaped = 0

  constructor(mark: string) {
    this.#mark = mark
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

  end(): RawBody {
    if (!this.#utf8.ended) fail('invalid_json_request', { problem: NOT_UTF8 })
    if (this.#carried !== null) this.#left.copy(this.#carried, 0, this.#carried.length)
    return {
      rest: this.#rest.end(),
      lists: this.#lists,
      detached: this.#texts,
      values: this.#place.values,
      size: this.#size,
    }
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
      } else if (byte === COMMA) {
        place.comma()
        if (place.inList && this.#left.length + i - from >= SLICE_CHARACTERS) from = this.#endSlice(bytes, from, i) + 1
      } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
        place.open(byte === OPEN_BRACE)
        if (place.inList) from = this.#beginList(bytes, from, i + 1)
      } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
        if (place.inList) from = this.#endList(bytes, from, i)
        place.close()
      }
    }
    this.#left.copy(bytes, from, bytes.length)
  }

  // ------------------------------------------------------------ lists

  #beginList(bytes: Buffer, from: number, at: number): number {
    this.#left.copy(bytes, from, at)
    this.#lists.push({ name: this.#place.listName, at: this.#rest.length, slices: [] })
    this.#beginSlice()
    return at
  }

  #beginSlice(): void {
    this.#left = new Growing()
    this.#left.write('[')
  }

  /** Answers where it ended. */
  #endSlice(bytes: Buffer, from: number, at: number): number {
    this.#closeSlice(bytes, from, at)
    this.#beginSlice()
    return at
  }

  #closeSlice(bytes: Buffer, from: number, at: number): void {
    this.#left.copy(bytes, from, at)
    this.#left.write(']')
    this.#lists.at(-1)!.slices.push(this.#left.end())
  }

  #endList(bytes: Buffer, from: number, at: number): number {
    this.#closeSlice(bytes, from, at)
    this.#left = this.#rest
    return at
  }

  // ------------------------------------------------------------ texts that are taken out

  /** A text from `first` to `end`, long enough to be taken out. Answers where what stays goes on. */
  #takeOut(bytes: Buffer, from: number, first: number, end: number): number {
    const cut = behindStart(bytes, first, KEEP_START)
    this.#left.copy(bytes, from, cut)
    this.#left.write(markOf(this.#mark, this.#texts.count))
    this.#texts.begin(bytes, cut, end)
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
    this.#left.copy(bytes, from, bytes.length)
  }

  #goOnInString(bytes: Buffer): void {
    const end = endOfString(bytes, this.#escaped)
    if (end < bytes.length) {
      this.#state = 'between'
      return this.#between(bytes, 0, end + 1)
    }
    this.#escaped = end - bytes.length
    this.#left.copy(bytes, 0, bytes.length)
  }

  #carry(bytes: Buffer, from: number, at: number): void {
    this.#left.copy(bytes, from, at)
    this.#carried = bytes.subarray(at)
  }
}

interface OpenList extends RawList {
  readonly slices: Buffer[]
}
