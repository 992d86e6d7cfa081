import type { IncomingMessage } from 'node:http'
import { BackendCall, type BackendClient, type CallHandler } from '../backend/call.ts'
import { type BackendFailure, backendFailure } from '../backend/failure.ts'
import type { Backend, BackendLease } from '../backend/pool.ts'
import { WireDecoder } from '../backend/wire/decoder.ts'
import { failure, type GatewayError, type Head, type Sink } from '../chat.ts'
import type { Config } from '../config/config.ts'
import { toGatewayError } from '../errors.ts'
import type { Exchange } from '../exchange.ts'
import { JsonOutlet, type Outlet, StreamOutlet } from './outlet.ts'
import { Reply, type ReplyOwner } from './reply.ts'

/** Most of an error body that is read. */
const MAX_ERROR_BYTES = 64 * 1024

/** How often a request is written again because the kept-alive connection had died unnoticed. */
const MAX_STALE_SOCKETS = 3

/** In-band errors that mean the backend did not take the request: another one may. */
const QUEUE_FULL: ReadonlySet<string> = new Set(['backend_at_capacity', 'backend_overloaded'])

/** Errors that count against the backend. */
const FAULTS: ReadonlySet<string> = new Set(['backend_http_error', 'backend_timeout', 'backend_connect_error'])

/** What an attempt needs beside the exchange. */
export interface AttemptPlan {
  readonly config: Config
  readonly backend: Backend
  readonly lease: BackendLease
  readonly client: BackendClient
  readonly head: Head
  readonly body: readonly (Buffer | string)[]
}

/**
 * One try at one backend. run() resolves with undefined once the reply is on its way to the client (or the client is
 * gone), or with the failure, as long as nothing has been sent.
 */
export class Attempt implements CallHandler, ReplyOwner {
  readonly #exchange: Exchange
  readonly #plan: AttemptPlan
  #call: BackendCall
  #reply: Reply | null = null
  #resolve!: (failure: BackendFailure | undefined) => void
  #timer: NodeJS.Timeout | undefined
  #stale = 0
  #settled = false

  constructor(exchange: Exchange, plan: AttemptPlan) {
    this.#exchange = exchange
    this.#plan = plan
    this.#call = this.#newCall()
  }

  run(): Promise<BackendFailure | undefined> {
    const exchange = this.#exchange
    exchange.onGone = () => this.#abandon()
    exchange.upstreamStartedMono ||= exchange.host.clock.monotonic()
    return new Promise(resolve => {
      this.#resolve = resolve
      this.#timer = setTimeout(() => this.#firstByteLate(), this.#plan.config.timeouts.first_byte_ms)
      this.#call.send()
    })
  }

  #newCall(): BackendCall {
    const { client, body } = this.#plan
    return new BackendCall(client, this.#exchange.route.upstream!, this.#exchange.id.slice(-12), body, this)
  }

  // ------------------------------------------------------------ CallHandler

  onHead(message: IncomingMessage): void {
    const status = message.statusCode ?? 0
    this.#exchange.upstreamStatus = status
    if (status !== 200) return this.#readError(status, message)
    const { config, head, backend } = this.#plan
    const wire = (sink: Sink) => new WireDecoder(backend.config.profile, head.request, sink)
    const outlet = (onFail: (error: GatewayError) => void): Outlet =>
      this.#exchange.streaming ? new StreamOutlet(this.#exchange, head) : new JsonOutlet(this.#exchange, head, onFail)
    try {
      this.#reply = new Reply(this.#exchange, message, this.#call, wire, outlet, config.timeouts, this)
    } catch (thrown) {
      this.#call.destroy()
      this.onRefused(toGatewayError(thrown))
    }
  }

  onLost(kind: 'connect' | 'connect-timeout' | 'reset', cause: Error, reusedSocket: boolean): void {
    if (kind === 'reset' && reusedSocket && this.#stale < MAX_STALE_SOCKETS) {
      // The backend had closed this kept-alive connection; its request was never read.
      this.#stale++
      this.#call = this.#newCall()
      return this.#call.send()
    }
    const model = this.#model
    this.#settle({
      error: failure('backend_connect_error', { model }, { extra: { model }, cause }),
      retry: 'elsewhere',
      penalise: true,
    })
  }

  // ------------------------------------------------------------ ReplyOwner

  onCommitted(): void {
    clearTimeout(this.#timer)
    this.#resolveWith(undefined)
  }

  onRefused(error: GatewayError): void {
    this.#settle({ error, retry: QUEUE_FULL.has(error.code) ? 'elsewhere' : 'no', penalise: FAULTS.has(error.code) })
  }

  onOver(ok: boolean): void {
    this.#exchange.upstreamEndedMono = this.#exchange.host.clock.monotonic()
    this.#exchange.onGone = null
    clearTimeout(this.#timer)
    this.#plan.lease.release(ok ? 'ok' : 'failed')
    this.#resolveWith(undefined)
  }

  // ------------------------------------------------------------

  #readError(status: number, message: IncomingMessage): void {
    const parts: Buffer[] = []
    let size = 0
    const done = () => {
      const { config, backend } = this.#plan
      const bodyText = Buffer.concat(parts).toString()
      this.#settle(backendFailure({ status, headers: message.headers, bodyText }, this.#plan.head.model, backend.config.profile, config.models))
      if (!message.complete) this.#call.destroy()
    }
    message.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > MAX_ERROR_BYTES) return done()
      parts.push(chunk)
    })
    message.on('end', done)
    message.on('close', done)
  }

  #firstByteLate(): void {
    if (this.#reply !== null) return this.#reply.timeOut()
    this.#call.destroy()
    const model = this.#model
    this.#settle({ error: failure('backend_timeout', { model }, { extra: { model } }), retry: 'no', penalise: true })
  }

  #abandon(): void {
    if (this.#reply !== null) this.#reply.abandon()
    else this.#call.destroy()
    clearTimeout(this.#timer)
    this.#exchange.upstreamEndedMono = this.#exchange.host.clock.monotonic()
    this.#plan.lease.release('neutral')
    this.#resolveWith(undefined)
  }

  #settle(failed: BackendFailure): void {
    if (this.#settled) return
    clearTimeout(this.#timer)
    this.#exchange.onGone = null
    this.#exchange.upstreamEndedMono = this.#exchange.host.clock.monotonic()
    this.#plan.lease.release(failed.penalise ? 'failed' : 'neutral')
    this.#resolveWith(failed)
  }

  #resolveWith(failed: BackendFailure | undefined): void {
    if (this.#settled) return
    this.#settled = true
    this.#resolve(failed)
  }

  get #model(): string {
    return this.#plan.head.model
  }
}
