import http, { type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Writable } from 'node:stream'
import { publicId, requestIdOf, uuidv7 } from '../base/ids.ts'
import type { JsonObject } from '../base/json.ts'
import { type TraceContext, traceContextOf } from '../base/trace-context.ts'
import { type BodyCharge, EMPTY_BODY, type RequestBody } from '../body/index.ts'
import type { Format, FormatOptions } from '../canonical/format.ts'
import type { FinishReason } from '../canonical/reply.ts'
import type { CanonicalRequest } from '../canonical/request.ts'
import type { GatewayError } from '../errors/errors.ts'
import type { Match } from '../routes/router.ts'
import type { Route, Surface } from '../routes/routes.ts'
import type { AdmittedRequest } from './admission.ts'
import type { ChainOf, ExchangeHost, HookCallOf, Reply } from './exchange-types.ts'
import { Gate } from './gate.ts'
import type { Outcome } from './plugin.ts'
import { key, type Slot, type ValueOf, zdr } from './slots.ts'
import { type AttemptFacts, Upstream } from './upstream.ts'

export type HookCall = HookCallOf<Exchange>
export type Chain = ChainOf<Exchange>

/** A request and its response, for plugins by phase types (plugin.ts). Sets every field: one hidden class. */
export class Exchange {
  readonly id: string
  readonly requestId: string
  readonly route: Route
  readonly surface: Surface
  readonly endpoint: string | null
  readonly params: Readonly<Record<string, string>>
  readonly method: string
  readonly headers: IncomingHttpHeaders
  /** null unless the configuration enables it for the log. */
  readonly clientAddress: string | null
  /** The client's trace; null: none. */
  readonly trace: TraceContext | null
  readonly path: string
  readonly query: string
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  /** Microseconds since the epoch, unique in this process. */
  readonly startedMicros: number
  /** Names that end in `Mono`: milliseconds on the monotonic clock. */
  readonly startedMono: number
  readonly chain: Chain
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly host: ExchangeHost
  readonly upstream: Upstream
  /** Names and values, alternating, in the order in which they were set. */
  readonly responseHeaders: string[] = []

  /** Index in the list of running exchanges of the runtime. */
  listIndex = -1
  requestBody: RequestBody = EMPTY_BODY
  /** null: no decision is pending. */
  gate: Gate | null = null
  /** Memory charged for the body; null: none. */
  bodyCharge: BodyCharge | null = null
  /** The request as admission counts it; null: no key is known. */
  admitted: AdmittedRequest | null = null
  /** Bytes of the body, as received. */
  bodyBytes = 0
  /** The body has so many values that hooks take milliseconds: other exchanges run between them. */
  isHeavy = false
  replyValue: Reply | null = null
  streaming = false
  source: 'backend' | 'gateway' = 'gateway'
  status = 0
  error: GatewayError | undefined = undefined
  outcome: Outcome = 'done'
  brokeMidStream = false
  stopReason: FinishReason | undefined = undefined
  /** The client disconnected before the response was complete. */
  gone = false
  finished = false
  finishedMono = 0

  readonly #slots: unknown[]
  #abort: AbortController | null = null

  constructor(
    host: ExchangeHost,
    match: Match<Chain>,
    req: IncomingMessage,
    res: ServerResponse,
    { path, query }: { readonly path: string; readonly query: string },
  ) {
    this.host = host
    this.startedMicros = host.clock.micros()
    this.startedAt = Math.floor(this.startedMicros / 1000)
    this.startedMono = host.clock.monotonic()
    this.id = uuidv7(this.startedAt)
    this.route = match.route
    this.surface = match.surface
    this.endpoint = match.endpoint
    this.params = match.params ?? {}
    this.chain = match.chain
    this.method = req.method ?? match.route.method
    this.headers = req.headers
    // Read here, because a closed connection has no address.
    this.clientAddress = host.isAddressLogged ? host.client.address(req) : null
    this.trace = req.headers.traceparent === undefined ? null : traceContextOf(req.headers)
    this.upstream = new Upstream(this.trace)
    this.path = path
    this.query = query
    this.req = req
    this.res = res
    this.#slots = new Array<unknown>(host.slots).fill(undefined)
    this.requestId =
      match.surface === 'dedicated' ? publicId(this.id) : requestIdOf(this.id, req.headers['x-request-id'])
  }

  /** A plugin has replied or the client has disconnected: no further request hook may run. */
  get ended(): boolean {
    return this.replyValue !== null || this.gone
  }

  get body(): JsonObject {
    return this.requestBody.value
  }

