import type { JsonObject } from '../base/json.ts'
import { quoted, words } from '../base/quoted.ts'
import { BufferPool } from '../body/index.ts'

import type { CanonicalRequest } from '../canonical/request.ts'
import type { Config } from '../config/config.ts'
import type { Exchange } from '../core/exchange.ts'
import type { PipeRequest } from '../core/pipe-request.ts'
import { chat, pipe, target } from '../core/slots.ts'
import type { Target } from '../core/target.ts'
import { fail, failure, type GatewayError } from '../errors/errors.ts'
import { Attempt, senderOf } from './attempt.ts'
import { backendBody } from './encode/request.ts'
import type { BackendFailure } from './failure.ts'
import { FailedAttempts } from './health/failed-attempts.ts'
import type { Outlet } from './outlet.ts'
import type { Backend, BackendPool } from './pool.ts'
import type { Routed, Routing } from './routing/routing.ts'
import { Senders } from './senders.ts'

export interface DispatchOptions {
  readonly config: Config
  readonly pool: BackendPool
  readonly routing: Routing
  /** Called before each attempt at another backend. */
  onRetry(model: string): void
}

/** Sends exchanges to backends. One lives as long as its configuration. */
export class Dispatcher {
  readonly #options: DispatchOptions
  readonly #senders: Senders
  readonly #buffers = new BufferPool()

  constructor(options: DispatchOptions) {
    this.#options = options
    this.#senders = new Senders(options.config.timeouts.connect_ms)
  }

  /**
   * Sends the request, in canonical form or as a pipe's, to a backend, and its reply to the outlet. Resolves when the
   * reply is over, or the client has disconnected. Throws the GatewayError to respond with when no backend took the request; another one is tried only
   * while the client has been sent nothing.
   */
  async dispatch(exchange: Exchange, outlet: Outlet): Promise<void> {
    const request = exchange.route.canonical ? exchange.get(chat) : (exchange.find(pipe) ?? notServed(exchange))
    const to = exchange.get(target)
    const failed = new FailedAttempts()
    try {
      // Not awaited: what is left of a reply must not keep this function, and with it the request, in memory.
      return (await this.#begin(exchange, outlet, request, to, failed))?.whenOver()
    } finally {
      if (failed.hasAny) failed.settle(senderOf(exchange, request))
    }
  }

  /** Attempts until one has begun to answer, or the client has disconnected: then undefined. Throws as dispatch() does. */
  async #begin(
    exchange: Exchange,
    outlet: Outlet,
    request: CanonicalRequest | PipeRequest,
    to: Target,
    failed: FailedAttempts,
  ): Promise<Attempt | undefined> {
    const { clock } = exchange.host
    const arrived = clock.monotonic()
    exchange.modelLease = this.#options.pool.admit(to.model)
    const { headers, bodyBytes } = exchange
    const routed = this.#options.routing.route({ request, target: to, headers, bodyBytes })
    const tried = new Set<Backend>()
    let clamped = false
    let weakened = false
    let last: BackendFailure | undefined
    /** The backend that has reported how many tokens fit, or which efforts it accepts. */
    let same: Backend | undefined
    for (;;) {
      const backend: Backend = same ?? this.#pick(to, tried, last, routed)
      same = undefined
      const { efforts: known } = backend.config.profile
      exchange.queueMs ??= clock.monotonic() - arrived
      const attempt = await this.#attempt(exchange, outlet, request, to, backend, routed)
      if (attempt === undefined) return undefined
      last = await attempt.run()
      if (last === undefined) {
        // No other attempt follows: a stream of minutes must not keep a conversation in memory.
        release(request)
        exchange.releaseBody()
        failed.isServed = true
        return attempt
      }
      failed.add(backend, last, to.account)
      if (exchange.gone) return undefined
      const { fittingMaxTokens: fitting } = last
      if (fitting !== undefined && !clamped && request.kind !== 'pipe' && mayLowerMaxTokens(request, fitting)) {
        clamped = true
        same = backend
        // The prompt fits and only max_tokens does not: the same backend accepts the request with the rest of its window.
        request.maxTokens = fitting === 'rest' ? undefined : fitting
        continue
      }
      const { acceptedEfforts } = last
      if (acceptedEfforts !== undefined && !weakened) {
        // An older version than the profile's: from now on it is sent the strongest effort that it has named.
        backend.acceptEfforts(acceptedEfforts)
        weakened = true
        // Another request may have found it out meanwhile.
        if (backend.config.profile.efforts.length < known.length) {
          same = backend
          continue
        }
      }
      tried.add(backend)
      if (last.retry === 'no' || !exchange.requestBody.isRepeatable) throw last.error
    }
  }

