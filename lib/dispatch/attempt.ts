import type { IncomingHttpHeaders } from 'node:http'
import type { Sender } from '../backends/health/probe-request.ts'
import type { BackendLease, LeaseOutcome } from '../backends/pool.ts'
import type { ArrivalListener, OutgoingBody } from '../body/index.ts'
import type { Usage } from '../canonical/reply.ts'
import type { CanonicalRequest } from '../canonical/request.ts'
import type { Timeouts } from '../config/config.ts'
import type { AttemptFacts, AttemptOutcome } from '../core/attempt-facts.ts'
import { beginAttempt, PART } from '../core/chain.ts'
import type { Exchange } from '../core/exchange.ts'
import type { UpstreamWork } from '../core/exchange-types.ts'
import type { PipeRequest } from '../core/pipe-request.ts'
import { target } from '../core/slots.ts'
import {
  type BackendFailure,
  backendFailure,
  brokenReply,
  connectFailure,
  ErrorResponse,
  type FailureContext,
  ownFailure,
  timeoutFailure,
} from '../engines/failure/failure.ts'
import { type FailureReason, reasonInWords } from '../engines/failure/failure-reason.ts'
import type { Outlet } from '../engines/replies/outlet.ts'
import { PipeStream } from '../engines/replies/pipe-stream.ts'
import type { ReplyStream } from '../engines/replies/reply-stream.ts'
import { ResponseStream } from '../engines/replies/response-stream.ts'
import { failure, type GatewayError } from '../errors/errors.ts'
import type { ResponseHandler, TransportError, UpstreamCall, UpstreamSender } from '../transport/transport.ts'
import { Backpressure } from './backpressure.ts'
import { type IdleEvent, type IdleListener, IdleTimer } from './idle-timer.ts'

/** Time for the body of an error response. */
const ERROR_BODY_MS = 5000

export interface AttemptOptions {
  readonly exchange: Exchange
  readonly outlet: Outlet
  readonly request: CanonicalRequest | PipeRequest
  readonly timeouts: Timeouts
  readonly context: FailureContext
  readonly lease: BackendLease
  readonly client: UpstreamSender
  /** Zero data retention is required: of a failure, only its kind may be written anywhere. */
  readonly zdr: boolean
}

/**
 * One request to one backend. Passes a 200 response on to the response stream, classifies any other, and applies the timeouts
 * and the backpressure of both. Releases its lease as soon as nothing more is needed from the backend.
 */
export class Attempt implements ResponseHandler, IdleListener, ArrivalListener, UpstreamWork {
  readonly #options: AttemptOptions
  readonly #exchange: Exchange
  readonly #outlet: Outlet
  readonly #idle: IdleTimer
  readonly #facts: { -readonly [M in keyof AttemptFacts]: AttemptFacts[M] }
  /** null once it is sent. */
  #body: OutgoingBody | null
  /** null until it is sent. */
  #call: UpstreamCall | null = null
  /** Of a 200 response. */
  #stream: ReplyStream | null = null
  #backpressure: Backpressure | null = null
  /** Of any other response. */
  #error: ErrorResponse | null = null
  #begun = false
  #over = false
  #onBegun!: (failed: BackendFailure | undefined) => void
  #onOver: (() => void) | undefined

