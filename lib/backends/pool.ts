import type { Clock } from '../base/clock.ts'
import type { ModelConfig } from '../config/config.ts'
import type { PlaceStore } from '../limits/places.ts'
import { addressOf, Backend, type BackendEvents, type BackendState } from './backend.ts'
import { Capacity } from './capacity.ts'
import { type Cordoned, isCordoned } from './cordon.ts'
import { HealthChecks, type HealthOptions } from './health/health-checks.ts'
import { type After, type ProbeOutcome, Prober } from './health/prober.ts'
import { type Choose, leastLoad, ModelBackends, type ModelLease, noneHealthy } from './model-backends.ts'
import type { Places } from './places.ts'
import type { LearntOf, ModelSnapshot } from './snapshot.ts'

export type { Backend, BackendLease, BackendState } from './backend.ts'
export type { LeaseOutcome } from './health/backend-health.ts'
export type { ModelSnapshot } from './snapshot.ts'

interface PoolOptions {
  /** null: no active health checks. */
  readonly health?: HealthOptions | null
  /** Returns numbers as Math.random does. */
  readonly random?: () => number
  /** A backend has passed a health check. */
  readonly onHealthy?: (backend: Backend) => void
  /** Sends a probe request. Rejects only if the signal aborts. null: none are sent. */
  readonly probe?: ((model: ModelConfig, backend: Backend, signal: AbortSignal) => Promise<ProbeOutcome>) | null
  /** Calls back when a probe request is due. Default: a timer. */
  readonly after?: After
  /** A backend was ejected or cordoned, or serves requests again. */
  readonly onStateChange?: (backend: Backend, state: BackendState) => void
  /** Called for models with a queue: a request has ended, or a backend serves requests again or is new. */
  readonly onCapacity?: ((model: string) => void) | undefined
  /** How many requests are in the queue of a model. */
  readonly queued?: (model: string) => number
  /** Counts `max_concurrency` over several processes. */
  readonly places?: PlaceStore | null
  /** A backend that has left the configuration is forgotten, because its last request has ended. */
  readonly onGone?: ((backend: Backend) => void) | undefined
  readonly onEjected?: BackendEvents['onEjected']
  readonly onProbed?: BackendEvents['onProbed']
}

const HEALTH: HealthOptions = { intervalMs: 5000, timeoutMs: 5000 }

/** The backends of all models: their health, their load, and the choice of one for each request. */
export class BackendPool {
  readonly #clock: Clock
  readonly #leastLoad: Choose
  readonly #events: BackendEvents
  readonly #capacity: Capacity
  readonly #onGone: PoolOptions['onGone']
  #models: ReadonlyMap<string, ModelBackends> = new Map()
  /** Models that the configuration no longer names while they have backends that are leaving. */
  #gone: ReadonlyMap<string, ModelBackends> = new Map()
  #cordoned: readonly Cordoned[] = []
  readonly #checks: HealthChecks | null
  readonly #prober: Prober<Backend> | null

  constructor(models: readonly ModelConfig[], clock: Clock, options: PoolOptions = {}) {
    const { health = HEALTH, random = Math.random, probe = null, after } = options
    const { onHealthy, onStateChange, onCapacity, onGone, onEjected, onProbed } = options
    const { queued = () => 0, places = null } = options
    const pump = (id: string) => {
      const model = this.#models.get(id) ?? this.#gone.get(id)
      if (model?.hasQueue) onCapacity?.(id)
    }
    this.#capacity = new Capacity({ clock, store: places, after, pump, queued })
    this.#onGone = onGone
    this.#clock = clock
    this.#leastLoad = backends => leastLoad(backends, random)
    this.#checks = health === null ? null : new HealthChecks(health, random, onHealthy)
    const send = (backend: Backend, signal: AbortSignal) =>
      probe!(this.#models.get(backend.model)!.config, backend, signal)
    this.#prober = probe === null ? null : new Prober(send, after)
    this.#events = {
      onChange: backend => {
        onStateChange?.(backend, backend.state)
        if (backend.health.isUsable) this.#capacity.reportModel(backend.model)
      },
      onReleased: backend => this.#capacity.report(backend.server),
      onEjected,
      onProbed,
      probe: (backend, afterMs) => this.#prober?.schedule(backend, afterMs),
    }
    this.update(models)
  }

  /** @throws GatewayError no_healthy_backends, or backend_at_capacity at the model's max_concurrency */
  admit(model: ModelConfig): ModelLease {
    return this.#of(model).admit(() => this.#capacity.reportModel(model.id))
  }

  /** admit() and pick() in one step: neither counts if one refuses. `policy`: called only if there is a choice. */
  enter(model: ModelConfig, zdr: boolean, policy: () => Choose | undefined) {
    const backends = this.#of(model)
    backends.refuseFull()
    const choose = backends.count > 1 ? policy() : undefined
    return { backend: this.pick(model, zdr, undefined, choose), lease: this.admit(model) }
  }

