/** The plugin contract: types and definePlugin(), nothing else. docs/PLUGINS.md explains how to write one. */
import type { IncomingHttpHeaders } from 'node:http'
import type { Readable, Writable } from 'node:stream'
import type { JsonObject } from '../base/json.ts'
import type { TraceContext } from '../base/trace-context.ts'
import type { Format, FormatName, FormatOptions } from '../canonical/format.ts'
import type { FinishReason, Transformer } from '../canonical/reply.ts'
import type { CanonicalRequest } from '../canonical/request.ts'
import type { GatewayError, PluginErrors } from '../errors/errors.ts'
import type { Route, Surface } from '../routes/routes.ts'
import type { Services } from './services.ts'
import type { Slot, ValueOf } from './slots.ts'
import type { AttemptFacts } from './upstream.ts'

/** Members of every phase. N: slots that the plugin needs. P: slots that it provides. W: that it wants or reads. */
interface AnyPhase<N extends Slot, P extends Slot, W extends Slot> {
  /** UUIDv7 of the exchange. */
  readonly id: string
  /** For the client: `req_` and 12 hex digits, or `client_` and its own id; at a dedicated endpoint, 12 hex digits. */
  readonly requestId: string
  /** The request id for logs. Under zero data retention it never contains an id that the client sent. */
  readonly logId: string
  readonly surface: Surface
  /** Host name of the dedicated endpoint; null on other surfaces. */
  readonly endpoint: string | null
  /** The row of the route table. */
  readonly route: Route
  /** `HEAD` on the route of a GET: the same response without its body. */
  readonly method: string
  readonly headers: IncomingHttpHeaders
  /** Scheme, host and port that the client used, as trusted proxies report them: `https://api.example.com`. */
  readonly origin: string
  /** The raw query without `?`; empty if there is none. */
  readonly query: string
  /** Values of `{name}` in the route's path. */
  readonly params: Readonly<Record<string, string>>
  /** Arrival of the request, in milliseconds since the epoch. */
  readonly startedAt: number
  /** Arrival of the request, in microseconds since the epoch; unique within the process. */
  readonly startedMicros: number
  /** Aborted when the client disconnects. Pass it to every asynchronous operation. */
  readonly signal: AbortSignal
  /** The value of a declared slot; undefined if it has not been filled. */
  find<S extends N | P | W>(slot: S): ValueOf<S> | undefined
}

/** The exchange in onHeaders: the body has not been read. */
export interface HeadersPhase<N extends Slot = never, P extends Slot = never, W extends Slot = never>
  extends AnyPhase<N, P, W> {
  /** The value of a needed slot. It is filled: the chain is checked at start. */
  get<S extends N | P>(slot: S): ValueOf<S>
  /** Fills a provided slot. Use null for "no value", never undefined. */
  set<S extends P>(slot: S, value: ValueOf<S>): void
  /**
   * Sends this response: the hooks below do not run and no backend is called. Refusals use fail() instead.
   * A stream must open files and connections on its first read: if the client disconnects before, it is never read.
   * `contentType` defaults to `application/json`.
   */
  reply(status: number, body: JsonObject | string | Readable, contentType?: string): void
  /** Adds a response header. `name` is in lower case. */
  setHeader(name: string, value: string): void
  /**
   * Pipes the request body into `sink`, on routes whose `body` is null. Resolves when the sink has finished.
   * Refuses more than `limit` bytes with 413, and rejects with the sink's own error.
   */
  feedBody(sink: Writable, limit: number): Promise<void>
  /**
   * Charges memory for the request to the memory limit of bodies, until a reply begins or the exchange ends.
   * Refuses with 429 or 503 if too little is left, and with 413 if one account may never use as much.
   */
  chargeMemory(bytes: number): void
  /**
   * Adds a decision to the gate: no backend is called and no response is sent before the promise is settled.
   * A rejection refuses the request and takes precedence over refusals of hooks below. undefined: already decided.
   */
  holdUntil(decision: Promise<void> | void): void
  /** For a hook with outside effects: waits for decisions so far, and rejects if one did. undefined: none pending. */
  decided(): Promise<void> | void
}

