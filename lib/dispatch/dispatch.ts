import { BackendClients } from '../backends/backend-clients.ts'
import type { Backend, BackendLease } from '../backends/pool.ts'
import { nextTurn } from '../base/long-work.ts'
import type { OutgoingBody } from '../body/index.ts'
import type { CanonicalRequest } from '../canonical/request.ts'
import type { Config } from '../config/config.ts'
import type { Exchange } from '../core/exchange.ts'
import { chat, type PipeRequest, pipe, type Target, target } from '../core/slots.ts'
import { bodyFor, release } from '../engines/encode/request.ts'
import type { Outlet } from '../engines/replies/outlet.ts'
import { fail } from '../errors/errors.ts'
import { quoted, words } from '../text/quoted.ts'
import { Attempt, clientRequestOf } from './attempt.ts'
import { type MirrorOutcome, Mirrors } from './mirrors.ts'
import { RequestLeases, type RequestLeasesOptions } from './request-leases.ts'
import { Fallback, Retries } from './retries.ts'

/** Below the priorities of all plans. */
const LINE_PRIORITY = -1001

interface DispatchOptions extends RequestLeasesOptions {
  readonly config: Config
  /** Called before a request is sent to another model than the requested one. */
  onFallback(model: string, to: string): void
  /** Called for each request that was selected to be mirrored. */
  onMirrored(model: string, outcome: MirrorOutcome): void
}

interface Start {
  /** On the monotonic clock. */
  readonly at: number
  /** Id of the requested model. */
  readonly model: string
}

/** Sends exchanges to backends. There is one per configuration. */
export class Dispatcher {
  readonly #options: DispatchOptions
  readonly #clients: BackendClients
  readonly #mirrors: Mirrors
  readonly #queueHeader: string
  readonly #fallbackHeader: string
  readonly #loopHeader: string

  constructor(options: DispatchOptions) {
    this.#options = options
    this.#queueHeader = `x-${options.config.brand}-queue-ms`
    this.#fallbackHeader = `x-${options.config.brand}-fallback`
    this.#loopHeader = `x-${options.config.brand}-loop`
    this.#clients = new BackendClients(options.config.timeouts.connect_ms)
    this.#mirrors = new Mirrors({ ...options, client: backend => this.#clients.chat(backend) })
  }

  /**
   * Sends the request to a backend, and the reply to the outlet. Resolves when the reply has ended or the client has
   * disconnected. Tries other backends and models until something is sent to the client. Throws the last GatewayError.
   */
  async dispatch(exchange: Exchange, outlet: Outlet): Promise<void> {
    const request = exchange.route.canonical ? exchange.get(chat) : (exchange.find(pipe) ?? notServed(exchange))
    const first = exchange.get(target)
    const start = { at: exchange.host.clock.monotonic(), model: first.model.id }
    let fallback: Fallback | undefined
    for (let to = first; ; ) {
      try {
        const attempt = await this.#begin(exchange, outlet, request, to, start)
        // Not awaited, so that a long reply does not keep this function and the request in memory.
        return attempt?.whenEnded()
      } catch (thrown) {
        fallback ??= new Fallback(first, request)
        const next = exchange.gone || !exchange.requestBody.isRepeatable ? undefined : fallback.after(thrown)
        if (next === undefined) throw thrown
        exchange.upstream.modelLease?.release()
        exchange.upstream.modelLease = null
        exchange.set(target, next)
        this.#options.onFallback(to.model.id, next.model.id)
        to = next
      }
    }
  }

