/** The plugin contract: types and definePlugin(), nothing else. docs/PLUGINS.md explains how to write one. */
import type { IncomingHttpHeaders } from 'node:http'
import type { Readable, Writable } from 'node:stream'
import type { JsonObject } from '../base/json.ts'
import type { TraceContext } from '../base/trace-context.ts'
import type { Format, FormatName, FormatOptions } from '../canonical/format.ts'
import type { Transformer } from '../canonical/reply.ts'
import type { CanonicalRequest } from '../canonical/request.ts'
import type { GatewayError } from '../errors/errors.ts'
import type { Route, Surface } from '../routes/routes.ts'
import type { Services } from './services.ts'
import type { Slot, ValueOf } from './slots.ts'
import type { AttemptFacts } from './upstream.ts'

/** Members of every phase. N: slots the plugin needs. P: slots it provides. W: slots it wants or reads. */
interface AnyPhase<N extends Slot, P extends Slot, W extends Slot> {
  /** UUIDv7 of the exchange. */
  readonly id: string
  /**
   * The request id that the client sees: `req_` and 12 hex digits; `client_` and the id that the client sent; 12 hex digits on a
   * dedicated endpoint.
   */
  readonly requestId: string
  /** The request id for logs: under zero data retention never one that the client sent. */
  readonly logId: string
  /** The kind of host that was called. */
  readonly surface: Surface
  /** The dedicated endpoint's host name; null elsewhere. */
  readonly endpoint: string | null
  /** The row of the route table. */
  readonly route: Route
  /** Request headers, names in lower case. */
  readonly headers: IncomingHttpHeaders
  /** Scheme, host and port that the client has addressed, as far as trusted proxies tell: `https://api.example.com`. */
  readonly origin: string
  /** The raw query without `?`; empty when there is none. */
  readonly query: string
  /** Values of `{name}` in the route's path. */
  readonly params: Readonly<Record<string, string>>
  /** Milliseconds since the epoch at which the request arrived. */
  readonly startedAt: number
  /** The same in microseconds, unique within the process. */
  readonly startedMicros: number
  /** Aborted when the client disconnects. Pass it to everything that waits. */
  readonly signal: AbortSignal
  /** The value of a declared slot; undefined where it has not been filled. */
  find<S extends N | P | W>(slot: S): ValueOf<S> | undefined
}

/** The exchange in onHeaders: the body has not been read. */
export interface HeadersPhase<N extends Slot = never, P extends Slot = never, W extends Slot = never>
  extends AnyPhase<N, P, W> {
  /** The value of a needed slot. The check at start guarantees that it is filled. */
  get<S extends N | P>(slot: S): ValueOf<S>
  /** Fills a provided slot. "Nothing" is null, never undefined. */
  set<S extends P>(slot: S, value: ValueOf<S>): void
  /**
   * Sends this response: the hooks below do not run and no backend is called. Refusals use fail() instead. `body`: JSON, text
   * or a stream. A stream opens files and connections on its first read, because a client that disconnects first never reads it.
   * `contentType` defaults to `application/json`.
   */
  reply(status: number, body: JsonObject | string | Readable, contentType?: string): void
  /** Adds a response header; the name in lower case. */
  setHeader(name: string, value: string): void
  /**
   * Pipes the request body into `sink`, on routes whose `body` is null. Resolves when the sink has finished. Refuses more than
   * `limit` bytes with 413, and rejects with the sink's own error.
   */
  feedBody(sink: Writable, limit: number): Promise<void>
  /**
   * Charges bytes that the plugin is about to hold for the request to the memory for bodies. They are returned when a backend's
   * reply begins, or at the end of the exchange. Refuses with 429 or 503 where the account or the process has too little left,
   * and with 413 what one account may never hold.
   */
  chargeMemory(bytes: number): void
  /**
   * Adds a decision to the gate of the exchange. The hooks below run meanwhile; no backend is called and no response is sent
   * before the promise is settled. A rejection is the refusal, also where a hook below has refused in the meantime. undefined:
   * decided already.
   */
  holdUntil(decision: Promise<void> | void): void
  /**
   * For a hook with an effect outside the process: waits for every decision so far, and rejects where one of them has. undefined:
   * all are made.
   */
  decided(): Promise<void> | void
}