/** The exchange in onBody: the body has been read and parsed; no backend has been called. */
export interface BodyPhase<N extends Slot = never, P extends Slot = never, W extends Slot = never>
  extends HeadersPhase<N, P, W> {
  /** The client's JSON in the route's format. Backends are sent the canonical request, which is in the slot `chat`. */
  readonly body: JsonObject
  /** Bytes of the body, as received. */
  readonly bodyBytes: number
  /** Runs a check of types, members and lengths, which reads long texts as their first 256 bytes and a placeholder. */
  validateBody<T>(check: (body: JsonObject) => T): T
  /** Translates `body` to a canonical request without decoding long texts. Throws the format's refusal. */
  translateBody(format: Format, options: FormatOptions): CanonicalRequest
}

/** The exchange in onSend. No get(): the request may have been refused before a slot was filled. */
export interface SendPhase<N extends Slot = never, P extends Slot = never, W extends Slot = never>
  extends AnyPhase<N, P, W> {
  /** Who answers: a backend, or the gateway itself. */
  readonly source: 'backend' | 'gateway'
  readonly status: number
  /** Adds a response header. `name` is in lower case. */
  setHeader(name: string, value: string): void
}

/** The exchange in onAttempt: a backend was chosen, but has not been sent the request. Every slot is filled. */
export interface AttemptPhase<N extends Slot = never, P extends Slot = never, W extends Slot = never>
  extends AnyPhase<N, P, W> {
  get<S extends N | P>(slot: S): ValueOf<S>
  /** The attempt that begins. Its model, backend and start are set. */
  readonly attempt: AttemptFacts
  /** The client's trace, from its request headers; null: none. */
  readonly trace: TraceContext | null
  /**
   * Replaces the client's headers of W3C Trace Context for this attempt only. Throws if `traceparent` is invalid.
   * An invalid `tracestate` is omitted.
   */
  setTrace(traceparent: string, tracestate?: string): void
}

/** The exchange in transform: a backend has begun its 200 reply. Every slot has been filled. */
export interface StreamPhase<N extends Slot = never, P extends Slot = never, W extends Slot = never>
  extends AnyPhase<N, P, W> {
  get<S extends N | P>(slot: S): ValueOf<S>
  /** True: the client receives events; false: one JSON body. */
  readonly streaming: boolean
  /**
   * For a transformer that buffers chunks until it knows a decision: no more is read from the backend, and the reply
   * does not end, before the promise is settled. A rejection fails the reply. The transformer may pass chunks on, and
   * call this again, when it knows the decision.
   */
  holdReply(decision: Promise<void>): void
}

/** How an exchange ended: `done`, response complete; `failed`, refused or failed; `client_gone`, disconnected. */
export type Outcome = 'done' | 'failed' | 'client_gone'

/** The exchange in onFinish. No get(): the request may have been refused before a slot was filled. */
export interface FinishPhase<N extends Slot = never, P extends Slot = never, W extends Slot = never>
  extends AnyPhase<N, P, W> {
  /** Final HTTP status; 499 if the client disconnected. */
  readonly status: number
  readonly outcome: Outcome
  /** The refusal or failure; undefined: none. */
  readonly error: GatewayError | undefined
  /** True: the exchange failed after the response head had been sent. */
  readonly brokeMidStream: boolean
  /** The finish reason of a reply that a transformer has stopped; undefined: none has. */
  readonly stopReason: FinishReason | undefined
  /** True: the client received events. */
  readonly streaming: boolean
  /** Milliseconds from the arrival of the request to the last byte of the response. */
  readonly durationMs: number
  /** Milliseconds from the start of the first attempt to the end of the last; null: no attempt. */
  readonly upstreamMs: number | null
  /** HTTP status of the last backend's response; 0: none. */
  readonly upstreamStatus: number
  /** Why the last attempt failed, without content of request or reply; undefined: it did not fail. Not for clients. */
  readonly upstreamError: string | undefined
  /** Number of requests to backends. */
  readonly attempts: number
  /** Facts about each attempt, in order. Not for clients. */
  readonly attemptFacts: readonly AttemptFacts[]
  /** Milliseconds that the request waited for a backend with capacity; null: none was chosen. */
  readonly queueMs: number | null
  /** Milliseconds from the start of the first attempt to the response head of the last; null: it had none. */
  readonly firstByteMs: number | null
  /** Base URL of the backend of the last attempt; null: no attempt. Not for clients. */
  readonly backend: string | null
  /** True: the request was sent to the backend of the last attempt, at least in part. */
  readonly requestSent: boolean
  /** Bytes of the body, as received. */
  readonly bodyBytes: number
  /** IP address of the client; null unless `log: { client_address: true }` is configured. Only for the log. */
  readonly clientAddress: string | null
  /** The client's trace, from its request headers; null: none. */
  readonly trace: TraceContext | null
  /** Trace id of the last attempt, for the log; null: none. Under zero data retention it is never the client's own. */
  readonly traceId: string | null
}