  constructor(options: AttemptOptions, body: OutgoingBody) {
    this.#options = options
    this.#exchange = options.exchange
    this.#outlet = options.outlet
    this.#body = body
    this.#idle = new IdleTimer(this.#exchange.host.clock, options.timeouts, this)
    this.#facts = {
      model: options.context.model.id,
      backend: options.lease.backend.address,
      startedMs: 0,
      firstTokenMs: null,
      endedMs: 0,
      status: 0,
      outcome: 'cancelled',
    }
  }

  /**
   * Sends the request. Resolves with the failure as long as the client has been sent nothing, so
   * that another attempt may follow; with undefined once the reply has begun to reach the client, or is over.
   */
  run(): Promise<BackendFailure | undefined> {
    const exchange = this.#exchange
    exchange.upstream = this
    exchange.attempts++
    this.#facts.startedMs = exchange.durationMs
    beginAttempt(exchange, this.#facts)
    exchange.upstreamError = undefined
    exchange.upstreamHeadMono = 0
    exchange.upstreamStartedMono ||= exchange.host.clock.monotonic()
    const begun = new Promise<BackendFailure | undefined>(resolve => (this.#onBegun = resolve))
    this.#send()
    return begun
  }

  /** Resolves when a reply that has begun is over; undefined: it is. */
  whenOver(): Promise<void> | undefined {
    return this.#over ? undefined : new Promise(resolve => (this.#onOver = resolve))
  }

  /** The client has disconnected. */
  cancel(): void {
    if (this.#over) return
    this.#stop('neutral', 'cancelled')
    this.#call?.cancel()
    this.#settle(undefined)
  }

  /** The gateway ends the reply with this error. */
  fail(error: GatewayError): void {
    if (!this.#over) this.#fail(ownFailure(error), 'cancelled')
  }

  #send(): void {
    const body = this.#body
    if (this.#over || body === null) return
    this.#body = null
    const { route, id, sentTrace: trace } = this.#exchange
    const ids = { requestId: id.slice(-12), trace }
    const request = { method: 'POST', path: route.upstream!, ...ids, body } as const
    this.#call = this.#options.client.send(request, this)
    body.arriving?.watch(this)
  }

  // ------------------------------------------------------------ ArrivalListener

  onWait(side: 'client' | 'backend'): void {
    if (!this.#over && this.#error === null) this.#idle.sending(side)
  }

  onSent(): void {
    if (!this.#over && this.#error === null) this.#idle.sent()
  }

  onRefused(error: GatewayError): void {
    error.refusedBy ??= PART.body
    this.fail(error)
  }

  // ------------------------------------------------------------ ResponseHandler

  onHead(status: number, headers: IncomingHttpHeaders): void {
    this.#exchange.upstreamStatus = status
    this.#facts.status = status
    this.#exchange.upstreamHeadMono = this.#exchange.host.clock.monotonic()
    if (status !== 200) {
      this.#error = new ErrorResponse(status, headers)
      return this.#idle.expectWithin(ERROR_BODY_MS)
    }
    const { exchange, outlet, context, request } = this.#options
    this.#stream =
      request.kind === 'pipe'
        ? new PipeStream({ exchange, outlet, context, headers })
        : new ResponseStream({ exchange, outlet, context, request, mediaType: headers['content-type'] })
    this.#backpressure = new Backpressure(exchange, outlet, this.#call!, this.#idle)
    this.#idle.headReceived(outlet.isStream)
  }

  onData(chunk: Buffer): void {
    if (this.#over) return
    if (this.#error !== null) return this.#error.add(chunk) ? undefined : this.#refused()
    const stream = this.#stream!
    this.#idle.read()
    const failed = stream.feed(chunk)
    if (stream.begun) this.#idle.begin()
    if (stream.hasContent) {
      this.#options.lease.answering(this.#outlet.isStream)
      this.#facts.firstTokenMs ??= this.#exchange.durationMs
    }
    this.#advance(stream, failed)
    if (!this.#over) this.#backpressure!.afterRead()
  }

  onEnd(): void {
    if (this.#over) return
    if (this.#error !== null) return this.#refused()
    this.#advance(this.#stream!, this.#stream!.end())
  }

  onError(error: TransportError): void {
    if (this.#over) return
    const { model } = this.#options.context
    if (this.#error !== null) return this.#refused()
    if (this.#stream === null) return this.#fail(connectFailure(model, error))
    this.#fail(brokenReply(model, 'the connection broke before the end'))
  }

  // ------------------------------------------------------------ IdleListener

  onIdle(event: IdleEvent): void {
    if (event === 'client') return this.#backpressure!.giveUp()
    if (event === 'keep-alive') return this.#advance(this.#stream!, this.#stream!.keepAlive())
    if (this.#error !== null) return this.#refused()
    if (event === 'upload') return this.onRefused(failure('http_408', {}, { headers: { connection: 'close' } }))
    this.#fail(timeoutFailure(this.#options.context.model), 'timeout')
  }

  // ------------------------------------------------------------ progress and end

  /** To be called after each change of the stream: ends the attempt if the reply is complete or has failed. */
  #advance(stream: ReplyStream, failed: BackendFailure | undefined): void {
    if (failed !== undefined) return this.#fail(failed)
    if (stream.complete) {
      this.#stop('ok', 'ok', stream.usage)
      this.#call!.release()
      return this.#report(stream.finish())
    }
    if (this.#outlet.ended) {
      // A transformer has failed the reply by itself.
      this.#stop('neutral', 'cancelled')
      this.#call!.cancel()
      return this.#settle(undefined)
    }
    if (this.#outlet.committed && !this.#begun) {
      this.#begun = true
      this.#onBegun(undefined)
    }
  }

  /** The response with the error has been read as far as needed. It proves that the backend is alive. */
  #refused(): void {
    const failed = backendFailure(this.#error!.received, this.#options.context)
    this.#stop('answered', failed.penalise || this.#facts.status >= 500 ? 'failed' : 'refused')
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

  /** Nothing more is needed from the backend. Must be called before the client's last byte is sent. */
  #stop(outcome: LeaseOutcome, asAttempt: AttemptOutcome, usage?: Usage): void {
    this.#over = true
    this.#facts.outcome = asAttempt
    this.#facts.endedMs = this.#exchange.durationMs
    this.#idle.stop()
    this.#backpressure?.stop()
    this.#exchange.upstream = null
    this.#exchange.requestSent = this.#call?.isSent ?? false
    this.#exchange.upstreamEndedMono = this.#exchange.host.clock.monotonic()
    this.#options.lease.release(outcome, usage)
  }

  /** Leaves a failure to the caller of run() as long as the head is not sent; else it is reported in-band. */
  #report(failed: BackendFailure | undefined): void {
    if (failed === undefined) return this.#settle(undefined)
    failed.error.refusedBy ??= PART.backend
    if (failed.reason !== undefined) this.#exchange.upstreamError = this.#inWords(failed.reason)
    if (!this.#outlet.committed) return this.#settle(this.#stream?.hasContent ? final(failed) : failed)
    if (failed.penalise) {
      const { lease, request } = this.#options
      lease.backend.failed(senderOf(this.#exchange, request), failed.error)
    }
    this.#stream!.fail(failed.error)
    this.#settle(undefined)
  }

  #inWords(reason: FailureReason): string {
    return reasonInWords(reason, this.#options.zdr, [this.#options.lease.backend.config.model])
  }

  #settle(failed: BackendFailure | undefined): void {
    this.#onBegun(failed)
    this.#onOver?.()
  }
}

export function senderOf(exchange: Exchange, request: CanonicalRequest | PipeRequest): Sender {
  const { account } = exchange.get(target)
  return { account, path: exchange.route.upstream!, stream: request.kind !== 'pipe' && request.stream }
}

/** A failure that no further attempt may follow. */
function final({ error, penalise }: BackendFailure): BackendFailure {
  return { error, retry: 'no', penalise }
}
