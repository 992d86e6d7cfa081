/** A stream of server-sent events, taken apart as its bytes arrive. Source: WHATWG HTML, "Interpreting an event stream". */

/** One event grew past the limit. What was read before it has been delivered. */
export class SseTooLargeError extends Error {
  override readonly name = 'SseTooLargeError'
}

export interface SseDecoderOptions {
  /** Most bytes that an unfinished event may hold. Defaults to 32 MiB. */
  readonly maxEventBytes?: number
}

/** `event` is undefined where the stream names none. Lines of one event are joined by a line feed. */
export type OnEvent = (data: string, event: string | undefined) => void

const LF = 10
const CR = 13
const MAX_EVENT_BYTES = 32 * 1024 * 1024
/** What keeping one more piece costs beyond its bytes: counted, so that crumbs cannot hold more than the limit says. */
const PIECE_BYTES = 64

/**
 * Push parser for LF, CR and CRLF, comments, several data lines and a byte order mark. `id` and `retry` mean nothing
 * here and are skipped. Only whole lines are decoded: no line break is ever part of a longer UTF-8 character.
 */
export class SseDecoder {
  readonly #onEvent: OnEvent
  readonly #maxEventBytes: number
  /** Pieces of the line that has no end yet; joined once, when it has. */
  #pieces: Buffer[] = []
  #pieceBytes = 0
  /** Data lines of the event that has no end yet. */
  #lines: string[] = []
  #lineBytes = 0
  #event: string | undefined = undefined
  #atStart = true
  /** The last byte was a CR: a LF right behind it belongs to the same line break. */
  #afterCr = false
  #torn = false

  constructor(onEvent: OnEvent, options: SseDecoderOptions = {}) {
    this.#onEvent = onEvent
    this.#maxEventBytes = options.maxEventBytes ?? MAX_EVENT_BYTES
  }

  /** True while an event has begun and not ended. After end(): the stream broke off inside an event. */
  get pending(): boolean {
    return this.#torn || this.#pieces.length > 0 || this.#lines.length > 0 || this.#event !== undefined
  }

  /** Throws SseTooLargeError; whatever the callback throws passes through. */
  feed(chunk: Buffer): void {
    if (chunk.length === 0) return
    const end = lastBreak(chunk) + 1
    if (end > 0) this.#parse(this.#take(end === chunk.length ? chunk : chunk.subarray(0, end)))
    if (end < chunk.length) this.#keep(end === 0 ? chunk : chunk.subarray(end))
    if (this.#pieceBytes + this.#lineBytes > this.#maxEventBytes) {
      throw new SseTooLargeError(`An event is larger than ${this.#maxEventBytes} bytes.`)
    }
  }

  /** The stream is over. An event without its blank line is dropped, as the standard wants; `pending` tells. */
  end(): void {
    this.#torn = this.pending
    this.#pieces = []
    this.#lines = []
    this.#event = undefined
  }

  #keep(piece: Buffer): void {
    this.#pieces.push(piece)
    this.#pieceBytes += piece.length + PIECE_BYTES
  }

  /** The text of everything up to a line break. */
  #take(lines: Buffer): string {
    let bytes = lines
    if (this.#pieces.length > 0) {
      this.#pieces.push(lines)
      bytes = Buffer.concat(this.#pieces)
      this.#pieces = []
      this.#pieceBytes = 0
    }
    const text = bytes.toString()
    if (!this.#atStart) return text
    this.#atStart = false
    return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
  }

  /** `text` ends with a line break. */
  #parse(text: string): void {
    const lines = this.#afterCr || text.indexOf('\r') !== -1 ? this.#withLineFeeds(text) : text
    let at = 0
    while (at < lines.length) {
      const end = lines.indexOf('\n', at)
      // The usual event, one data line and a blank one, is delivered without being kept.
      if (lines.charCodeAt(end + 1) === LF && this.#lines.length === 0 && lines.startsWith('data: ', at)) {
        const event = this.#event
        this.#event = undefined
        this.#onEvent(lines.slice(at + 6, end), event)
        at = end + 2
      } else {
        if (end === at) this.#dispatch()
        else this.#line(lines.slice(at, end))
        at = end + 1
      }
    }
  }

  #withLineFeeds(text: string): string {
    const rest = this.#afterCr && text.charCodeAt(0) === LF ? text.slice(1) : text
    this.#afterCr = text.charCodeAt(text.length - 1) === CR
    return rest.replace(/\r\n?/g, '\n')
  }

  #line(line: string): void {
    const colon = line.indexOf(':')
    const field = colon === -1 ? line : line.slice(0, colon)
    if (field !== 'data' && field !== 'event') return
    const value = colon === -1 ? '' : line.slice(line.charCodeAt(colon + 1) === 32 ? colon + 2 : colon + 1)
    if (field === 'event') {
      this.#event = value === '' ? undefined : value
    } else {
      this.#lines.push(value)
      this.#lineBytes += value.length + PIECE_BYTES
    }
  }

  #dispatch(): void {
    const event = this.#event
    this.#event = undefined
    if (this.#lines.length === 0) return
    const data = this.#lines.join('\n')
    this.#lines = []
    this.#lineBytes = 0
    this.#onEvent(data, event)
  }
}

/** Index of the last LF or CR; -1 when there is none. Most reads end with one. */
function lastBreak(chunk: Buffer): number {
  const last = chunk.length - 1
  if (chunk[last] === LF) return last
  return Math.max(chunk.lastIndexOf(LF), chunk.lastIndexOf(CR))
}
