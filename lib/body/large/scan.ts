import { fail } from '../../errors/errors.ts'
import { LONGEST_NAME, NAME_TOO_LONG, NOT_UTF8 } from '../json-limits.ts'
import type { ReadBody } from '../request-body.ts'
import { Builder } from './builder.ts'
import { Position, SHORTEST, type ShortestTexts } from './position.ts'
import { behindStart, endOfString, endOfText } from './strings.ts'
import { DetachedTexts } from './texts.ts'
import { Utf8Check } from './utf8.ts'

export interface ScanOptions {
  /** False: texts stay in the body, on routes whose hooks read all of them. */
  readonly detaches: boolean
  readonly shortest?: ShortestTexts
  /**
   * Bytes of each detached text that stay in front of its placeholder: enough for `data:image/png;base64,` and for a first
   * line that a format removes. 0, or well below the shortest texts: a text must be longer than what stays.
   */
  readonly keep?: number
  /** Bytes of a string outside of the conversation that stay where they are. */
  readonly keptElsewhere?: number
  /** Bytes that are parsed at a time. */
  readonly sliceBytes?: number
}

const KEEP_BYTES = 128

/** What stays in the heap of a detached text: its start, its placeholder, and what finds its bytes. */
const DETACHED_WEIGHT = 256

/** Longer member names are not looked at. A container below one is built when all of it has arrived. */
const LONGEST_SEEN_NAME = 256

/**
 * A string elsewhere than in a conversation is detached from here on, in bytes: longer than anything that a schema compares, 1000
 * characters, so what is left of it is refused just as the whole would be. Of 256 KB each, strings were what a collection of the
 * whole heap took longest to free.
 */
const KEPT_ELSEWHERE = 32 * 1024

/** Parsed in a millisecond or two, unless its values weigh much more than its bytes. */
const SLICE_BYTES = 128 * 1024
/** Weight of the values that are parsed at a time. */
const SLICE_WEIGHT = 512 * 1024

const QUOTE = 0x22
const COMMA = 0x2c
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d

/**
 * Reads a large body while it arrives. Long texts are detached: a placeholder replaces each of them (texts.ts), and its bytes
 * are sent to the backend as they came. Their escapes and characters are checked here. Everything else is parsed slice by
 * slice.
 */
export class BodyScanner {
  readonly #detaches: boolean
  readonly #keep: number
  readonly #sliceBytes: number
  readonly #keptElsewhere: number
  readonly #texts = new DetachedTexts()
  readonly #position: Position
  readonly #builder: Builder
  readonly #utf8 = new Utf8Check()
  #size = 0
  #state: 'between' | 'string' | 'text' = 'between'
  /** The start of a string that cannot be handled before more of it has arrived: some kilobytes at most. */
  #carried: Buffer | null = null
  /** The string that has not ended is a member's name. */
  #isName = false
  /** The current string is not detached, however long. */
  #isKept = false
  /** Bytes so far of a string that has not ended. */
  #length = 0
  /** Weight of what has been parsed. */
  #parsed = 0

  constructor(options: ScanOptions) {
    const { detaches, shortest = SHORTEST, keep = KEEP_BYTES, sliceBytes = SLICE_BYTES } = options
    this.#detaches = detaches
    this.#keptElsewhere = options.keptElsewhere ?? KEPT_ELSEWHERE
    this.#keep = keep
    this.#sliceBytes = sliceBytes
    this.#position = new Position(shortest)
    this.#builder = new Builder(this.#position, this.#texts.token)
  }

  /** Bytes of heap that the values so far take, about. */
  get weight(): number {
    return this.#position.weight
  }