/** All hooks are optional. An asynchronous request hook returns a promise, a synchronous one returns nothing. */
export interface Hooks<N extends Slot = never, P extends Slot = never, W extends Slot = never> {
  /** Top to bottom. The body has not been read yet. */
  onHeaders?(exchange: HeadersPhase<N, P, W>): void | Promise<void>
  /** Top to bottom. The body has been parsed; no backend has been called. */
  onBody?(exchange: BodyPhase<N, P, W>): void | Promise<void>
  /** Bottom to top, before the head of any response is written. */
  onSend?(exchange: SendPhase<N, P, W>): void
  /** Top to bottom, before each attempt; must not throw or wait. Its result is in `attemptFacts` of onFinish. */
  onAttempt?(exchange: AttemptPhase<N, P, W>): void
  /** Bottom to top, on the first chunk of a backend's 200 reply; once per attempt. A JSON reply has a few chunks. */
  transform?(exchange: StreamPhase<N, P, W>): Transformer | undefined
  /** Bottom to top, once, before the last byte, so that records are written when it arrives. Must not throw or wait. */
  onFinish?(exchange: FinishPhase<N, P, W>): void
  /** Called after the last exchange of this runtime, when its configuration was replaced or the process ends. */
  close?(): void | Promise<void>
}

/** The routes that a plugin runs on, by columns of the route table. An absent member matches every route. */
export interface RouteFilter {
  readonly surface?: readonly Surface[]
  readonly format?: readonly FormatName[]
  readonly route?: readonly string[]
  readonly proxied?: boolean
  readonly canonical?: boolean
  readonly access?: Route['access'] | readonly Route['access'][]
}

// biome-ignore-start lint/suspicious/noExplicitAny: erased defaults of the contract; definePlugin() infers the types.
/** A plugin, as definePlugin() accepts it. */
export interface Plugin<Options = any, N extends Slot = any, P extends Slot = any, W extends Slot = any> {
  /** Unique in a chain. Appears in logs, metrics and messages. */
  readonly name: string
  /** One line, shown by `sluiceway explain`. */
  readonly summary: string
  readonly routes?: RouteFilter
  /** JSON Schema 2020-12 of the options, with their defaults. Absent: the plugin has no options. */
  readonly options?: object
  /** Slots read with get(). A plugin above must provide each of them. */
  readonly needs?: readonly N[]
  /** Slots that the plugin fills on every exchange that it does not refuse. One plugin per slot. */
  readonly provides?: readonly P[]
  /** Slots read with find(). Their provider may be absent. If it is present, it must be above. */
  readonly wants?: readonly W[]
  /** Slots read with find(), but only in onAttempt, onSend, transform or onFinish, where the order does not matter. */
  readonly reads?: readonly W[]
  /** Names of plugins that must be above if they are present, for an order that no slot expresses. */
  readonly after?: readonly string[]
  /** Its own error codes, made with defineErrors(). Each has a page, and is in the description of the API. */
  readonly errors?: PluginErrors
  /** Called once per configuration, with validated options. */
  setup(options: Options, services: Services): Hooks<N, P, W> | Promise<Hooks<N, P, W>>
}
// biome-ignore-end lint/suspicious/noExplicitAny: see above

/** Checks a plugin's types and returns it unchanged. */
export function definePlugin<
  Options = Record<string, never>,
  N extends Slot = never,
  P extends Slot = never,
  W extends Slot = never,
>(plugin: Plugin<Options, N, P, W>): Plugin<Options, N, P, W> {
  return plugin
}
