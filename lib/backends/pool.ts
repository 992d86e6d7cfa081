import type { Clock } from '../base/clock.ts'
import type { BackendConfig, ModelConfig } from '../config/config.ts'
import { concurrencyOf } from '../engines/backend-limits.ts'
import { fail } from '../errors/errors.ts'
import { limitHeaders } from '../errors/limit-headers.ts'
import { Backend, type BackendEvents, type BackendState } from './backend.ts'
import { type Drained, isDrained } from './drain.ts'
import type { HealthOptions } from './health/health-check.ts'
import { HealthChecks } from './health/health-checks.ts'
import { type After, type ProbeOutcome, Prober } from './health/prober.ts'
import { ModelLease } from './lease.ts'
import { type Choose, leastLoad } from './least-load.ts'
import { RetryBudget } from './retry-budget.ts'
import { type LearntOf, type ModelSnapshot, snapshotOf } from './snapshot.ts'

export type { Backend, BackendLease, BackendState, EjectionReason } from './backend.ts'
export type { LeaseOutcome, ModelLease } from './lease.ts'
export type { BackendSnapshot, ModelSnapshot } from './snapshot.ts'

export interface PoolOptions {
  /** null: no active health checks. */
  readonly health?: HealthOptions | null
  /** Returns numbers as Math.random does. */
  readonly random?: () => number
  /** A backend has passed a health check. */
  readonly onHealthy?: (backend: Backend) => void
  /** Sends a probe request. Rejects only where the signal aborts. null: none are sent. */
  readonly probe?: ((model: ModelConfig, backend: Backend, signal: AbortSignal) => Promise<ProbeOutcome>) | null
  /** Calls back when a probe request is due; a timer unless given. */
  readonly after?: After
  /** A backend was ejected, or serves requests again. */
  readonly onStateChange?: (backend: Backend, state: BackendState) => void
  /** A request has left a backend of this model, or a backend serves requests again, or is new. */
  readonly onCapacity?: ((model: string) => void) | undefined
  /** A backend that has left the configuration has no requests any more, and is forgotten. */
  readonly onGone?: ((backend: Backend) => void) | undefined
  readonly onEjected?: BackendEvents['onEjected']
  readonly onProbed?: BackendEvents['onProbed']
}

const HEALTH: HealthOptions = { intervalMs: 5000, timeoutMs: 5000 }

const NONE: ReadonlySet<Backend> = new Set()

/** One model in the pool. */
interface Pooled {
  config: ModelConfig
  /** By keyOf(), which identifies a backend across reloads. */
  backends: ReadonlyMap<string, Backend>
  /** Backends that the configuration no longer names, by the same key, as long as requests are in flight. */
  leaving: ReadonlyMap<string, Backend>
  inFlight: number
  readonly budget: RetryBudget
}

/** The backends of all models: their health, their load, and which one serves the next request. */
export class BackendPool {
  readonly #clock: Clock
  readonly #random: () => number
  readonly #leastLoad: Choose = backends => leastLoad(backends, this.#random)
  readonly #events: BackendEvents
  readonly #onCapacity: PoolOptions['onCapacity']
  readonly #onGone: PoolOptions['onGone']
  #models: ReadonlyMap<string, Pooled> = new Map()
  /** Models that the configuration no longer names, as long as they have backends that are leaving. */
  #gone: ReadonlyMap<string, Pooled> = new Map()
  #drained: readonly Drained[] = []
  readonly #checks: HealthChecks | null
  readonly #prober: Prober<Backend> | null

