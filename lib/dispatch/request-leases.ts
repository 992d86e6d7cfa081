import type { Placement } from '../backends/backend.ts'
import type { Backend, BackendLease, BackendPool } from '../backends/pool.ts'
import type { ServedRequest } from '../backends/queue/model-queue.ts'
import type { Queues } from '../backends/queue/queues.ts'
import type { CountedTokens } from '../backends/queue/served-tokens.ts'
import type { CanonicalRequest } from '../canonical/request.ts'
import type { Exchange } from '../core/exchange.ts'
import { batchLine, type PipeRequest, type Target } from '../core/slots.ts'
import type { RouteChoice } from '../core/upstream.ts'
import type { BackendFailure } from '../engines/failure/failure.ts'
import { failure, GatewayError } from '../errors/errors.ts'
import type { Routed, Routing } from '../routing/routing.ts'
import { type Lines, MAX_WAIT_MS } from './lines.ts'

const LEAST_LOAD: RouteChoice = { reason: 'least_load', predictedMs: null, cachedTokens: null }
const SPARE: RouteChoice = { ...LEAST_LOAD, reason: 'spare' }

/** How long a request without a place waits until other processes have answered. */
const PLACE_MS = 50

export interface RequestLeasesOptions {
  readonly pool: BackendPool
  readonly routing: Routing
  readonly queues: Queues
  /** null: the configuration has no batches. */
  readonly lines: Lines | null
  /** Called before each attempt at another backend. */
  onRetry(model: string): void
}

/** The leases of one request on backends of one model: the first, after a possible wait, and those for retries. */
export class RequestLeases {
  readonly #options: RequestLeasesOptions
  readonly #exchange: Exchange
  readonly #request: CanonicalRequest | PipeRequest
  readonly #to: Target
  #routed: Routed | undefined
  #charge: CountedTokens | undefined

  constructor(options: RequestLeasesOptions, exchange: Exchange, request: CanonicalRequest | PipeRequest, to: Target) {
    this.#options = options
    this.#exchange = exchange
    this.#request = request
    this.#to = to
  }

