/** Server-sent events: an incremental parser and an encoder. Source: WHATWG HTML, "Interpreting an event stream". */

/** An event exceeds the limit. All events before it were delivered. */
export class SseTooLargeError extends Error {
  override readonly name = 'SseTooLargeError'
}

interface SseDecoderOptions {
  /** Maximum size of an incomplete event in bytes. Default: 32 MiB. */
  readonly maxEventBytes?: number
}

/** `data`: the data lines of the event, joined by line feeds. `event`: its name; undefined if it has none. */
export type OnEvent = (data: string, event: string | undefined) => void

const LF = 10
const CR = 13
const MAX_EVENT_BYTES = 32 * 1024 * 1024
/** Memory of a kept piece in addition to its bytes. It counts, so that many tiny pieces cannot exceed the limit. */
const PIECE_OVERHEAD_BYTES = 64

/** Push parser. Skips `id` and `retry`: the gateway does not reconnect. Decodes whole lines, so UTF-8 never splits. */
export class SseDecoder {
  readonly #onEvent: OnEvent
  readonly #maxEventBytes: number
  #pieces: Buffer[] = []
  #pieceBytes = 0
  #lines: string[] = []
  #lineBytes = 0
  #event: string | undefined = undefined
  #atStart = true
  /** The last byte was a CR. An LF that follows belongs to the same line break. */
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

  /** Parses further bytes. Throws SseTooLargeError and errors of the callback. */
  feed(chunk: Buffer): void {
    if (chunk.length === 0) return
    const end = lastBreak(chunk) + 1
    if (end > 0) this.#parse(this.#take(end === chunk.length ? chunk : chunk.subarray(0, end)))
    // A view would keep the whole read of 64 KB in memory until the event is complete.
    if (end < chunk.length) this.#keep(end === 0 ? chunk : Buffer.from(chunk.subarray(end)))
    if (this.#pieceBytes + this.#lineBytes > this.#maxEventBytes) {
      throw new SseTooLargeError(`An event is larger than ${this.#maxEventBytes} bytes.`)
    }
  }

  /** Ends the stream. Drops an event without its blank line, as the standard requires. `pending` is then true. */
  end(): void {
    this.#truncated = this.pending
    this.#pieces = []
    this.#lines = []
    this.#event = undefined
  }

  #keep(piece: Buffer): void {
    this.#pieces.push(piece)
    this.#pieceBytes += piece.length + PIECE_OVERHEAD_BYTES
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
      // Fast path for the usual event: one data line and a blank line.
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
      this.#lineBytes += value.length + PIECE_OVERHEAD_BYTES
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

/** Index of the last LF or CR, or -1. Most reads end with a line break. */
function lastBreak(chunk: Buffer): number {
  const last = chunk.length - 1
  if (chunk[last] === LF) return last
  return Math.max(chunk.lastIndexOf(LF), chunk.lastIndexOf(CR))
}

/** Comment on a silent stream, so that proxies keep it open. Clients ignore comments. */
export const COMMENT_KEEP_ALIVE = ': keep-alive\n\n'

/** One server-sent event as text. Neither argument may contain a line break. JSON text contains none. */
export function frame(event: string | undefined, data: string): string {
  return event === undefined ? `data: ${data}\n\n` : `event: ${event}\ndata: ${data}\n\n`
}