  close(): void {
    this.#senders.close()
  }

  /** The next backend. After a failure: one that has not been tried, if there is one and the budget allows it. */
  #pick(
    { model, zdr }: Target,
    tried: ReadonlySet<Backend>,
    last: BackendFailure | undefined,
    routed: Routed | undefined,
  ): Backend {
    const { pool } = this.#options
    if (last === undefined || tried.size === 0) return pool.pick(model, zdr, undefined, routed?.choose)
    let next: Backend
    try {
      next = pool.pick(model, zdr, tried, routed?.choose)
    } catch {
      // `unavailable`: a 503 that does not report a full queue (docs/DESIGN.md#backend-errors).
      throw last.unavailable === true ? noneLeft(model.id) : last.error
    }
    if (!pool.takeRetry(model)) throw last.error
    this.#options.onRetry(model.id)
    return next
  }

  /** An attempt that holds a lease of its backend; undefined: the client has disconnected meanwhile. */
  async #attempt(
    exchange: Exchange,
    outlet: Outlet,
    request: CanonicalRequest | PipeRequest,
    to: Target,
    backend: Backend,
    routed: Routed | undefined,
  ): Promise<Attempt | undefined> {
    const lease = backend.acquire(routed?.place(backend))
    try {
      exchange.backend = backend.address
      const encode = () => bodyFor(request, to, backend)
      const made = exchange.requestBody.outgoing(encode, this.#buffers)
      const body = made instanceof Promise ? await made : made
      const client = request.kind === 'pipe' ? await this.#senders.pipe(backend) : this.#senders.chat(backend)
      if (exchange.gone) {
        lease.release('neutral')
        return undefined
      }
      const context = { model: to.model, profile: backend.config.profile, models: to.alternatives() }
      const { timeouts } = this.#options.config
      return new Attempt({ exchange, outlet, request, timeouts, context, lease, client, zdr: to.zdr }, body)
    } catch (thrown) {
      lease.release('neutral')
      throw thrown
    }
  }
}

/** null means absent, which not every engine knows. */
function pipeBody({ body, withoutEffect }: PipeRequest, model: string): JsonObject {
  const members = Object.entries(body).filter(([name, value]) => value !== null && !withoutEffect.has(name))
  return { ...Object.fromEntries(members), model }
}

function bodyFor(
  request: CanonicalRequest | PipeRequest,
  { model, cacheSalt }: Target,
  { config }: Backend,
): JsonObject {
  if (request.kind === 'pipe') return pipeBody(request, config.model)
  const body = backendBody(request, model, config)
  if (cacheSalt !== undefined && config.profile.cache_salt) body.cache_salt = cacheSalt
  return body
}

/** Empties what the request holds of the conversation, its tools and schemas. */
function release(request: CanonicalRequest | PipeRequest): void {
  if (request.kind === 'pipe') {
    request.body = {}
    return
  }
  if (request.responseFormat?.type === 'json_schema') request.responseFormat.schema = undefined
  if (request.kind === 'text') {
    request.prompt = ''
    return
  }
  request.messages = []
  for (const tool of request.tools) tool.description = tool.parameters = undefined
}

/** Most engines generate 16 tokens for a text completion without max_tokens, and not up to the end of the window. */
function mayLowerMaxTokens({ clampMaxTokens, kind }: CanonicalRequest, fitting: number | 'rest'): boolean {
  return clampMaxTokens && (fitting !== 'rest' || kind === 'chat')
}

/** The chain has no plugin that fills the slot: the route is switched off. */
function notServed({ path }: Exchange): never {
  fail('http_404', { problem: words`Nothing is served at ${quoted(path)}: the plugin 'pipe-model' is switched off.` })
}

function noneLeft(model: string): GatewayError {
  return failure('no_healthy_backends', { model }, { extra: { model } })
}