  /** Throws the refusal of what cannot be a body. */
  feed(piece: Buffer): void {
    this.#size += piece.length
    if (!this.#utf8.feed(piece)) fail('invalid_json_request', { problem: NOT_UTF8 })
    const bytes = this.#carried === null ? piece : Buffer.concat([this.#carried, piece])
    this.#carried = null
    if (this.#state === 'text') this.#continueText(bytes)
    else if (this.#state === 'string') this.#continueString(bytes)
    else this.#between(bytes, 0, 0)
  }

  end(): ReadBody {
    if (!this.#utf8.ended) fail('invalid_json_request', { problem: NOT_UTF8 })
    if (this.#carried !== null) this.#builder.copy(this.#carried, 0, this.#carried.length)
    const large = { texts: this.#texts, values: this.#position.values }
    return { value: this.#builder.end(), size: this.#size, weight: this.weight, large }
  }

  /** `at`: where structure continues; `start`: first byte that the builder has not been given. */
  #between(bytes: Buffer, start: number, at: number): void {
    const position = this.#position
    const builder = this.#builder
    let from = start
    for (let i = at; i < bytes.length; i++) {
      const byte = bytes[i]!
      if (byte === QUOTE) {
        const shortest = this.#detaches ? position.shortest() : 0
        const end = shortest === 0 ? endOfString(bytes, i + 1) : endOfText(bytes, i + 1)
        const ended = bytes[end] === QUOTE
        if (shortest > 0 && end - i > shortest) {
          from = this.#detach(bytes, from, i + 1, end)
          if (!ended) return
        } else if (!ended) {
          return shortest > 0 ? this.#carry(bytes, from, i) : this.#leave(bytes, from, i)
        } else if (position.nameNext) {
          position.named(end - i <= LONGEST_SEEN_NAME ? bytes.toString('latin1', i + 1, end) : '')
        } else {
          position.text(end - i)
        }
        i = end
      } else if (byte === COMMA) {
        if (builder.waiting + i - from >= this.#sliceBytes || position.weight - this.#parsed >= SLICE_WEIGHT) {
          builder.copy(bytes, from, i)
          builder.beforeComma()
          from = i
          this.#parsed = position.weight
        }
        position.comma()
      } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
        position.open(byte === OPEN_BRACE)
      } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
        if (builder.built === position.depth) {
          builder.copy(bytes, from, i + 1)
          builder.afterClose()
          from = i + 1
        }
        position.close()
      }
    }
    builder.copy(bytes, from, bytes.length)
  }

  // ------------------------------------------------------------ detached texts

  /** Detaches the text from `first` to `end`. Returns the first byte that belongs to the builder again. */
  #detach(bytes: Buffer, from: number, first: number, end: number): number {
    const cut = behindStart(bytes, first, this.#keep, end)
    this.#builder.copy(bytes, from, cut)
    this.#builder.write(this.#texts.placeholder(this.#texts.count))
    this.#position.text(DETACHED_WEIGHT)
    this.#texts.begin(bytes, cut, end, this.#position.isEscapedTwice)
    if (bytes[end] !== QUOTE) this.#awaitText(bytes, end)
    return end
  }

  #continueText(bytes: Buffer): void {
    const end = endOfText(bytes, 0)
    this.#texts.append(bytes, 0, end)
    if (bytes[end] !== QUOTE) return this.#awaitText(bytes, end)
    this.#state = 'between'
    this.#between(bytes, end, end + 1)
  }

  #awaitText(bytes: Buffer, end: number): void {
    this.#state = 'text'
    if (end < bytes.length) this.#carried = bytes.subarray(end)
  }

  // ------------------------------------------------------------ other strings

  /** A string that has not ended. */
  #leave(bytes: Buffer, from: number, quote: number): void {
    this.#isName = this.#position.nameNext
    this.#isKept = !this.#detaches || this.#isName || this.#position.isInput
    if (this.#isName) {
      if (bytes.length - quote <= LONGEST_SEEN_NAME) return this.#carry(bytes, from, quote)
      this.#position.named('')
    } else {
      this.#position.text(0)
    }
    this.#length = 0
    this.#state = 'string'
    this.#builder.copy(bytes, from, quote + 1)
    this.#awaitString(bytes, quote + 1, endOfText(bytes, quote + 1))
  }

  #continueString(bytes: Buffer): void {
    const end = endOfText(bytes, 0)
    const cut = this.#isKept || this.#length < this.#keptElsewhere ? end : behindStart(bytes, 0, 0, end)
    const ended = bytes[end] === QUOTE
    if (cut < end) {
      this.#keepString(bytes, 0, cut)
      this.#builder.write(this.#texts.placeholder(this.#texts.count))
      this.#position.moreText(DETACHED_WEIGHT)
      this.#texts.isElsewhere = true
      this.#texts.begin(bytes, cut, end)
      if (!ended) return this.#awaitText(bytes, end)
    } else if (!ended) return this.#awaitString(bytes, 0, end)
    else this.#keepString(bytes, 0, end)
    this.#state = 'between'
    this.#between(bytes, end, end + 1)
  }

  /** A part without the end of the string. The beginning of an escape waits for its rest. */
  #awaitString(bytes: Buffer, from: number, end: number): void {
    this.#keepString(bytes, from, end)
    if (end < bytes.length) this.#carried = bytes.subarray(end)
  }

  #keepString(bytes: Buffer, from: number, end: number): void {
    this.#builder.copy(bytes, from, end)
    this.#length += end - from
    this.#position.moreText(end - from)
    if (this.#isName && this.#length > LONGEST_NAME) fail('schema_validation_failed', { problem: NAME_TOO_LONG })
  }

  #carry(bytes: Buffer, from: number, at: number): void {
    this.#builder.copy(bytes, from, at)
    this.#carried = bytes.subarray(at)
  }
}
