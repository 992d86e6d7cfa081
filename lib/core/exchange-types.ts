/** Types of an exchange's members: its host, a plugin's reply, its chain. */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { Readable, Writable } from 'node:stream'
import type { Clock } from '../base/clock.ts'
import type { JsonObject } from '../base/json.ts'
import type { WriteQueue } from '../base/write-queue.ts'
import type { BodiesHost, BodyCharge } from '../body/index.ts'
import type { Format } from '../canonical/format.ts'
import type { Transformer } from '../canonical/reply.ts'
import type { DocsHost } from '../errors/envelope.ts'
import type { GatewayError } from '../errors/errors.ts'
import type { ClientView } from '../http/proxies.ts'
import type { Route } from '../routes/routes.ts'
import type { Admission, AdmittedRequest } from './admission.ts'
import type { AttemptPhase, FinishPhase, SendPhase, StreamPhase } from './plugin.ts'

/** A request whose body has not been read. */
interface UnreadRequest {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly headers: IncomingHttpHeaders
  readonly gone: boolean
  /** Bytes of the body that have been received. */
  bodyBytes: number
  readonly charge: BodyCharge
  readonly admitted: AdmittedRequest | null
  readonly host: Pick<ExchangeHost, 'bodies'>
}

/** Shared by all exchanges of a runtime. */
export interface ExchangeHost extends DocsHost {
  readonly clock: Clock
  readonly client: ClientView
  /** Log lines contain the address of the client (`log.client_address`). */
  readonly isAddressLogged: boolean
  readonly writes: WriteQueue
  /** Milliseconds after which a client that reads nothing is disconnected. */
  readonly clientIdleMs: number
  readonly slots: number
  readonly bodies: BodiesHost
  readonly admission: Admission
  /** Pipes the request body into a plugin's sink: feedBody() of the plugin contract. */
  feedBody(exchange: UnreadRequest, sink: Writable, limit: number): Promise<void>
  /** Logs a fault with its stack. `source`: the plugin or the part of the core that threw it. */
  fault(exchange: { readonly logId: string; readonly route: Route }, thrown: unknown, source?: string): void
  refused(error: GatewayError): void
}

export interface Reply {
  readonly status: number
  /** A stream is sent while it is read. */
  readonly body: JsonObject | string | Readable
  readonly contentType: string
}

/** A request hook of one plugin, or a step of the core between the hooks. */
export interface HookCallOf<E> {
  /** Name of the plugin or of the part of the core, for errors that the step throws. */
  readonly plugin: string
  readonly call: (exchange: E) => void | Promise<void>
}

/** The hooks of one route of one surface, compiled at start (chain.ts). */
export interface ChainOf<E> {
  readonly format: Format
  /** Request hooks, top to bottom. */
  readonly headers: readonly HookCallOf<E>[]
  readonly body: readonly HookCallOf<E>[]
  /** All steps before the gate: `headers`, then those that read the body, then `body`. */
  readonly request: readonly HookCallOf<E>[]
  /** Top to bottom. */
  readonly attempt: readonly ((exchange: AttemptPhase) => void)[]
  /** Bottom to top, like `transform` and `finish`. */
  readonly send: readonly ((exchange: SendPhase) => void)[]
  readonly transform: readonly ((exchange: StreamPhase) => Transformer | undefined)[]
  readonly finish: readonly ((exchange: FinishPhase) => void)[]
  /** Name of the plugin by hook, for the four lists above. */
  readonly owners: ReadonlyMap<unknown, string>
}
