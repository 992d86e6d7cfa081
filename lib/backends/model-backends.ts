import type { BackendConfig, ModelConfig } from '../config/config.ts'
import { concurrencyOf } from '../engines/backend-limits.ts'
import { fail } from '../errors/errors.ts'
import { limitHeaders } from '../errors/limit-headers.ts'
import type { Backend } from './backend.ts'
import type { Places } from './places.ts'
import { type LearntOf, type ModelSnapshot, snapshotOf } from './snapshot.ts'

/** Chooses the backend of a request among those that may serve it, at least one. */
export type Choose = (candidates: readonly Backend[]) => Backend

const NONE: ReadonlySet<Backend> = new Set()

/** The backends of a model that a request may use. */
interface Candidates {
  readonly open: readonly Backend[]
  readonly full: readonly Backend[]
  readonly ejected: Backend[]
}

/** The backends of one model. Outlives reloads: leases count in it. */
export class ModelBackends {
  /** Its requests in flight, and the limit on them. */
  readonly places: Places
  #config: ModelConfig
  /** By keyOf(), which identifies a backend across reloads. */
  #backends: ReadonlyMap<string, Backend> = new Map()
  /** Backends that the configuration no longer names while requests are in flight, by keyOf(). */
  #leaving: ReadonlyMap<string, Backend> = new Map()
  #hasQueue = false
  readonly #retryBudget: RetryBudget

  /** `now`: on the monotonic clock. */
  constructor(config: ModelConfig, places: Places, now: number) {
    this.#config = config
    this.places = places
    this.#retryBudget = new RetryBudget(now)
  }

  get config(): ModelConfig {
    return this.#config
  }

  get backends(): Iterable<Backend> {
    return this.#backends.values()
  }