  /** pick() of ModelBackends, by default with the lowest load. */
  pick(model: ModelConfig, zdr: boolean, tried?: ReadonlySet<Backend>, choose = this.#leastLoad): Backend {
    return this.#of(model).pick(zdr, choose, tried)
  }

  /** The backends of a model that may serve requests, full or not. */
  usable(model: string, zdr: boolean): readonly Backend[] {
    return this.#models.get(model)?.usable(zdr) ?? []
  }

  /** The requests in flight of a model, and the limit on them; undefined: there is no such model. */
  placesOf(model: string): Places | undefined {
    return this.#models.get(model)?.places
  }

  /** How many requests of a model wait for capacity. */
  waiting(model: string): number {
    return this.#capacity.waiting(model)
  }

  /** The model is full in this process, but other processes may give places back. */
  mayGrow(model: ModelConfig): boolean {
    return this.#models.get(model.id)?.mayGrow ?? false
  }

  /** Calls `attempt` whenever there may be capacity, until the returned function is called. */
  wait(model: ModelConfig, attempt: () => void): () => void {
    return this.#capacity.wait(model.id, attempt)
  }

  takeRetry(model: ModelConfig): boolean {
    return this.#models.get(model.id)?.takeRetry(this.#clock.monotonic()) ?? false
  }

  /** Applies a new configuration. Backends that are in it keep their state and their in-flight requests. */
  update(models: readonly ModelConfig[]): void {
    const before = new Map([...this.#gone, ...this.#models])
    this.#models = new Map(models.map(config => [config.id, this.#updated(config, before.get(config.id))]))
    this.#gone = new Map([...before].filter(([id]) => !this.#models.has(id)))
    for (const model of this.#gone.values()) model.remove()
    this.#forgetIdle()
    this.#shareServers()
    this.#applyCordons()
    const present = new Set(this.backends())
    this.#checks?.update(present)
    this.#prober?.keep(present)
    for (const { id } of models) this.#capacity.reportModel(id)
  }

  /** Cordons the backends that operators drain, and no others. */
  cordon(cordoned: readonly Cordoned[]): void {
    this.#cordoned = cordoned
    this.#applyCordons()
  }

  snapshot(learntOf: LearntOf = () => null): ModelSnapshot[] {
    this.#forgetIdle()
    return [...this.#models.values(), ...this.#gone.values()].map(model => model.snapshot(learntOf))
  }

  close(): void {
    this.#checks?.close()
    this.#prober?.close()
    this.#capacity.close()
  }

  *backends(): Iterable<Backend> {
    for (const { backends } of this.#models.values()) yield* backends
  }

  /** All models, also those that are leaving. */
  *models(): Iterable<ModelBackends> {
    yield* this.#models.values()
    yield* this.#gone.values()
  }

  /** Throws no_healthy_backends if a reload has removed the model. */
  #of(model: ModelConfig): ModelBackends {
    return this.#models.get(model.id) ?? noneHealthy(model)
  }

  #updated(config: ModelConfig, known: ModelBackends | undefined): ModelBackends {
    const { id } = config
    const model = known ?? new ModelBackends(config, this.#capacity.of(`model:${id}`), this.#clock.monotonic())
    model.update(config, (one, key) => {
      const server = this.#capacity.of(`server:${addressOf(one.url)}`)
      const places = this.#capacity.of(`backend:${id} ${key}`)
      return new Backend(id, one, this.#clock, this.#events, { server, places })
    })
    return model
  }

  /** Applies limits: that of a server is the largest of its backends. A smaller one holds for a backend's model. */
  #shareServers(): void {
    const models = new Map<Places, Set<string>>()
    const add = (places: Places, id: string) => models.set(places, (models.get(places) ?? new Set()).add(id))
    for (const [id, model] of [...this.#models, ...this.#gone]) {
      add(model.places, id)
      for (const { server, places } of model.all) for (const one of [server, places]) add(one, id)
    }
    this.#capacity.retain(models)
    for (const [server, backends] of Map.groupBy(this.backends(), backend => backend.server)) {
      const limits = backends.flatMap(({ config }) => config.max_concurrency ?? [])
      const largest = limits.length === 0 ? undefined : Math.max(...limits)
      server.update(largest)
      for (const { places, config } of backends)
        places.update(config.max_concurrency, config.max_concurrency !== largest)
    }
  }

  #applyCordons(): void {
    for (const backend of this.backends())
      backend.cordonByOperator(isCordoned(this.#cordoned, backend.model, backend.address))
  }

  #forgetIdle(): void {
    for (const model of [...this.#models.values(), ...this.#gone.values()]) model.forgetIdle(this.#onGone)
    this.#gone = new Map([...this.#gone].filter(([, { hasLeaving }]) => hasLeaving))
  }
}
