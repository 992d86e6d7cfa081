import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { Readable, Writable } from 'node:stream'
import type { Clock } from '../base/clock.ts'
import { publicId, uuidv7 } from '../base/ids.ts'
import type { Json, JsonObject } from '../base/json.ts'
import type { WriteQueue } from '../base/write-queue.ts'
import { feedBody } from '../body/feed.ts'
import type { DetachedTexts } from '../body/texts.ts'
import type { ErrorBody, GatewayError } from '../errors/errors.ts'
import type { Match } from '../routes/router.ts'
import type { Route, Surface } from '../routes/routes.ts'
import type { Chain } from './chain.ts'
import type { Outcome } from './plugin.ts'
import type { Slot, ValueOf } from './slots.ts'

/** A client's own request id that may be echoed (docs/DESIGN.md#request-ids). */
const CLIENT_ID = /^[A-Za-z0-9._-]{1,128}$/

const NO_PARAMS: Readonly<Record<string, string>> = Object.freeze({})

/** Where the pages about errors are. */
export interface DocsHost {
  /** Ends with a slash, the error's code is appended. null: the pages that this gateway serves itself. */
  readonly docsBase: string | null
  /** The gateway itself speaks TLS. */
  readonly secure: boolean
}

/** What every exchange of a gateway shares. */
export interface ExchangeHost extends DocsHost {
  readonly clock: Clock
  readonly writes: WriteQueue
  /** Number of slots. */
  readonly slots: number
  /** Something was thrown that is no refusal: logged with its stack, never shown. */
  fault(exchange: Exchange, thrown: unknown): void
  /** The gateway itself answered with an error. */
  refused(exchange: Exchange, error: GatewayError): void
}

/** Parts of the core that are at work between the plugins, named as they are: in the log, and as `plugin` of refusals. */
export const PART = { router: 'router', body: 'body', backend: 'backend', stage: 'stage' } as const

/** A local answer given by a plugin. */
export interface Reply {
  readonly status: number
  /** A stream is read while it is sent. */
  readonly body: JsonObject | string | Readable
  readonly contentType: string
}

/**
 * Told when the client has left, or when the gateway cannot wait any longer. An object and not a function: V8 allocates
 * a function that is assigned to a property as if it stayed for good, and with it everything that it refers to
 * (docs/BENCHMARKS.md).
 */
export interface Waiting {
  abandon(): void
  /** The backend's part ends here, and the client is told why. */
  giveUp(error: GatewayError): void
}

export interface Lease {
  release(): void
}

/** What the exchange is held for, and the plugin that wants it. */
interface Hold {
  readonly plugin: string
  readonly decision: Promise<void>
}

/**
 * One request and its answer, from the first header to the last byte. Plugins see it through the phase types of
 * plugin.ts. All fields are assigned here, so that every exchange has the same shape.
 */
export class Exchange {
  readonly id: string
  readonly requestId: string
  readonly route: Route
  readonly surface: Surface
  readonly endpoint: string | null
  readonly params: Readonly<Record<string, string>>
  readonly headers: IncomingHttpHeaders
  readonly path: string
  readonly query: string
  readonly startedAt: number
  readonly startedMicros: number
  /** On the monotonic clock, milliseconds. */
  readonly startedMono: number
  readonly chain: Chain
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly host: ExchangeHost

  body: JsonObject = NO_BODY
  bodyBytes = 0
  /** Long texts that were taken out of `body` (lib/body/detach.ts); null: none. */
  detached: DetachedTexts | null = null
  replyValue: Reply | null = null
  streaming = false
  source: 'backend' | 'gateway' = 'gateway'
  status = 0
  error: GatewayError | undefined = undefined
  outcome: Outcome = 'done'
  brokeMidStream = false
  /** Who is at work, for the log and the count of refusals: a plugin by its name, else a part of the core. */
  plugin: string = PART.router
  /** The client's connection closed before the answer was complete. */
  gone = false
  finished = false
  /** Request hooks or the way to the backend are under way: onFinish has to wait for them. */
  busy = true
  /** Status of the last backend answer; 0 when there was none. */
  upstreamStatus = 0
  backend: string | null = null
  upstreamStartedMono = 0
  upstreamEndedMono = 0
  finishedMono = 0
  /** Whoever waits for a backend on behalf of the exchange. */
  waiting: Waiting | null = null
  /** What the core took and gives back with the finish hooks. */
  lease: Lease | null = null

  readonly #slots: unknown[]
  readonly #responseHeaders: string[] = []
  #abort: AbortController | null = null
  #holds: Hold[] | null = null