  get logId(): string {
    if (!this.find(zdr)) return this.requestId
    return this.surface === 'dedicated' ? publicId(this.id) : requestIdOf(this.id, undefined)
  }

  get traceId(): string | null {
    const { trace } = this.upstream
    if (trace === null || (trace === this.trace && this.find(zdr))) return null
    return trace.traceId
  }

  get signal(): AbortSignal {
    if (this.#abort === null) {
      this.#abort = new AbortController()
      if (this.gone) this.#abort.abort()
    }
    return this.#abort.signal
  }

  get origin(): string {
    return this.host.client.origin(this.req)
  }

  get durationMs(): number {
    return (this.finishedMono || this.host.clock.monotonic()) - this.startedMono
  }

  // ------------------------------------------------------------ members of `upstream` for plugins

  /** Base URL of the backend of the last attempt. */
  get backend(): string | null {
    return this.upstream.backend
  }

  get requestSent(): boolean {
    return this.upstream.isSent
  }

  get upstreamStatus(): number {
    return this.upstream.status
  }

  get upstreamError(): string | undefined {
    return this.upstream.error
  }

  get upstreamMs(): number | null {
    return this.upstream.durationMs(this.host.clock.monotonic())
  }

  get firstByteMs(): number | null {
    return this.upstream.firstByteMs
  }

  get queueMs(): number | null {
    return this.upstream.queueMs
  }

  get attempts(): number {
    return this.upstream.attempts.length
  }

  get attemptFacts(): readonly AttemptFacts[] {
    return this.upstream.attempts
  }

  get attempt(): AttemptFacts {
    return this.upstream.attempts.at(-1)!
  }

  get<S extends Slot>(slot: S): ValueOf<S> {
    const value = this.#slots[slot.index]
    if (value === undefined)
      throw new Error(`slot '${slot.name}' is empty: no plugin filled it. Does \`needs\` of this plugin name it?`)
    return value as ValueOf<S>
  }

  find<S extends Slot>(slot: S): ValueOf<S> | undefined {
    return this.#slots[slot.index] as ValueOf<S> | undefined
  }

  set<S extends Slot>(slot: S, value: ValueOf<S>): void {
    this.#slots[slot.index] = value
  }

  reply(status: number, body: Reply['body'], contentType = 'application/json'): void {
    if (!Number.isInteger(status) || status < 200 || status > 599)
      throw new RangeError('the status of a reply is an integer from 200 to 599')
    http.validateHeaderValue('content-type', contentType)
    this.replyValue = { status, body, contentType }
  }

  setHeader(name: string, value: string): void {
    http.validateHeaderName(name)
    http.validateHeaderValue(name, value)
    this.responseHeaders.push(name, value)
  }

  setTrace(traceparent: string, tracestate?: string): void {
    this.upstream.setTrace(traceparent, tracestate)
  }

  validateBody<T>(check: (body: JsonObject) => T): T {
    return this.requestBody.validate(check)
  }

  translateBody(format: Format, options: FormatOptions): CanonicalRequest {
    return this.requestBody.translate(format, options)
  }

  /** Drops the body and releases its memory. The canonical request must not be read after this. */
  releaseBody(): void {
    this.requestBody = EMPTY_BODY
    this.bodyCharge?.release()
  }

  /** Memory of this exchange for its body. Released by releaseBody(), or when the exchange ends. */
  get charge(): BodyCharge {
    this.bodyCharge ??= this.host.bodies.memory.open(this.find(key)?.account.id ?? '')
    return this.bodyCharge
  }

  chargeMemory(bytes: number): void {
    this.charge.grow(bytes)
  }

  feedBody(sink: Writable, limit: number): Promise<void> {
    return this.host.feedBody(this, sink, limit)
  }

  holdUntil(decision: Promise<void> | void): void {
    if (decision === undefined) return
    this.gate ??= new Gate()
    this.gate.hold(decision)
  }

  decided(): Promise<void> | void {
    return this.gate?.opened()
  }

  holdReply(decision: Promise<void>): void {
    this.upstream.hold(decision)
  }

  /** The client has disconnected: aborts `signal` and cancels the request to a backend. No effect after finish(). */
  disconnect(): void {
    if (this.finished) return
    this.gone = true
    this.bodyCharge?.stopWaiting?.()
    this.#abort?.abort()
    this.upstream.work?.cancel()
  }

  /** Disconnects a client that does not read the last bytes, which nothing else would notice. */
  disconnectIfUnread(): void {
    if (!this.res.writableFinished) this.res.setTimeout(this.host.clientIdleMs, () => this.res.destroy())
  }
}
