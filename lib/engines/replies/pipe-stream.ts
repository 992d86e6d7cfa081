import type { IncomingHttpHeaders } from 'node:http'
import { newChunk, type Sink } from '../../canonical/reply.ts'
import { PART } from '../../core/chain.ts'
import type { Exchange } from '../../core/exchange.ts'
import { type GatewayError, toGatewayError } from '../../errors/errors.ts'
import { type BackendFailure, brokenReply, type FailureContext, ownFailure } from '../failure/failure.ts'
import type { Outlet } from './outlet.ts'
import type { ReplyStream } from './reply-stream.ts'
import { UsageWatch } from './usage-watch.ts'

export interface PipeStreamOptions {
  readonly exchange: Exchange
  readonly outlet: Outlet
  readonly context: FailureContext
  /** Of the response. */
  readonly headers: IncomingHttpHeaders
}

/**
 * The body of a backend's 200 response on its way to the client, as bytes. Transformers see one chunk at the end, which
 * carries the usage.
 */
export class PipeStream implements ReplyStream {
  readonly #options: PipeStreamOptions
  /** null: the reply is a text. What is said in it may look like usage. */
  readonly #watch: UsageWatch | null
  /** The first transformer; null until the first byte. */
  #first: Sink | null = null
  #complete = false
  /** finish() reads the usage at the end: routing does not use that of pipes. */
  readonly usage = undefined

  constructor(options: PipeStreamOptions) {
    this.#options = options
    this.#watch = /^text\/(?!event-stream)|^application\/x-subrip/i.test(options.headers['content-type'] ?? '')
      ? null
      : new UsageWatch()
  }

  get begun(): boolean {
    return this.#first !== null
  }

  /** The first byte commits the head: before it the backend may be replaced. */
  get hasContent(): boolean {
    return this.begun
  }

  get complete(): boolean {
    return this.#complete
  }

  feed(chunk: Buffer): BackendFailure | undefined {
    const { outlet, headers } = this.#options
    try {
      this.#first ??= outlet.open(headers['content-type'], lengthOf(headers))
      this.#watch?.add(chunk)
      outlet.bytes(chunk)
      return undefined
    } catch (thrown) {
      return this.#ownFailure(thrown)
    }
  }

  end(): BackendFailure | undefined {
    if (this.#first === null) return brokenReply(this.#options.context.model, 'the reply is empty')
    this.#complete = true
    return undefined
  }

  finish(): BackendFailure | undefined {
    try {
      const usage = this.#watch?.result()
      if (usage !== undefined) {
        const chunk = newChunk(-1)
        if (typeof usage === 'string') chunk.usageError = usage
        else chunk.usage = usage
        this.#first!.chunk(chunk)
      }
      this.#first!.end()
      if (!this.#options.outlet.ended) throw new Error('a transformer has not passed on the end of the reply')
      return undefined
    } catch (thrown) {
      return this.#ownFailure(thrown)
    }
  }

  fail(error: GatewayError): void {
    const { exchange, outlet } = this.#options
    try {
      this.#first?.fail(error)
    } catch (thrown) {
      exchange.host.fault(exchange, thrown, PART.transformer)
    }
    // A transformer may not have passed it on.
    if (!outlet.ended) outlet.fail(error)
  }

  /** Nothing can be added to the bytes of a reply. */
  keepAlive(): undefined {}

  #ownFailure(thrown: unknown): BackendFailure {
    return ownFailure(toGatewayError(thrown, PART.transformer))
  }
}

/** Bytes of the body as it is passed on; undefined: it is expanded on the way, or the backend has not said. */
function lengthOf(headers: IncomingHttpHeaders): number | undefined {
  const length = headers['content-length']
  if (length === undefined || headers['content-encoding'] !== undefined) return undefined
  // Node's parser has refused what is no number, and a length beside chunked framing.
  return Number(length)
}
