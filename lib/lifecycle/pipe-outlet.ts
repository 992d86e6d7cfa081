import { discardBody, isUnread } from '../body/index.ts'
import type { Sink } from '../canonical/reply.ts'
import type { Exchange } from '../core/exchange.ts'
import { pipe } from '../core/slots.ts'
import { type ClientOutlet, WritingOutlet } from './client-outlet.ts'
import { type Ending, endResponse, refusal } from './respond.ts'

/** The backend named none. */
const UNKNOWN_TYPE = 'application/octet-stream'

/** The client's end of a reply that passes as bytes. */
export class PipeOutlet extends WritingOutlet implements ClientOutlet, Sink {
  readonly isStream = false
  #waiting: Buffer[] = []
  #bytes = 0
  /** Bytes that the backend still has to send; NaN: it has not said how many. */
  #missing = Number.NaN

  constructor(exchange: Exchange) {
    super(exchange)
    exchange.streaming = exchange.find(pipe)?.body.stream === true
  }

  /** With the length that the backend has named: Node then writes bytes as they are, without a frame around each piece. */
  open(mediaType = UNKNOWN_TYPE, length?: number): Sink {
    if (length === undefined) return this.begin(this, ['content-type', mediaType])
    this.#missing = length
    return this.begin(this, ['content-type', mediaType, 'content-length', String(length)])
  }

  bytes(chunk: Buffer): void {
    this.#waiting.push(chunk)
    this.#bytes += chunk.length
    this.#missing -= chunk.length
  }

  /** 0 after the end, and when the last byte has come: sendLast() writes the rest, after the finish hooks. */
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

  /** The one chunk of a pipe carries the usage, which is in the bytes already. */
  chunk(): void {}

  end(): void {
    this.ended = true
  }

  comment(): void {}

  ending(): Ending {
    return this.error !== undefined && !this.committed ? refusal(this.exchange, this.error) : this
  }

  onFlush(): void {
    // No error fits into the bytes of a reply: a closed connection shows that it is not complete.
    if (this.error !== undefined) return void this.res.destroy()
    const rest = this.#take()
    if (!isUnread(this.exchange.req)) return endResponse(this.exchange, rest)
    // The backend has replied before the end of the upload.
    this.res.write(rest)
    discardBody(this.exchange.req, () => endResponse(this.exchange))
  }
}
