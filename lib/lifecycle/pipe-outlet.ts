import type { ServerResponse } from 'node:http'
import type { Flushable } from '../base/write-queue.ts'
import type { Sink } from '../canonical/reply.ts'
import { PART } from '../core/chain.ts'
import type { Exchange } from '../core/exchange.ts'
import type { Outcome } from '../core/plugin.ts'
import type { GatewayError } from '../errors/errors.ts'
import { type ClientOutlet, linked } from './client-outlet.ts'
import { type Ending, endResponse, refusal, reportFault, writeHead } from './respond.ts'

/** The backend named none. */
const UNKNOWN_TYPE = 'application/octet-stream'

/** The client's end of a reply that passes as bytes: they gather, and leave with one write per tick. */
export class PipeOutlet implements ClientOutlet, Sink, Ending, Flushable {
  readonly isStream = false
  committed = false
  ended = false
  error: GatewayError | undefined
  readonly #exchange: Exchange
  readonly #res: ServerResponse
  #waiting: Buffer[] = []
  waiting = 0

  constructor(exchange: Exchange) {
    this.#exchange = exchange
    this.#res = exchange.res
  }

  open(mediaType = UNKNOWN_TYPE): Sink {
    const first = linked(this.#exchange, this)
    writeHead(this.#exchange, 200, ['content-type', mediaType])
    this.committed = true
    return first
  }

  bytes(chunk: Buffer): void {
    this.#waiting.push(chunk)
    this.waiting += chunk.length
  }

  flush(): boolean {
    const waiting = this.#waiting
    this.#waiting = []
    this.waiting = 0
    if (waiting.length === 1) return this.#res.write(waiting[0])
    return this.#res.write(Buffer.concat(waiting))
  }

  /** The one chunk of a pipe carries the usage, which is in the bytes already. */
  chunk(): void {}

  end(): void {
    this.ended = true
  }

  fail(error: GatewayError): void {
    if (this.ended) return
    this.ended = true
    this.error = error
    error.refusedBy ??= PART.transformer
    if (!this.committed) return
    this.#exchange.brokeMidStream = true
    reportFault(this.#exchange, error)
  }

  comment(): void {}

  ending(): Ending {
    return this.error !== undefined && !this.committed ? refusal(this.#exchange, this.error) : this
  }

  get outcome(): Outcome {
    return this.error === undefined ? 'done' : 'failed'
  }

  sendHead(): void {}

  sendLast(): void {
    this.#exchange.host.writes.add(this)
  }

  onFlush(): void {
    // No error fits into the bytes of a reply: a closed connection shows that it is not complete.
    if (this.error !== undefined) this.#res.destroy()
    else endResponse(this.#exchange, Buffer.concat(this.#waiting))
  }
}
