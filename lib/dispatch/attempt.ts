import type { IncomingHttpHeaders } from 'node:http'
import type { ClientRequest } from '../backends/health/probe-request.ts'
import type { BackendLease, LeaseOutcome } from '../backends/pool.ts'
import type { OutgoingBody } from '../body/index.ts'
import type { Usage } from '../canonical/reply.ts'
import type { CanonicalRequest } from '../canonical/request.ts'
import type { Timeouts } from '../config/config.ts'
import { PART } from '../core/chain.ts'
import type { Exchange } from '../core/exchange.ts'
import { beginAttempt } from '../core/hooks.ts'
import { type PipeRequest, target } from '../core/slots.ts'
import type { AttemptFacts, AttemptOutcome, UpstreamWork } from '../core/upstream.ts'
import {
  type BackendFailure,
  backendFailure,
  brokenReply,
  connectFailure,
  ErrorResponse,
  type FailureContext,
  loopFailure,
  ownFailure,
  timeoutFailure,
} from '../engines/failure/failure.ts'
import { reasonInWords } from '../engines/failure/failure-reason.ts'
import type { Outlet } from '../engines/replies/outlet.ts'
import { PipeStream } from '../engines/replies/pipe-stream.ts'
import type { ReplyStream } from '../engines/replies/reply-stream.ts'
import { ResponseStream } from '../engines/replies/response-stream.ts'
import { failure, type GatewayError, toGatewayError } from '../errors/errors.ts'
import type { ResponseHandler, TransportError, UpstreamCall, UpstreamSender } from '../transport/transport.ts'
import { isLoop } from '../transport/via.ts'
import { Backpressure, type IdleEvent, IdleTimer } from './flow-control.ts'

/** Maximum time for the body of an error response. */
const MAX_ERROR_MS = 5000

interface AttemptOptions {
  readonly exchange: Exchange
  readonly outlet: Outlet
  readonly request: CanonicalRequest | PipeRequest
  readonly timeouts: Timeouts
  readonly context: FailureContext
  readonly lease: BackendLease
  readonly client: UpstreamSender
  /** Zero data retention is required: only the kind of a failure may be logged or recorded. */
  readonly zdr: boolean
}

/** One request to one backend, with its timeouts and backpressure. Releases its lease as early as possible. */
export class Attempt implements ResponseHandler, UpstreamWork {
  readonly #options: AttemptOptions
  readonly #exchange: Exchange
  readonly #outlet: Outlet
  readonly #idle: IdleTimer
  readonly #facts: { -readonly [M in keyof AttemptFacts]: AttemptFacts[M] }
  /** null until the request is sent. */
  #call: UpstreamCall | null = null
  #stream: ReplyStream | null = null
  #backpressure: Backpressure | null = null
  #error: ErrorResponse | null = null
  #hasEnded = false
  #onBegun!: (failed: BackendFailure | undefined) => void
  #onEnded: (() => void) | undefined

