import type { IncomingMessage } from 'node:http'
import type { Flushable } from '../base/write-queue.ts'
import type { OutgoingBody } from '../body/outgoing.ts'
import type { ReplyContext } from '../canonical/format.ts'
import type { Sink } from '../canonical/reply.ts'
import type { Timeouts } from '../config/config.ts'
import type { Exchange, Waiting } from '../core/exchange.ts'
import type { GatewayError } from '../errors/errors.ts'
import { JsonOutlet, type Outlet, StreamOutlet } from '../lifecycle/outlet.ts'
import { WireDecoder } from './decode/decoder.ts'
import {
  type BackendFailure,
  backendFailure,
  connectFailure,
  type FailureContext,
  ownFailure,
  timeoutFailure,
} from './failure.ts'
import type { BackendLease } from './pool.ts'
import { BackendCall, type BackendClient, type CallHandler } from './proxy-call.ts'
import { Reply, type ReplyOwner } from './reply.ts'

/** Most of an error body that is read. */
const MAX_ERROR_BYTES = 64 * 1024

/** How long it may take to come. */
const ERROR_BODY_MS = 5000

/** A kept-alive connection that died unnoticed says so at once. Later than this the request has been read. */
const STALE_WITHIN_MS = 1000

/** What an attempt needs beside the exchange. */
export interface AttemptPlan {
  readonly timeouts: Timeouts
  readonly context: FailureContext
  readonly lease: BackendLease
  readonly client: BackendClient
  readonly head: ReplyContext
}

/**
 * One try at one backend. run() resolves with undefined once the reply is on its way to the client (or the client is
 * gone), or with the failure, as long as nothing has been sent.
 */
export class Attempt implements CallHandler, ReplyOwner, Flushable, Waiting {
  readonly #exchange: Exchange
  readonly #plan: AttemptPlan
  #body: OutgoingBody | null
  #call: BackendCall
  #reply: Reply | null = null
  #resolve!: (failure: BackendFailure | undefined) => void
  #timer: NodeJS.Timeout | undefined
  #startedMono = 0
  #repeated = false
  #settled = false

  constructor(exchange: Exchange, plan: AttemptPlan, body: OutgoingBody) {
    this.#exchange = exchange
    this.#plan = plan
    this.#body = body
    this.#call = this.#newCall(body)
  }

  run(): Promise<BackendFailure | undefined> {
    const exchange = this.#exchange
    exchange.waiting = this
    this.#startedMono = exchange.host.clock.monotonic()
    exchange.upstreamStartedMono ||= this.#startedMono
    return new Promise(resolve => {
      this.#resolve = resolve
      this.#timer = setTimeout(() => this.#firstByteLate(), this.#plan.timeouts.first_byte_ms)
      exchange.host.writes.add(this)
    })
  }

  onFlush(): void {
    this.#call.send()
  }

  #newCall(body: OutgoingBody): BackendCall {
    const { route, id } = this.#exchange
    return new BackendCall(this.#plan.client, route.upstream!, id.slice(-12), body, this)
  }

  // ------------------------------------------------------------ CallHandler

  onHead(message: IncomingMessage): void {
    const status = message.statusCode ?? 0
    this.#exchange.upstreamStatus = status
    if (status !== 200) return this.#readError(status, message)
    const { timeouts, head, context } = this.#plan
    const wire = (sink: Sink) => new WireDecoder(context, head.request, sink)
    const outlet = (onFail: (error: GatewayError) => void): Outlet =>
      this.#exchange.streaming
        ? new StreamOutlet(this.#exchange, head, onFail)
        : new JsonOutlet(this.#exchange, head, onFail)
    try {
      this.#reply = new Reply(this.#exchange, message, this.#call, wire, outlet, context.model, timeouts, this)
    } catch (thrown) {
      this.#call.destroy()
      this.#settle(ownFailure(thrown))
    }
  }

  onLost(kind: 'connect' | 'connect-timeout' | 'reset', cause: Error, reusedSocket: boolean): void {
    const atOnce = this.#exchange.host.clock.monotonic() - this.#startedMono < STALE_WITHIN_MS
    if (kind === 'reset' && reusedSocket && atOnce && !this.#repeated && this.#body !== null) {
      // The backend had closed this connection. Others that wait for a request may be as dead: a new one is opened.
      this.#repeated = true
      this.#call = this.#newCall(this.#body)
      return this.#call.sendAlone()
    }
    this.#settle(connectFailure(this.#plan.context.model, cause))
  }

  // ------------------------------------------------------------ ReplyOwner

  onCommitted(): void {
    this.#plan.lease.answered()
    this.#letGo()
    this.#resolveWith(undefined)
  }

  onRefused(failed: BackendFailure): void {
    this.#settle(failed)
  }

  onOver(outcome: 'ok' | 'failed' | 'neutral'): void {
    this.#exchange.upstreamEndedMono = this.#exchange.host.clock.monotonic()
    this.#exchange.waiting = null
    clearTimeout(this.#timer)
    this.#plan.lease.release(outcome)
    this.#letGo()
    this.#resolveWith(undefined)
  }

  // ------------------------------------------------------------ Waiting

  abandon(): void {
    if (this.#reply !== null) this.#reply.abandon()
    else this.#call.destroy()
    clearTimeout(this.#timer)
    this.#exchange.upstreamEndedMono = this.#exchange.host.clock.monotonic()
    this.#plan.lease.release('neutral')
    this.#resolveWith(undefined)
  }

  giveUp(error: GatewayError): void {
    if (this.#reply !== null) return this.#reply.fail(error)
    this.#call.destroy()
    this.#settle(ownFailure(error))
  }

  // ------------------------------------------------------------

  /** There will be no other attempt: a stream of minutes must not hold a conversation in memory four times over. */
  #letGo(): void {
    this.#body = null
    this.#exchange.detached = null
    const { request } = this.#plan.head
    if (request.responseFormat?.type === 'json_schema') request.responseFormat.schema = undefined
    if (request.kind === 'text') {
      request.prompt = ''
      return
    }
    request.messages = []
    for (const tool of request.tools) tool.description = tool.parameters = undefined
  }

  #readError(status: number, message: IncomingMessage): void {
    const parts: Buffer[] = []
    let size = 0
    const done = () => {
      clearTimeout(timer)
      if (this.#settled) return
      this.#settle(
        backendFailure(
          { status, headers: message.headers, bodyText: Buffer.concat(parts).toString() },
          this.#plan.context,
        ),
        true,
      )
      if (message.complete) this.#call.letGo(message)
      else this.#call.destroy()
    }
    const timer = setTimeout(done, ERROR_BODY_MS)
    message.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > MAX_ERROR_BYTES) return done()
      parts.push(chunk)
    })
    message.on('end', done)
    message.on('close', done)
  }

  #firstByteLate(): void {
    if (this.#reply !== null) return this.#reply.firstByteLate()
    this.#call.destroy()
    this.#settle(timeoutFailure(this.#plan.context.model))
  }

  /** `answered`: the backend said no, which shows that it is alive. */
  #settle(failed: BackendFailure, answered = false): void {
    if (this.#settled) return
    clearTimeout(this.#timer)
    this.#exchange.waiting = null
    this.#exchange.upstreamEndedMono = this.#exchange.host.clock.monotonic()
    this.#plan.lease.release(failed.penalise ? 'failed' : answered ? 'ok' : 'neutral')
    this.#resolveWith(failed)
  }

  #resolveWith(failed: BackendFailure | undefined): void {
    if (this.#settled) return
    this.#settled = true
    this.#resolve(failed)
  }
}