  constructor(
    host: ExchangeHost,
    match: Match<Chain>,
    req: IncomingMessage,
    res: ServerResponse,
    path: string,
    query: string,
  ) {
    this.host = host
    this.startedMicros = host.clock.micros()
    this.startedAt = Math.floor(this.startedMicros / 1000)
    this.startedMono = host.clock.monotonic()
    this.id = uuidv7(this.startedAt)
    this.route = match.route
    this.surface = match.surface
    this.endpoint = match.endpoint
    this.params = match.params ?? NO_PARAMS
    this.chain = match.chain
    this.headers = req.headers
    this.path = path
    this.query = query
    this.req = req
    this.res = res
    this.#slots = new Array<unknown>(host.slots).fill(undefined)
    this.requestId = shownId(this.id, match.surface, req.headers['x-request-id'])
  }

  get replied(): boolean {
    return this.replyValue !== null
  }

  get signal(): AbortSignal {
    if (this.#abort === null) {
      this.#abort = new AbortController()
      if (this.gone) this.#abort.abort()
    }
    return this.#abort.signal
  }

  get durationMs(): number {
    return (this.finishedMono || this.host.clock.monotonic()) - this.startedMono
  }

  get upstreamMs(): number | null {
    if (this.upstreamStartedMono === 0) return null
    return (this.upstreamEndedMono || this.host.clock.monotonic()) - this.upstreamStartedMono
  }

  get<S extends Slot>(slot: S): ValueOf<S> {
    const value = this.#slots[slot.index]
    if (value === undefined)
      throw new Error(`slot '${slot.name}' is empty: the plugin that provides it did not fill it`)
    return value as ValueOf<S>
  }

  find<S extends Slot>(slot: S): ValueOf<S> | undefined {
    return this.#slots[slot.index] as ValueOf<S> | undefined
  }

  set<S extends Slot>(slot: S, value: ValueOf<S>): void {
    this.#slots[slot.index] = value
  }

  reply(status: number, body: Reply['body'], contentType = 'application/json'): void {
    this.replyValue = { status, body, contentType }
  }

  setHeader(name: string, value: string): void {
    this.#responseHeaders.push(name, value)
  }

  feedBody(sink: Writable, limit: number): Promise<void> {
    return feedBody(this, sink, limit)
  }

  /** The response headers collected so far, as a flat list. */
  get responseHeaders(): string[] {
    return this.#responseHeaders
  }

  /** Something is being decided that everything which leaves the gateway has to wait for. */
  get held(): boolean {
    return this.#holds !== null
  }

  holdUntil(decision: Promise<void> | void): void {
    if (decision === undefined) return
    // Whoever waits for it comes later.
    decision.catch(ignore)
    const hold = { plugin: this.plugin, decision }
    if (this.#holds === null) this.#holds = [hold]
    else this.#holds.push(hold)
  }

  decided(): Promise<void> | void {
    if (this.#holds !== null) return this.#decided(this.#holds)
  }

  /** All of it, so that nothing is taken after the exchange has ended; the refusal of the topmost. */
  async #decided(holds: Hold[]): Promise<void> {
    let refusal: { readonly error: unknown; readonly plugin: string } | undefined
    for (const { plugin, decision } of holds) {
      try {
        await decision
      } catch (error) {
        refusal ??= { error, plugin }
      }
    }
    if (refusal === undefined) {
      if (this.#holds?.length === holds.length) this.#holds = null
      return
    }
    this.plugin = refusal.plugin
    throw refusal.error
  }

  /** The client left: stop everything that is being waited for. */
  leave(): void {
    this.gone = true
    this.#abort?.abort()
    this.waiting?.abandon()
  }

  /** `error` of the envelope for this exchange (docs/api/errors.md#envelope). */
  errorBody(error: GatewayError): ErrorBody {
    const { param, ownParam, extra } = error.details
    return {
      type: error.type,
      code: error.code,
      message: error.message,
      ...(param === undefined ? null : { param: ownParam ? param : this.chain.format.toClientParam(param) }),
      request_id: this.requestId,
      docs_url: docsUrl(this.host, this.headers.host, error.code),
      ...(extra as Record<string, Json>),
    }
  }
}

export const NO_BODY: JsonObject = Object.freeze({})

function ignore(): void {}

/** `docs_url` of an error: without one in the configuration, the page on the host that the client has called. */
export function docsUrl({ docsBase, secure }: DocsHost, host: string | undefined, code: string): string {
  return `${docsBase ?? `http${secure ? 's' : ''}://${host ?? 'localhost'}/docs/errors/`}${code}`
}

function shownId(id: string, surface: Surface, fromClient: string | string[] | undefined): string {
  if (surface === 'dedicated') return publicId(id)
  if (typeof fromClient === 'string' && CLIENT_ID.test(fromClient)) return `client_${fromClient}`
  return `req_${publicId(id)}`
}