  /**
   * The first lease, and one on the model. undefined: the client has disconnected during the wait.
   * @throws GatewayError no_healthy_backends, backend_at_capacity, or the failure of a backend in reduced use
   */
  first(): BackendLease | Promise<BackendLease | undefined> {
    const { account, model, zdr, priority = 0 } = this.#to
    const { lines } = this.#options
    const exchange = this.#exchange
    if (lines !== null && exchange.surface === 'batch') return this.#atGate(lines)
    // Counted also if there is only one backend.
    if (lines !== null) this.#route()
    if (model.queue === undefined) return this.#takeSoon()
    const { max_wait_ms: maxWaitMs } = model.queue
    let endMaking: (() => void) | undefined
    const entering = this.#options.queues.enter(model.id, model.queue, {
      account,
      priority,
      zdr,
      bytes: exchange.bodyBytes,
      acquire: () => this.#take(),
      onWait: work => {
        exchange.upstream.work = work
        endMaking?.()
        if (work !== null && lines?.holdPlaces(model.id, zdr)) endMaking = lines.makeRoom(model.id, zdr, maxWaitMs)
      },
    })
    return this.#entered(entering)
  }

  at(backend: Backend): BackendLease {
    const placement = this.#routed?.place(backend)
    this.#exchange.upstream.choice = this.#routed?.choice ?? LEAST_LOAD
    return backend.acquire(this.#to.model.queue === undefined ? placement : this.#counted(placement))
  }

  /** @throws GatewayError the failure, if every backend has been tried or the retry budget is exhausted */
  next(tried: ReadonlySet<Backend>, last: BackendFailure): BackendLease {
    const { pool, onRetry } = this.#options
    const { model, zdr } = this.#to
    // Its batch sends it again later, when there is capacity to spare.
    if (this.#exchange.surface === 'batch') throw last.error
    let next: Backend
    try {
      next = pool.pick(model, zdr, tried, this.#routed?.choose)
    } catch {
      // `unavailable`: a 503 that does not report a full queue (docs/DESIGN.md#backend-errors).
      throw last.unavailable === true ? noneLeft(model.id) : last.error
    }
    if (!pool.takeRetry(model)) throw last.error
    onRetry(model.id)
    return this.at(next)
  }

  async #entered(entering: Promise<ServedRequest<BackendLease> | undefined>): Promise<BackendLease | undefined> {
    const served = await entering
    this.#charge = served?.charge
    return served?.acquired
  }

  /** Waits until there is capacity to spare. */
  #atGate(lines: Lines): Promise<BackendLease | undefined> {
    const { model, zdr } = this.#to
    const exchange = this.#exchange
    const line = exchange.find(batchLine)
    const preempt =
      line?.preempt === undefined
        ? undefined
        : () => {
            line.preempt!()
            // Its place is free now, not when its exchange has ended.
            exchange.upstream.work?.cancel()
          }
    line?.waits?.()
    return new Promise((resolve, reject) =>
      lines.enter({
        model: model.id,
        zdr,
        prompt: this.#route()!.prompt,
        preempt,
        send: (backend, place) => {
          exchange.upstream.modelLease = this.#options.pool.admit(model)
          exchange.upstream.choice = SPARE
          line?.sent?.()
          resolve(backend.acquire(place()))
        },
        onWait: work => {
          exchange.upstream.work = work
        },
        cancelled: () => resolve(undefined),
        failed: reject,
      }),
    )
  }

  /** Takes a backend, after a wait if lines of batches or other processes have the places. */
  #takeSoon(): BackendLease | Promise<BackendLease | undefined> {
    const { pool, lines } = this.#options
    const { model, zdr } = this.#to
    let hasLines: boolean
    try {
      return this.#take()
    } catch (thrown) {
      hasLines = lines?.holdPlaces(model.id, zdr) ?? false
      if (!isAtCapacity(thrown) || !(hasLines || pool.mayGrow(model))) throw thrown
    }
    const { upstream } = this.#exchange
    const maxMs = hasLines ? MAX_WAIT_MS : PLACE_MS
    return new Promise((resolve, reject) => {
      let isOpen = true
      const attempt = (isLast = false) => {
        if (!isOpen) return
        if (this.#exchange.gone) return end(() => resolve(undefined))
        try {
          const lease = this.#take()
          end(() => resolve(lease))
        } catch (thrown) {
          if (isLast || !isAtCapacity(thrown)) end(() => reject(thrown))
        }
      }
      const stop = pool.wait(model, () => attempt())
      const endMaking = hasLines ? lines?.makeRoom(model.id, zdr, maxMs) : undefined
      // An answer that has arrived is read before the last attempt.
      const timer = setTimeout(() => setImmediate(() => attempt(true)), maxMs)
      const end = (settle: () => void) => {
        isOpen = false
        upstream.work = null
        stop()
        endMaking?.()
        clearTimeout(timer)
        settle()
      }
      upstream.work = {
        cancel: () => end(() => resolve(undefined)),
        fail: error => end(() => reject(error)),
      }
    })
  }

  #take(): BackendLease {
    const { model, zdr } = this.#to
    const { backend, lease } = this.#options.pool.enter(model, zdr, () => this.#route()?.choose)
    this.#exchange.upstream.modelLease = lease
    return this.at(backend)
  }

  #route(): Routed | undefined {
    const { bodyBytes } = this.#exchange
    this.#routed ??= this.#options.routing.route({ request: this.#request, target: this.#to, bodyBytes })
    return this.#routed
  }

  /** Wraps a placement: the usage of the reply corrects the tokens that the queue counts for the account. */
  #counted(inner: Placement | undefined): Placement {
    return {
      begun: () => inner?.begun(),
      ended: usage => {
        inner?.ended(usage)
        if (usage !== undefined && this.#charge !== undefined)
          this.#options.queues.settle(this.#to.model.id, this.#charge, usage)
      },
    }
  }
}

function isAtCapacity(thrown: unknown): boolean {
  return thrown instanceof GatewayError && thrown.code === 'backend_at_capacity'
}

function noneLeft(model: string): GatewayError {
  return failure('no_healthy_backends', { model }, { extra: { model } })
}