  /** Makes attempts until one has begun its reply. undefined: the client has disconnected. Throws like dispatch(). */
  async #begin(
    exchange: Exchange,
    outlet: Outlet,
    request: CanonicalRequest | PipeRequest,
    to: Target,
    start: Start,
  ): Promise<Attempt | undefined> {
    const leases = new RequestLeases(this.#options, exchange, request, to)
    const first = leases.first()
    let lease = first instanceof Promise ? await first : first
    if (lease === undefined) return undefined
    this.#showPlacement(exchange, to, start)
    let retries: Retries | undefined
    try {
      for (;;) {
        const { backend } = lease
        const sentEfforts = backend.config.profile.efforts
        const prepared = await this.#prepared(exchange, outlet, request, to, lease)
        if (prepared === undefined) return undefined
        const [attempt, body] = prepared
        const failed = await attempt.run(body)
        if (failed === undefined) {
          retries?.served()
          this.#mirror(exchange, request, to)
          // No other attempt follows, so a long stream need not keep the conversation in memory.
          release(request)
          exchange.releaseBody()
          return attempt
        }
        retries ??= new Retries(request, leases, clientRequestOf(exchange, request))
        retries.add(backend, failed)
        if (exchange.gone) return undefined
        if (failed.isLoop === true) replaceHeader(exchange, this.#loopHeader, '1')
        lease = retries.after(backend, failed, { sentEfforts, isRepeatable: exchange.requestBody.isRepeatable })
      }
    } finally {
      retries?.settle()
    }
  }

  /** Records the time until the first backend was chosen, and sets the headers for queue and fallback. */
  #showPlacement(exchange: Exchange, to: Target, start: Start): void {
    const { upstream, host } = exchange
    upstream.queueMs = host.clock.monotonic() - start.at
    if (to.model.queue !== undefined) replaceHeader(exchange, this.#queueHeader, String(Math.round(upstream.queueMs)))
    if (to.model.id !== start.model) replaceHeader(exchange, this.#fallbackHeader, to.model.id)
  }

  /** A backend has left the configuration, and its last request has ended. */
  forget(backend: Backend): void {
    this.#clients.forget(backend)
  }

  /** Cancels mirrored requests, and sends no more of them. */
  endMirrors(): void {
    this.#mirrors.close()
  }

  close(): void {
    this.#mirrors.close()
    this.#clients.close()
  }

  #mirror(
    { route, id, bodyBytes, headers, gone, surface }: Exchange,
    request: CanonicalRequest | PipeRequest,
    to: Target,
  ): void {
    if (to.model.mirror === undefined || request.kind === 'pipe' || gone || surface === 'batch') return
    this.#mirrors.offer({ request, target: to, path: route.upstream!, id, bytes: bodyBytes, via: headers.via })
  }

  /** An attempt, which releases the lease, and its body. undefined: the client has disconnected. */
  async #prepared(
    exchange: Exchange,
    outlet: Outlet,
    request: CanonicalRequest | PipeRequest,
    to: Target,
    lease: BackendLease,
  ): Promise<readonly [Attempt, OutgoingBody] | undefined> {
    const { backend } = lease
    try {
      exchange.upstream.backend = backend.address
      if (exchange.isHeavy) await nextTurn()
      const target = exchange.surface === 'batch' ? { ...to, priority: LINE_PRIORITY } : to
      const body = exchange.requestBody.outgoing(() => bodyFor(request, target, backend.config))
      const pending = request.kind === 'pipe' ? this.#clients.pipe(backend, exchange) : this.#clients.chat(backend)
      const client = pending instanceof Promise ? await pending : pending
      if (exchange.gone) {
        lease.release('neutral')
        return undefined
      }
      const context = { model: to.model, profile: backend.config.profile, models: to.alternatives }
      const { timeouts } = this.#options.config
      const attempt = new Attempt({ exchange, outlet, request, timeouts, context, lease, client, zdr: to.zdr })
      return [attempt, body]
    } catch (thrown) {
      lease.release('neutral')
      throw thrown
    }
  }
}

/** Sets a header, or replaces the value from an attempt at another model. */
function replaceHeader(exchange: Exchange, name: string, value: string): void {
  const at = exchange.responseHeaders.indexOf(name)
  if (at < 0) exchange.setHeader(name, value)
  else exchange.responseHeaders[at + 1] = value
}

/** The chain has no plugin that fills the slot: the route is disabled. */
function notServed({ path }: Exchange): never {
  fail('http_404', { problem: words`Nothing is served at ${quoted(path)}: the plugin for this route is switched off.` })
}
