import type { Placement } from '../backends/backend.ts'
import type { Backend, BackendLease, BackendPool } from '../backends/pool.ts'
import type { ServedRequest } from '../backends/queue/model-queue.ts'
import type { Queues } from '../backends/queue/queues.ts'
import type { CountedTokens } from '../backends/queue/served-tokens.ts'
import type { CanonicalRequest } from '../canonical/request.ts'
import type { Exchange } from '../core/exchange.ts'
import type { PipeRequest, Target } from '../core/slots.ts'
import type { BackendFailure } from '../engines/failure/failure.ts'
import { failure, GatewayError } from '../errors/errors.ts'
import type { Routed, Routing } from '../routing/routing.ts'

/** How long a request without a place waits until other processes have answered. */
const PLACE_MS = 50

export interface RequestLeasesOptions {
  readonly pool: BackendPool
  readonly routing: Routing
  readonly queues: Queues
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
    const exchange = this.#exchange
    if (model.queue === undefined) return this.#takeSoon()
    const entering = this.#options.queues.enter(model.id, model.queue, {
      account,
      priority,
      zdr,
      bytes: exchange.bodyBytes,
      acquire: () => this.#take(),
      onWait: work => {
        exchange.upstream.work = work
      },
    })
    return this.#entered(entering)
  }

  at(backend: Backend): BackendLease {
    const placement = this.#routed?.place(backend)
    return backend.acquire(this.#to.model.queue === undefined ? placement : this.#counted(placement))
  }

  /** @throws GatewayError the failure, if every backend has been tried or the retry budget is exhausted */
  next(tried: ReadonlySet<Backend>, last: BackendFailure): BackendLease {
    const { pool, onRetry } = this.#options
    const { model, zdr } = this.#to
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

  /** Takes a backend, after a short wait if only other processes can have places for it. */
  #takeSoon(): BackendLease | Promise<BackendLease | undefined> {
    const { pool } = this.#options
    const { model } = this.#to
    try {
      return this.#take()
    } catch (thrown) {
      if (!isAtCapacity(thrown) || !pool.mayGrow(model)) throw thrown
    }
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
      // An answer that has arrived is read before the last attempt.
      const timer = setTimeout(() => setImmediate(() => attempt(true)), PLACE_MS)
      const end = (settle: () => void) => {
        isOpen = false
        stop()
        clearTimeout(timer)
        settle()
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