  constructor(models: readonly ModelConfig[], clock: Clock, options: PoolOptions = {}) {
    const { health = HEALTH, random = Math.random, probe = null, after } = options
    const { onHealthy, onStateChange, onCapacity, onGone, onEjected, onProbed } = options
    this.#onCapacity = onCapacity
    this.#onGone = onGone
    this.#clock = clock
    this.#random = random
    this.#checks = health === null ? null : new HealthChecks(health, random, onHealthy)
    const send = (backend: Backend, signal: AbortSignal) =>
      probe!(this.#models.get(backend.model)!.config, backend, signal)
    this.#prober = probe === null ? null : new Prober(send, after)
    this.#events = {
      onChange: backend => {
        onStateChange?.(backend, backend.state)
        if (backend.isUsable) onCapacity?.(backend.model)
      },
      onReleased: backend => onCapacity?.(backend.model),
      onEjected,
      onProbed,
      probe: (backend, afterMs) => this.#prober?.schedule(backend, afterMs),
    }
    this.update(models)
  }

  /**
   * Counts one in-flight request of this model, until the lease is released.
   * @throws GatewayError backend_at_capacity when the model's max_concurrency is reached
   */
  admit(model: ModelConfig): ModelLease {
    const pooled = this.#models.get(model.id)
    if (pooled === undefined) return noneHealthy(model)
    if (isFull(pooled)) atCapacity(pooled.config)
    pooled.budget.request()
    return new ModelLease(pooled, () => this.#onCapacity?.(model.id))
  }

  /**
   * admit() and pick() in one step: where one refuses, the other does not count. `policy` is asked only where the model has
   * room.
   */
  enter(model: ModelConfig, zdr: boolean, policy: () => Choose | undefined) {
    const pooled = this.#models.get(model.id)
    if (pooled !== undefined && isFull(pooled)) atCapacity(pooled.config)
    return { backend: this.pick(model, zdr, undefined, policy()), lease: this.admit(model) }
  }

  /**
   * Chooses one of the backends that may serve a request. The caller acquires it before it waits for anything.
   * Where every one has been ejected, one of them is in reduced use (docs/DESIGN.md#ejection).
   * @throws GatewayError no_healthy_backends, backend_at_capacity when the healthy ones are full, or that of the backend in
   * reduced use
   */
  pick(model: ModelConfig, zdr: boolean, tried: ReadonlySet<Backend> = NONE, choose = this.#leastLoad): Backend {
    const usable: Backend[] = []
    const ejected: Backend[] = []
    let full = false
    let lowest = Number.POSITIVE_INFINITY
    for (const backend of this.#models.get(model.id)?.backends.values() ?? []) {
      if (backend.drain !== null || (zdr && !backend.config.zdr) || tried.has(backend)) continue
      if (!backend.isUsable) {
        ejected.push(backend)
        continue
      }
      const { priority = 0 } = backend.config
      if (priority > lowest) continue
      if (priority < lowest) {
        lowest = priority
        full = false
        usable.length = 0
      }
      if (backend.isFull) full = true
      else usable.push(backend)
    }
    if (usable.length > 0) return choose(usable)
    if (full) atCapacity(this.#models.get(model.id)!.config)
    return reducedUse(tried.size === 0 ? ejected : []) ?? noneHealthy(model)
  }

  /** Takes a retry from the model's budget (docs/DESIGN.md#retries); false: there is none left. */
  takeRetry(model: ModelConfig): boolean {
    return this.#models.get(model.id)?.budget.take(this.#clock.monotonic()) ?? false
  }

  /** Applies a new configuration. Backends that are still in it keep their state and their in-flight requests. */
  update(models: readonly ModelConfig[]): void {
    const before = new Map([...this.#gone, ...this.#models])
    this.#models = new Map(models.map(config => [config.id, this.#pooled(config, before.get(config.id))]))
    for (const [id, old] of before) {
      if (this.#models.has(id)) before.delete(id)
      else Object.assign(old, { leaving: new Map([...old.leaving, ...old.backends]), backends: new Map() })
    }
    this.#gone = before
    this.#forgetEmpty()
    this.#applyDrains()
    const present = new Set(this.backends())
    this.#checks?.update(present)
    this.#prober?.keep(present)
    for (const { id } of models) this.#onCapacity?.(id)
  }

  /** Applies what operators drain, in place of what was said before. */
  drain(drained: readonly Drained[]): void {
    this.#drained = drained
    this.#applyDrains()
  }

  snapshot(learntOf: LearntOf = () => null): ModelSnapshot[] {
    this.#forgetEmpty()
    return Array.from(this.#all(), ({ config, inFlight, backends, leaving }) => ({
      model: config.id,
      inFlight,
      backends: [...backends.values(), ...leaving.values()].map(backend => snapshotOf(backend, learntOf)),
    }))
  }

  /** Ends health checks and probe requests. */
  close(): void {
    this.#checks?.close()
    this.#prober?.close()
  }

  /** The backends of all models. */
  *backends(): Iterable<Backend> {
    for (const { backends } of this.#models.values()) yield* backends.values()
  }

  *#all(): Iterable<Pooled> {
    yield* this.#models.values()
    yield* this.#gone.values()
  }

  #pooled(config: ModelConfig, old: Pooled | undefined): Pooled {
    const known = new Map([...(old?.leaving ?? []), ...(old?.backends ?? [])])
    const backends = new Map<string, Backend>()
    for (const one of config.backends) {
      const key = keyOf(one, backends)
      const backend = known.get(key) ?? new Backend(config.id, one, this.#clock, this.#events)
      backend.reconfigure(one)
      backend.remove(false)
      backends.set(key, backend)
      known.delete(key)
    }
    const budget = old?.budget ?? new RetryBudget(this.#clock.monotonic())
    // The same object as before: leases of the model count in it.
    return Object.assign(old ?? { inFlight: 0, budget }, { config, backends, leaving: known, budget })
  }

  #applyDrains(): void {
    for (const { backends } of this.#models.values()) {
      for (const backend of backends.values())
        backend.drainByOperator(isDrained(this.#drained, backend.model, backend.address))
    }
  }

  /** Forgets what the configuration no longer names once its last request has ended. */
  #forgetEmpty(): void {
    for (const pooled of this.#all()) {
      const gone = [...pooled.leaving].filter(([, { inFlight }]) => inFlight === 0)
      if (gone.length > 0) pooled.leaving = new Map([...pooled.leaving].filter(([, { inFlight }]) => inFlight > 0))
      for (const [, backend] of gone) this.#onGone?.(backend)
      for (const backend of pooled.leaving.values()) backend.remove(true)
    }
    this.#gone = new Map([...this.#gone].filter(([, { leaving }]) => leaving.size > 0))
  }
}

/** URL and the model's name there; a number tells equal backends of one model apart. */
function keyOf({ url, model }: BackendConfig, taken: ReadonlyMap<string, Backend>): string {
  const key = `${url} ${model}`
  let unique = key
  for (let n = 2; taken.has(unique); n++) unique = `${key} ${n}`
  return unique
}

/**
 * One of the ejected backends that can be reached, each once a second. Throws the error of the last one in between, and
 * returns undefined where there is none.
 */
function reducedUse(ejected: readonly Backend[]): Backend | undefined {
  const reachable = ejected.filter(({ isReachable, isFull }) => isReachable && !isFull)
  const backend = reachable.find(one => one.mayTry())
  const failure = reachable.at(-1)?.failure
  if (backend === undefined && failure != null) throw failure
  return backend
}

function isFull({ config: { max_concurrency: most }, inFlight }: Pooled): boolean {
  return most !== undefined && inFlight >= most
}

function noneHealthy({ id, discover }: ModelConfig): never {
  // Discovered backends may be back at the next lookup.
  const seconds = Math.ceil(Math.min(...discover.map(({ everySeconds }) => everySeconds)))
  const headers = discover.length === 0 ? undefined : { 'retry-after': String(seconds) }
  fail('no_healthy_backends', { model: id }, { extra: { model: id }, ...(headers && { headers }) })
}

function atCapacity(model: ModelConfig): never {
  fail('backend_at_capacity', { model: model.id }, { headers: limitHeaders(concurrencyOf(model)) })
}