/** The exchange in onBody: the body has been read and parsed, the backend has not been called. */
export interface BodyPhase<N extends Slot = never, P extends Slot = never, W extends Slot = never>
  extends HeadersPhase<N, P, W> {
  /** The client's JSON in the route's format. The canonical request is in the slot `chat`: that is sent to backends. */
  readonly body: JsonObject
  /** Bytes of the body as received. */
  readonly bodyBytes: number
  /**
   * Validates `body` without decoding the long texts of a large one: for checks of types, members and lengths, as a JSON
   * Schema makes them. Of a long text, `check` sees the first 128 bytes and a placeholder for the rest.
   */
  validateBody<T>(check: (body: JsonObject) => T): T
  /** Translates `body` to a canonical request without decoding the long texts of a large one. Throws the format's refusal. */
  translateBody(format: Format, options: FormatOptions): CanonicalRequest
}

/** The exchange in onSend. No get(): the request may have been refused before a slot was filled. */
export interface SendPhase<N extends Slot = never, P extends Slot = never, W extends Slot = never>
  extends AnyPhase<N, P, W> {
  /** The origin of the response. */
  readonly source: 'backend' | 'gateway'
  /** HTTP status. */
  readonly status: number
  /** Adds a response header; the name in lower case. */
  setHeader(name: string, value: string): void
}

/** The exchange in onAttempt: a backend has been chosen, and has not been sent the request. Every slot has been filled. */
export interface AttemptPhase<N extends Slot = never, P extends Slot = never, W extends Slot = never>
  extends AnyPhase<N, P, W> {
  /** The value of a needed slot. */
  get<S extends N | P>(slot: S): ValueOf<S>
  /** The attempt that begins: model, backend and start are known. */
  readonly attempt: AttemptFacts
  /** The trace that the client takes part in, as its headers have it; null: none. */
  readonly trace: TraceContext | null
  /**
   * Sends this backend these headers of W3C Trace Context in place of the client's. `tracestate` is left out where it is not a
   * valid one. Throws where `traceparent` is none. Later attempts begin with the client's again.
   */
  setTrace(traceparent: string, tracestate?: string): void
}

/** The exchange in transform: a backend has begun its 200 reply, so every slot has been filled. */
export interface StreamPhase<N extends Slot = never, P extends Slot = never, W extends Slot = never>
  extends AnyPhase<N, P, W> {
  /** The value of a needed slot. */
  get<S extends N | P>(slot: S): ValueOf<S>
  /** True: the client receives events; false: one JSON body. */
  readonly streaming: boolean
}

/** How an exchange ended: complete, refused or failed, or the client disconnected. */
export type Outcome = 'done' | 'failed' | 'client_gone'

/** The exchange in onFinish. No get(): the request may have been refused before a slot was filled. */
export interface FinishPhase<N extends Slot = never, P extends Slot = never, W extends Slot = never>
  extends AnyPhase<N, P, W> {
  /** Final HTTP status; 499 where the client disconnected. */
  readonly status: number
  readonly outcome: Outcome
  /** The refusal or failure; undefined where there was none. */
  readonly error: GatewayError | undefined
  /** True: it failed after the response head had been sent. */
  readonly brokeMidStream: boolean
  /** True: the client received events. */
  readonly streaming: boolean
  /** Milliseconds from the request's first line to the response's last byte. */
  readonly durationMs: number
  /** Milliseconds from sending the request to the backend to the end of its reply; null where no backend was called. */
  readonly upstreamMs: number | null
  /** HTTP status of the backend; 0 where there was none. */
  readonly upstreamStatus: number
  /** Why the last attempt failed, without any content of request or reply; undefined where it did not. Not for clients. */
  readonly upstreamError: string | undefined
  /** Requests that were sent to backends. */
  readonly attempts: number
  /** What came of each of them, in order. Not for clients. */
  readonly attemptFacts: readonly AttemptFacts[]
  /** Milliseconds that the request waited for a backend with capacity; null where none was chosen. */
  readonly queueMs: number | null
  /** Milliseconds from the first attempt to the response head of the last; null where no backend has answered. */
  readonly firstByteMs: number | null
  /** URL of the backend of the last attempt; null where there was none. Not for clients. */
  readonly backend: string | null
  /** True: a connection to the backend of the last attempt was open, and the request has been sent or was being sent. */
  readonly requestSent: boolean
  /** Bytes of the body as received. */
  readonly bodyBytes: number
  /** IP address of the client; null unless `log: { client_address: true }` is configured. For the log alone. */
  readonly clientAddress: string | null
  /** The trace that the client takes part in, as its headers have it; null: none. */
  readonly trace: TraceContext | null
  /** Trace id for the log, that of the last attempt; null: none. Under zero data retention never one that the client sent. */
  readonly traceId: string | null
}