  constructor(options: AttemptOptions) {
    this.#options = options
    this.#exchange = options.exchange
    this.#outlet = options.outlet
    this.#idle = new IdleTimer(this.#exchange.host.clock, options.timeouts, event => this.#onIdle(event))
    this.#facts = {
      model: options.context.model.id,
      backend: options.lease.backend.address,
      engine: options.lease.backend.config.engine,
      startedMs: 0,
      firstTokenMs: null,
      endedMs: 0,
      status: 0,
      outcome: 'cancelled',
      reason: null,
      usage: null,
      choice: options.exchange.upstream.choice,
    }
  }

  /** Resolves with a failure if nothing was sent to the client, so that another attempt may follow; else undefined. */
  run(body: OutgoingBody): Promise<BackendFailure | undefined> {
    const exchange = this.#exchange
    this.#facts.startedMs = exchange.durationMs
    beginAttempt(exchange, this.#facts, this)
    const begun = new Promise<BackendFailure | undefined>(resolve => (this.#onBegun = resolve))
    // A hook may have ended the reply.
    if (!this.#hasEnded) this.#send(body)
    return begun
  }

  /** Resolves when the reply has ended; undefined: it has. */
  whenEnded(): Promise<void> | undefined {
    return this.#hasEnded ? undefined : new Promise(resolve => (this.#onEnded = resolve))
  }

  cancel(): void {
    if (this.#hasEnded) return
    this.#stop('neutral', 'cancelled')
    this.#call?.cancel()
    this.#settle(undefined)
  }

  /** The gateway ends the reply with this error. */
  fail(error: GatewayError): void {
    if (!this.#hasEnded) this.#fail(ownFailure(error), 'cancelled')
  }

  #send(body: OutgoingBody): void {
    const { route, id, upstream, headers } = this.#exchange
    if (isLoop(headers.via)) return this.#fail(loopFailure(this.#options.context.model), 'cancelled')
    const ids = { requestId: id.slice(-12), trace: upstream.trace, via: headers.via }
    this.#call = this.#options.client.send({ method: 'POST', path: route.upstream!, ...ids, body }, this)
    const isSending = () => !this.#hasEnded && this.#error === null
    body.arriving?.watch({
      onWait: side => isSending() && this.#idle.sending(side),
      onSent: () => isSending() && this.#idle.sent(),
      onRefused: error => this.#refuseBody(error),
    })
  }

  #refuseBody(error: GatewayError): void {
    error.refusedBy ??= PART.body
    this.fail(error)
  }

  // ------------------------------------------------------------ ResponseHandler

  onHead(status: number, headers: IncomingHttpHeaders): void {
    const { exchange, outlet, context, request } = this.#options
    exchange.upstream.head(status, exchange.host.clock.monotonic())
    this.#facts.status = status
    if (status !== 200) {
      this.#error = new ErrorResponse(status, headers)
      return this.#idle.expectWithin(MAX_ERROR_MS)
    }
    this.#stream =
      request.kind === 'pipe'
        ? new PipeStream({ exchange, outlet, context, headers })
        : new ResponseStream({ exchange, outlet, context, request, mediaType: headers['content-type'] })
    this.#backpressure = new Backpressure(exchange, outlet, this.#call!, this.#idle)
    this.#idle.headReceived(outlet.isStream)
  }

  onData(chunk: Buffer): void {
    if (this.#hasEnded) return
    if (this.#error !== null) return this.#error.add(chunk) ? undefined : this.#refused()
    const stream = this.#stream!
    this.#idle.read()
    const failed = stream.feed(chunk)
    if (stream.hasBegun) this.#idle.begin()
    if (stream.hasContent) {
      this.#options.lease.answering(this.#outlet.isStream)
      this.#facts.firstTokenMs ??= this.#exchange.durationMs
    }
    this.#advance(stream, failed)
    if (!this.#hasEnded) this.#backpressure!.afterRead()
  }

  onEnd(): void {
    if (this.#hasEnded) return
    if (this.#error !== null) return this.#refused()
    this.#advance(this.#stream!, this.#stream!.end())
  }

  onError(error: TransportError): void {
    if (this.#hasEnded) return
    const { model } = this.#options.context
    if (this.#error !== null) return this.#refused()
    if (this.#stream === null) return this.#fail(connectFailure(model, error))
    this.#fail(brokenReply(model, 'the connection broke before the end'))
  }

  // ------------------------------------------------------------ progress and end

  #onIdle(event: IdleEvent): void {
    if (event === 'client') return this.#backpressure!.giveUp()
    if (event === 'keep-alive') return this.#advance(this.#stream!, this.#stream!.keepAlive())
    if (this.#error !== null) return this.#refused()
    if (event === 'upload') return this.#refuseBody(failure('http_408', {}, { headers: { connection: 'close' } }))
    this.#fail(timeoutFailure(this.#options.context.model), 'timeout')
  }

  /** Called after each change of the stream. Ends the attempt if the reply is complete or has failed. */
  #advance(stream: ReplyStream, failed: BackendFailure | undefined): void {
    if (failed !== undefined) return this.#fail(failed)
    const isHeld = this.#backpressure!.holds(thrown => this.#proceed(stream, thrown))
    if (isHeld) return this.#outlet.committed ? this.#onBegun(undefined) : undefined
    if (stream.isComplete) {
      this.#stop('ok', 'ok', stream.usage)
      this.#call!.release()
      return this.#report(stream.finish())
    }
    if (this.#outlet.ended) {
      // A transformer has failed or stopped the reply.
      this.#stop('neutral', 'cancelled')
      this.#call!.cancel()
      return this.#settle(undefined)
    }
    if (this.#outlet.committed) this.#onBegun(undefined)
  }

  /** The decision that a transformer has waited for is known. */
  #proceed(stream: ReplyStream, thrown: unknown): void {
    this.#advance(stream, thrown === undefined ? undefined : ownFailure(toGatewayError(thrown, PART.transformer)))
    if (!this.#hasEnded) this.#backpressure!.afterRead()
  }

  /** The error response has been read as far as needed. It proves that the backend can be reached. */
  #refused(): void {
    const failed = backendFailure(this.#error!.received, this.#options.context)
    const isFailed = failed.penalise || (this.#facts.status >= 500 && failed.isLoop !== true)
    this.#stop('answered', isFailed ? 'failed' : 'refused')
    this.#call!.cancel()
    this.#report(failed)
  }

  #fail(
    failed: BackendFailure,
    outcome: AttemptOutcome = failed.isConnection === true ? 'unreachable' : 'failed',
  ): void {
    this.#stop(failed.penalise && failed.isConnection !== true ? 'answered' : 'neutral', outcome)
    this.#call?.cancel()
    this.#report(failed)
  }

  /** Ends the attempt and releases its lease. Must be called before the client's last byte is sent. */
  #stop(leaseOutcome: LeaseOutcome, outcome: AttemptOutcome, usage?: Usage): void {
    const { upstream, durationMs, host } = this.#exchange
    this.#hasEnded = true
    this.#facts.outcome = outcome
    this.#facts.endedMs = durationMs
    this.#facts.usage = this.#stream?.usage ?? null
    this.#idle.stop()
    this.#backpressure?.stop()
    upstream.end(this.#call?.isSent ?? false, host.clock.monotonic())
    this.#options.lease.release(leaseOutcome, usage)
  }

  /** Returns a failure to the caller of run() if the head has not been sent. Otherwise reports it in-band. */
  #report(failed: BackendFailure | undefined): void {
    if (failed === undefined) return this.#settle(undefined)
    const { lease, request, zdr } = this.#options
    failed.error.refusedBy ??= PART.backend
    if (failed.reason !== undefined) {
      this.#facts.reason = reasonInWords(failed.reason, zdr, [lease.backend.config.model])
      this.#exchange.upstream.error = this.#facts.reason
    }
    if (!this.#outlet.committed) return this.#settle(this.#stream?.hasContent ? final(failed) : failed)
    if (failed.penalise) lease.backend.health.failed(clientRequestOf(this.#exchange, request), failed.error)
    this.#stream!.fail(failed.error)
    this.#settle(undefined)
  }

  #settle(failed: BackendFailure | undefined): void {
    this.#onBegun(failed)
    this.#onEnded?.()
  }
}

/** The request as evidence about the health of its backends. */
export function clientRequestOf(exchange: Exchange, request: CanonicalRequest | PipeRequest): ClientRequest {
  const { account } = exchange.get(target)
  return { account, path: exchange.route.upstream!, stream: request.kind !== 'pipe' && request.stream }
}

/** A failure that no further attempt may follow. */
function final({ error, penalise }: BackendFailure): BackendFailure {
  return { error, retry: 'no', penalise }
}