  /** Also those that are leaving. */
  get all(): readonly Backend[] {
    return [...this.#backends.values(), ...this.#leaving.values()]
  }

  get count(): number {
    return this.#backends.size
  }

  /** Requests may wait for a backend: the configuration has a queue, or had one before a reload. */
  get hasQueue(): boolean {
    return this.#hasQueue
  }

  /** Other processes may have places for its requests. */
  get mayGrow(): boolean {
    if (this.places.isFull) return this.places.mayGrow
    return this.#backends.values().some(backend => backend.isFull && backend.mayGrow)
  }

  get hasLeaving(): boolean {
    return this.#leaving.size > 0
  }

  /** Applies a new configuration. Backends that are in it keep their state. `create`: creates a new one. */
  update(config: ModelConfig, create: (config: BackendConfig, key: string) => Backend): void {
    const known = new Map([...this.#leaving, ...this.#backends])
    const backends = new Map<string, Backend>()
    for (const one of config.backends) {
      const key = keyOf(one, backends)
      const backend = known.get(key) ?? create(one, key)
      backend.reconfigure(one)
      backend.remove(false)
      backends.set(key, backend)
      known.delete(key)
    }
    this.#config = config
    this.places.update(config.max_concurrency)
    this.#hasQueue ||= config.queue !== undefined
    this.#backends = backends
    this.#leaving = known
  }

  remove(): void {
    this.#leaving = new Map([...this.#leaving, ...this.#backends])
    this.#backends = new Map()
  }

  /** Forgets backends that have left the configuration and have no requests in flight. */
  forgetIdle(onGone: ((backend: Backend) => void) | undefined): void {
    const leaving = [...this.#leaving]
    const gone = leaving.filter(([, { inFlight }]) => inFlight === 0)
    if (gone.length > 0) this.#leaving = new Map(leaving.filter(([, { inFlight }]) => inFlight > 0))
    for (const [, backend] of gone) onGone?.(backend)
    for (const backend of this.#leaving.values()) backend.remove(true)
  }

  /** Throws backend_at_capacity if the model's max_concurrency is reached. */
  refuseFull(): void {
    if (!this.places.isFull) return
    this.places.want()
    atCapacity(this.#config)
  }

  /** @throws GatewayError backend_at_capacity */
  admit(onReleased: () => void): ModelLease {
    this.refuseFull()
    this.#retryBudget.request()
    return new ModelLease(this.places, onReleased)
  }

  /**
   * Chooses a backend, which the caller acquires synchronously. If all were ejected, one may be in reduced use.
   * @throws GatewayError no_healthy_backends, backend_at_capacity, or the failure of the backend in reduced use
   */
  pick(zdr: boolean, choose: Choose, tried: ReadonlySet<Backend> = NONE): Backend {
    const { open, full, ejected } = this.#candidates(zdr, tried)
    if (open.length > 0) return choose(open)
    for (const backend of full) backend.want()
    if (full.length > 0) atCapacity(this.#config)
    return reducedUse(tried.size === 0 ? ejected : []) ?? noneHealthy(this.#config)
  }

  /** The backends that may serve requests, full or not. */
  usable(zdr: boolean): readonly Backend[] {
    const { open, full } = this.#candidates(zdr, NONE)
    return [...open, ...full]
  }

  /** The backends with the lowest number as priority of which one is healthy. */
  #candidates(zdr: boolean, tried: ReadonlySet<Backend>): Candidates {
    const open: Backend[] = []
    const ejected: Backend[] = []
    let full: Backend[] = []
    let lowest = Number.POSITIVE_INFINITY
    for (const backend of this.#backends.values()) {
      if (backend.cordon !== null || (zdr && !backend.config.zdr) || tried.has(backend)) continue
      if (!backend.health.isUsable) {
        ejected.push(backend)
        continue
      }
      const { priority = 0 } = backend.config
      if (priority > lowest) continue
      if (priority < lowest) {
        lowest = priority
        full = []
        open.length = 0
      }
      if (backend.isFull) full.push(backend)
      else open.push(backend)
    }
    return { open, full, ejected }
  }

  /** Takes a retry from the budget (docs/DESIGN.md#retries); false: none is left. */
  takeRetry(now: number): boolean {
    return this.#retryBudget.take(now)
  }

  snapshot(learntOf: LearntOf): ModelSnapshot {
    return {
      model: this.#config.id,
      inFlight: this.places.inFlight,
      backends: this.all.map(backend => snapshotOf(backend, learntOf)),
    }
  }
}

/** Base URL and the model's name there. A number distinguishes equal backends of one model. */
function keyOf({ url, model }: BackendConfig, taken: ReadonlyMap<string, Backend>): string {
  const key = `${url} ${model}`
  let unique = key
  for (let n = 2; taken.has(unique); n++) unique = `${key} ${n}`
  return unique
}

/** A reachable backend without a request for a second; undefined: none is reachable. Throws if all must wait. */
function reducedUse(ejected: readonly Backend[]): Backend | undefined {
  const reachable = ejected.filter(({ health, isFull }) => health.isReachable && !isFull)
  const backend = reachable.find(({ health }) => health.mayTry())
  const failure = reachable.at(-1)?.health.failure
  if (backend === undefined && failure != null) throw failure
  return backend
}

export class ModelLease {
  readonly #places: Places
  readonly #onReleased: () => void
  #isReleased = false

  constructor(places: Places, onReleased: () => void) {
    places.take()
    this.#places = places
    this.#onReleased = onReleased
  }

  /** Only the first call has an effect. */
  release(): void {
    if (this.#isReleased) return
    this.#isReleased = true
    this.#places.release()
    this.#onReleased()
  }
}

export function noneHealthy({ id, discover }: ModelConfig): never {
  // The next lookup may find discovered backends again.
  const seconds = Math.ceil(Math.min(...discover.map(({ everySeconds }) => everySeconds)))
  const headers = discover.length === 0 ? undefined : { 'retry-after': String(seconds) }
  fail('no_healthy_backends', { model: id }, { extra: { model: id }, ...(headers && { headers }) })
}

function atCapacity(model: ModelConfig): never {
  fail('backend_at_capacity', { model: model.id }, { headers: limitHeaders(concurrencyOf(model)) })
}

/** Power of two choices: draws two backends at random, by weight, and returns the one with the lower load. */
export function leastLoad(backends: readonly Backend[], random: () => number): Backend {
  const first = drawn(backends, random)
  if (backends.length === 1) return first
  const second = drawn(backends, random, first)
  return second.load < first.load ? second : first
}

/** Draws a backend at random, in proportion to its weight. */
export function drawn(backends: readonly Backend[], random: () => number, except?: Backend): Backend {
  let sum = 0
  for (const backend of backends) if (backend !== except) sum += backend.config.weight
  let at = random() * sum
  let one = backends[0]!
  for (const backend of backends) {
    if (backend === except) continue
    one = backend
    at -= backend.config.weight
    if (at < 0) break
  }
  return one
}

/** Share of requests that may be retried. */
const SHARE = 0.1

/** Retries that are available without recent requests, and the time in which one of them is refilled. */
const FLOOR = 10
const FLOOR_REFILL_MS = 1000

const MAX_RETRIES = 100

/** Limits retries to a tenth of requests and a few more, so that they do not multiply an overload. */
class RetryBudget {
  #tokens = FLOOR
  #refilledAt: number

  /** Times are monotonic milliseconds. */
  constructor(now: number) {
    this.#refilledAt = now
  }

  request(): void {
    this.#tokens = Math.min(this.#tokens + SHARE, MAX_RETRIES)
  }

  take(now: number): boolean {
    const refill = (now - this.#refilledAt) / FLOOR_REFILL_MS
    this.#refilledAt = now
    if (this.#tokens < FLOOR) this.#tokens = Math.min(this.#tokens + refill, FLOOR)
    if (this.#tokens < 1) return false
    this.#tokens--
    return true
  }
}
