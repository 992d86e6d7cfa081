/** Server-sent events: an incremental parser, and their text. Source: WHATWG HTML, "Interpreting an event stream". */

/** An event exceeded the limit. All events before it have been delivered. */
export class SseTooLargeError extends Error {
  override readonly name = 'SseTooLargeError'
}

export interface SseDecoderOptions {
  /** Most bytes that may be kept of an incomplete event. Defaults to 32 MiB. */
  readonly maxEventBytes?: number
}

/** `event` is undefined for events without a name. Data lines of one event are joined by line feeds. */
export type OnEvent = (data: string, event: string | undefined) => void

const LF = 10
const CR = 13
const MAX_EVENT_BYTES = 32 * 1024 * 1024
/** Memory of a kept piece beyond its bytes. Counted, so that many tiny pieces cannot exceed the limit. */
const PIECE_BYTES = 64

/**
 * Push parser for LF, CR and CRLF, comments, several data lines and a byte order mark. `id` and `retry` are
 * skipped: there is no reconnection. Only whole lines are decoded, because a line break is never part of a longer UTF-8
 * character.
 */
export class SseDecoder {
  readonly #onEvent: OnEvent
  readonly #maxEventBytes: number
  /** Pieces of the incomplete line, joined once it is complete. */
  #pieces: Buffer[] = []
  #pieceBytes = 0
  /** Data lines of the incomplete event. */
  #lines: string[] = []
  #lineBytes = 0
  #event: string | undefined = undefined
  #atStart = true
  /** The last byte was a CR: a LF that follows belongs to the same line break. */
  #afterCr = false
  /** end() was called inside an event. */
  #truncated = false

  constructor(onEvent: OnEvent, options: SseDecoderOptions = {}) {
    this.#onEvent = onEvent
    this.#maxEventBytes = options.maxEventBytes ?? MAX_EVENT_BYTES
  }

  /** True while an event is incomplete. After end(): the stream ended inside an event. */
  get pending(): boolean {
    return this.#truncated || this.#pieces.length > 0 || this.#lines.length > 0 || this.#event !== undefined
  }

  /** Parses further bytes. Throws SseTooLargeError, and what the callback throws. */
  feed(chunk: Buffer): void {
    if (chunk.length === 0) return
    const end = lastBreak(chunk) + 1
    if (end > 0) this.#parse(this.#take(end === chunk.length ? chunk : chunk.subarray(0, end)))
    // A view would keep the whole read in memory, 64 KB, until the event is complete.
    if (end < chunk.length) this.#keep(end === 0 ? chunk : Buffer.from(chunk.subarray(end)))
    if (this.#pieceBytes + this.#lineBytes > this.#maxEventBytes) {
      throw new SseTooLargeError(`An event is larger than ${this.#maxEventBytes} bytes.`)
    }
  }

  /** Ends the stream. An event without its blank line is dropped, as the standard demands; `pending` is then true. */
  end(): void {
    this.#truncated = this.pending
    this.#pieces = []
    this.#lines = []
    this.#event = undefined
  }

  #keep(piece: Buffer): void {
    this.#pieces.push(piece)
    this.#pieceBytes += piece.length + PIECE_BYTES
  }

  /** The kept pieces and these bytes as text. */
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
      // The usual event, one data line and a blank one, is delivered at once.
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

/** Index of the last LF or CR, or -1. Most reads end with one. */
function lastBreak(chunk: Buffer): number {
  const last = chunk.length - 1
  if (chunk[last] === LF) return last
  return Math.max(chunk.lastIndexOf(LF), chunk.lastIndexOf(CR))
}

/** Keep-alive comment: sent on a silent stream, so that proxies keep it open. Clients ignore comments. */
export const COMMENT_KEEP_ALIVE = ': keep-alive\n\n'

/** One server-sent event as text. Neither argument may contain a line break; JSON text has none. */
export function frame(event: string | undefined, data: string): string {
  return event === undefined ? `data: ${data}\n\n` : `event: ${event}\ndata: ${data}\n\n`
}
