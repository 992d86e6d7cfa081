/** The plugin contract: types and definePlugin(), nothing else. docs/PLUGINS.md tells how to write one. */
import type { IncomingHttpHeaders } from 'node:http'
import type { Readable, Writable } from 'node:stream'
import type { JsonObject } from '../base/json.ts'
import type { DetachedTexts } from '../body/texts.ts'
import type { FormatName } from '../canonical/format.ts'
import type { Transformer } from '../canonical/transformer.ts'
import type { GatewayError } from '../errors/errors.ts'
import type { Route, Surface } from '../routes/routes.ts'
import type { Services } from './services.ts'
import type { Slot, ValueOf } from './slots.ts'

/** What a plugin sees of one exchange. N: slots it needs. P: slots it provides. W: slots it wants. */
interface AnyPhase<N extends Slot, P extends Slot, W extends Slot> {
  /** UUIDv7 of the exchange. */
  readonly id: string
  /** What the client is shown as request id: `req_` and 12 hex digits, or `client_…`, or bare 12 hex digits. */
  readonly requestId: string
  readonly surface: Surface
  /** The dedicated endpoint's host name; null elsewhere. */
  readonly endpoint: string | null
  readonly route: Route
  readonly headers: IncomingHttpHeaders
  /** The raw query without `?`; empty when there is none. */
  readonly query: string
  /** Values of `{name}` in the route's path. */
  readonly params: Readonly<Record<string, string>>
  /** Milliseconds since the epoch at which the request arrived. */
  readonly startedAt: number
  /** The same in microseconds, never the same twice in one process. */
  readonly startedMicros: number
  /** Aborted when the client is gone. Hand it to everything that waits. */
  readonly signal: AbortSignal
  /** The value of a declared slot; undefined when the exchange never got as far as filling it. */
  find<S extends N | P | W>(slot: S): ValueOf<S> | undefined
}

export interface HeadersPhase<N extends Slot = never, P extends Slot = never, W extends Slot = never>
  extends AnyPhase<N, P, W> {
  /** The value of a needed slot. Always there: boot checked it. */
  get<S extends N | P>(slot: S): ValueOf<S>
  set<S extends P>(slot: S, value: ValueOf<S>): void
  /**
   * Answers here and now: the backend is not called, hooks below are skipped. To refuse, use fail(). A stream may never be
   * read, so it must hold nothing before it is.
   */
  reply(status: number, body: JsonObject | string | Readable, contentType?: string): void
  /** Adds a response header; the name in lower case. */
  setHeader(name: string, value: string): void
  /**
   * Hands a body that is no JSON on to `sink` as it comes, on routes without a schema for it; resolves when the sink has
   * finished. Refuses more than `limit` bytes with 413, rejects with the sink's own error.
   */
  feedBody(sink: Writable, limit: number): Promise<void>
  /**
   * The chain goes on while this is being decided, but no backend is called and nothing is answered before it is. Where it
   * rejects, that is the refusal, also if a hook below has refused in the meantime. undefined: decided already.
   */
  holdUntil(decision: Promise<void> | void): void
  /** For a hook that does what cannot be undone: rejects when holdUntil() was given what rejects. undefined: no need to wait. */
  decided(): Promise<void> | void
}

export interface BodyPhase<N extends Slot = never, P extends Slot = never, W extends Slot = never>
  extends HeadersPhase<N, P, W> {
  /** The client's JSON in the route's format. The canonical request is the `chat` slot. */
  readonly body: JsonObject
  /** Bytes of the body as received. */
  readonly bodyBytes: number
  /** Long texts of a large body, which travel beside it: in their places stand marks. null: there are none. */
  readonly detached: DetachedTexts | null
}

/** No get(): the request may have been refused before anything was filled. */
export interface SendPhase<N extends Slot = never, P extends Slot = never, W extends Slot = never>
  extends AnyPhase<N, P, W> {
  readonly source: 'backend' | 'gateway'
  readonly status: number
  setHeader(name: string, value: string): void
}

/** A 2xx answer from a backend, so everything above has been filled. */
export interface StreamPhase<N extends Slot = never, P extends Slot = never, W extends Slot = never>
  extends AnyPhase<N, P, W> {
  get<S extends N | P>(slot: S): ValueOf<S>
  /** The client is sent events; else one JSON body. */
  readonly streaming: boolean
}

export type Outcome = 'done' | 'failed' | 'client_gone'

export interface FinishPhase<N extends Slot = never, P extends Slot = never, W extends Slot = never>
  extends AnyPhase<N, P, W> {
  /** Final HTTP status; 499 when the client left. */
  readonly status: number
  readonly outcome: Outcome
  /** Why it was refused or failed. */
  readonly error: GatewayError | undefined
  /** A failure after the status line had gone out: reported in-band. */
  readonly brokeMidStream: boolean
  readonly streaming: boolean
  /** From the request's first line to its last byte. */
  readonly durationMs: number
  /** From sending the request to the backend until the reply's end; null when no backend was called. */
  readonly upstreamMs: number | null
  /** Status of the backend's answer; 0 when there was none. */
  readonly upstreamStatus: number
  /** URL of the backend that was tried last; null when none was. For operators only. */
  readonly backend: string | null
  /** Bytes of the body as received. */
  readonly bodyBytes: number
}

/** Every hook is optional. Request hooks return nothing when done, or a promise when there is something to wait for. */
export interface Hooks<N extends Slot = never, P extends Slot = never, W extends Slot = never> {
  /** Top to bottom. The body has not been read yet. */
  onHeaders?(exchange: HeadersPhase<N, P, W>): void | Promise<void>
  /** Top to bottom. The body is JSON; the backend has not been called. */
  onBody?(exchange: BodyPhase<N, P, W>): void | Promise<void>
  /** Bottom to top, before the response head is written, whoever made the response. */
  onSend?(exchange: SendPhase<N, P, W>): void
  /** Bottom to top, once per successful backend answer. A JSON answer is a stream of few chunks. */
  transform?(exchange: StreamPhase<N, P, W>): Transformer | undefined
  /**
   * Bottom to top, exactly once, whatever happened, and before the last byte leaves: what a client knows to be over
   * has been recorded and given back. Must not throw or wait.
   */
  onFinish?(exchange: FinishPhase<N, P, W>): void
  /** The process is shutting down; every exchange has finished. */
  close?(): void | Promise<void>
}

/** Absent members match anything. */
export interface RouteFilter {
  readonly surface?: readonly Surface[]
  readonly format?: readonly FormatName[]
  readonly route?: readonly string[]
  readonly proxied?: boolean
  readonly canonical?: boolean
  readonly access?: Route['access']
}

// biome-ignore-start lint/suspicious/noExplicitAny: the erased defaults of the contract; definePlugin() infers the real ones.
export interface Plugin<Options = any, N extends Slot = any, P extends Slot = any, W extends Slot = any> {
  readonly name: string
  /** One line, shown by `sluiceway explain`. */
  readonly summary: string
  readonly routes?: RouteFilter
  /** JSON Schema of `options` in the config. Defaults go there, not into code. */
  readonly options?: object
  readonly needs?: readonly N[]
  readonly provides?: readonly P[]
  /** Read with find(). The plugin that provides it may be absent, but if present it must be above. */
  readonly wants?: readonly W[]
  /** Read with find() in onSend or onFinish only, when every request hook has run: any order will do. */
  readonly reads?: readonly W[]
  /** Names of plugins that must be above this one where they are present: for order that no slot expresses. */
  readonly after?: readonly string[]
  /** Called once at boot with validated options. */
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
