import type { IncomingHttpHeaders } from 'node:http'
import { newChunk, type Sink } from '../../canonical/reply.ts'
import { PART } from '../../core/chain.ts'
import type { Exchange } from '../../core/exchange.ts'
import { type GatewayError, toGatewayError } from '../../errors/errors.ts'
import { type BackendFailure, brokenReply, type FailureContext, ownFailure } from '../failure/failure.ts'
import type { Outlet } from './outlet.ts'
import type { ReplyStream } from './reply-stream.ts'
import { UsageWatch } from './usage-watch.ts'

interface PipeStreamOptions {
  readonly exchange: Exchange
  readonly outlet: Outlet
  readonly context: FailureContext
  readonly headers: IncomingHttpHeaders
}

/** Passes the body of a 200 response on as bytes. Transformers get one chunk at the end, with the usage. */
export class PipeStream implements ReplyStream {
  readonly #options: PipeStreamOptions
  /** null: the reply is a text, audio or an image, which may contain something that looks like usage. */
  readonly #watch: UsageWatch | null
  /** The first transformer; null until the first byte. */
  #first: Sink | null = null
  #isComplete = false
  /** Routing does not use the usage of pipes. finish() reads it for the transformers. */
  readonly usage = undefined

  constructor(options: PipeStreamOptions) {
    this.#options = options
    this.#watch = /^text\/(?!event-stream)|^(?:audio|image)\/|^application\/(?:x-subrip|octet-stream)/i.test(
      options.headers['content-type'] ?? '',
    )
      ? null
      : new UsageWatch()
  }

  get hasBegun(): boolean {
    return this.#first !== null
  }

  /** The first byte commits the head. Before it, another backend may be tried. */
  get hasContent(): boolean {
    return this.hasBegun
  }

  get isComplete(): boolean {
    return this.#isComplete
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
    this.#isComplete = true
    return undefined
  }

  finish(): BackendFailure | undefined {
    try {
      const usage = this.#watch?.result()
      const seconds = this.#watch?.seconds()
      if (usage !== undefined || seconds !== undefined) {
        const chunk = newChunk(-1)
        if (typeof usage === 'string') chunk.usageError = usage
        else chunk.usage = usage
        chunk.seconds = seconds
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
    // A transformer may not have passed the failure on.
    if (!outlet.ended) outlet.fail(error)
  }

  /** A byte pipe has no keep-alive comments. */
  keepAlive(): undefined {}

  #ownFailure(thrown: unknown): BackendFailure {
    return ownFailure(toGatewayError(thrown, PART.transformer))
  }
}

/** Length of the body as it is passed on; undefined: it is decompressed on the way, or not reported. */
function lengthOf(headers: IncomingHttpHeaders): number | undefined {
  const length = headers['content-length']
  if (length === undefined || headers['content-encoding'] !== undefined) return undefined
  // Node's parser refuses a length that is no number, and a length together with chunked encoding.
  return Number(length)
}
