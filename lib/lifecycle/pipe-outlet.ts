import { discardBody, isUnread } from '../body/index.ts'
import type { Sink } from '../canonical/reply.ts'
import type { Exchange } from '../core/exchange.ts'
import type { Ending } from '../core/hooks.ts'
import { pipe } from '../core/slots.ts'
import { type ClientOutlet, UNBUFFERED, WritingOutlet } from './client-outlet.ts'
import { endResponse, refusal } from './respond.ts'

/** Content type of a reply for which the backend named none. */
const UNKNOWN_TYPE = 'application/octet-stream'

/** The client's end of a byte pipe. */
export class PipeOutlet extends WritingOutlet implements ClientOutlet, Sink {
  readonly isStream = false
  #waiting: Buffer[] = []
  #bytes = 0
  /** Bytes that the backend has not sent yet; NaN: the length of its reply is unknown. */
  #missing = Number.NaN

  constructor(exchange: Exchange) {
    super(exchange)
    exchange.streaming = exchange.find(pipe)?.body.stream === true
  }

  /** `length`: the backend's Content-Length. With it, Node writes the bytes without chunked framing. */
  open(mediaType = UNKNOWN_TYPE, length?: number): Sink {
    const headers = ['content-type', mediaType]
    if (/^text\/event-stream\b/i.test(mediaType)) headers.push(...UNBUFFERED)
    if (length === undefined) return this.begin(this, headers)
    this.#missing = length
    return this.begin(this, [...headers, 'content-length', String(length)])
  }

  bytes(chunk: Buffer): void {
    this.#waiting.push(chunk)
    this.#bytes += chunk.length
    this.#missing -= chunk.length
  }

  /** 0 after the end and after the last byte: sendLast() writes the rest, after the finish hooks. */
  get waiting(): number {
    return this.ended || this.#missing === 0 ? 0 : this.#bytes
  }

  flush(): boolean {
    return this.res.write(this.#take())
  }

  #take(): Buffer {
    const waiting = this.#waiting
    this.#waiting = []
    this.#bytes = 0
    return waiting.length === 1 ? waiting[0]! : Buffer.concat(waiting)
  }

  /** The only chunk of a byte pipe is for transformers: it has the usage, which the client gets in the bytes. */
  chunk(): void {}

  end(): void {
    this.ended = true
  }

  comment(): void {}

  ending(): Ending {
    return this.error !== undefined && !this.committed ? refusal(this.exchange, this.error) : this
  }

  onFlush(): void {
    // Bytes cannot carry an error. The closed connection shows the client that the response is incomplete.
    if (this.error !== undefined) return void this.res.destroy()
    const rest = this.#take()
    if (!isUnread(this.exchange.req)) return endResponse(this.exchange, rest)
    // The backend has replied before the end of the upload.
    this.res.write(rest)
    discardBody(this.exchange.req, () => endResponse(this.exchange))
  }
}