/** All hooks are optional. A request hook that waits returns a promise; one that does not returns nothing. */
export interface Hooks<N extends Slot = never, P extends Slot = never, W extends Slot = never> {
  /** Top to bottom. The body has not been read yet. */
  onHeaders?(exchange: HeadersPhase<N, P, W>): void | Promise<void>
  /** Top to bottom. The body is JSON; the backend has not been called. */
  onBody?(exchange: BodyPhase<N, P, W>): void | Promise<void>
  /** Bottom to top, before the head of any response is written. */
  onSend?(exchange: SendPhase<N, P, W>): void
  /**
   * Top to bottom, before each request to a backend is sent; once per attempt. Must not throw or wait. Its end is in
   * `attemptFacts` of onFinish.
   */
  onAttempt?(exchange: AttemptPhase<N, P, W>): void
  /**
   * Bottom to top, on the first chunk of a backend's 200 reply; once per attempt that gets that far. A JSON reply is a few
   * chunks.
   */
  transform?(exchange: StreamPhase<N, P, W>): Transformer | undefined
  /**
   * Bottom to top, exactly once per exchange, before the last byte of the response is sent: records are written and leases
   * released before the client knows that it is over. Must not throw or wait.
   */
  onFinish?(exchange: FinishPhase<N, P, W>): void
  /** The configuration has been replaced or the process ends, and the last exchange of this runtime has finished. */
  close?(): void | Promise<void>
}

/** The routes a plugin runs on, by columns of the route table. Absent members match everything. */
export interface RouteFilter {
  readonly surface?: readonly Surface[]
  readonly format?: readonly FormatName[]
  readonly route?: readonly string[]
  readonly proxied?: boolean
  readonly canonical?: boolean
  readonly access?: Route['access'] | readonly Route['access'][]
}

// biome-ignore-start lint/suspicious/noExplicitAny: the erased defaults of the contract; definePlugin() infers the real ones.
/** A plugin, as definePlugin() takes it. */
export interface Plugin<Options = any, N extends Slot = any, P extends Slot = any, W extends Slot = any> {
  /** Unique in a chain; shown in logs, metrics and messages. */
  readonly name: string
  /** One line, shown by `sluiceway explain`. */
  readonly summary: string
  readonly routes?: RouteFilter
  /** JSON Schema 2020-12 of the options. Defaults stand there, not in code. Without a schema, there are no options. */
  readonly options?: object
  /** Slots read with get(). A plugin above must provide each. */
  readonly needs?: readonly N[]
  /** Slots filled on every exchange that passes. One plugin per slot. */
  readonly provides?: readonly P[]
  /** Slots read with find(). Their provider may be absent; where it is present, it must be above. */
  readonly wants?: readonly W[]
  /** Slots read with find() in onAttempt, onSend, transform or onFinish only, so that the order does not matter. */
  readonly reads?: readonly W[]
  /** Names of plugins that must be above where they are present, for order that no slot expresses. */
  readonly after?: readonly string[]
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
