/** The backends of a running gateway: discovery, pool, queues and routing are started, updated and closed together. */
import type { Logger } from 'pino'
import { gatewaySecret } from '../accounts/cache-isolation.ts'
import { ServiceDiscovery } from '../backends/discovery/service-discovery.ts'
import { probeTimeouts, sendProbe } from '../backends/health/probe-request.ts'
import { type Backend, BackendPool, type ModelSnapshot } from '../backends/pool.ts'
import { poolMetrics } from '../backends/pool-metrics.ts'
import { Queues } from '../backends/queue/queues.ts'
import { systemClock } from '../base/clock.ts'
import type { Metrics } from '../base/metrics.ts'
import type { BackendConfig, Config, ModelConfig, Timeouts } from '../config/config.ts'
import { Lines } from '../dispatch/lines.ts'
import type { PlaceStore } from '../limits/places.ts'
import { Routing, type ShareOptions } from '../routing/routing.ts'
import type { TokenRatios } from '../tokens/token-ratios.ts'

interface BackendWatcher {
  /** The models with their present backends. */
  changed(models: readonly ModelConfig[]): void
  /** The last request of a removed backend has ended. */
  removed(backend: Backend): void
}

interface BackendsHost {
  readonly log: Logger
  readonly metrics: Metrics
  readonly tokens: TokenRatios
  readonly places: PlaceStore | null
  /** The current timeouts, for probe requests. */
  timeouts(): Timeouts
}

export class Backends {
  readonly discovery: ServiceDiscovery
  readonly pool: BackendPool
  readonly queues: Queues
  readonly routing: Routing
  readonly lines: Lines
  /** Remarks for operators about a gateway that is ready. */
  readonly notes: () => readonly string[]
  /** Models whose servers contradict the configuration, by id. */
  readonly corrected = new Map<string, ModelConfig>()
  #watcher: BackendWatcher | undefined
  #correct: (model: ModelConfig) => ModelConfig = model => model
  /** Models with other backends than in the configuration, by id. */
  #present: ReadonlyMap<string, ModelConfig> = new Map()

  private constructor({ log, metrics, tokens, places, timeouts }: BackendsHost, share: SharedRouting | undefined) {
    const routing = new Routing({ clock: systemClock, metrics, tokens, ...(share !== undefined && { share }) })
    const queues = new Queues({ clock: systemClock, metrics })
    const { onEjected, onProbed, onGone, watch } = poolMetrics(metrics)
    this.routing = routing
    this.notes = () => share?.notes() ?? []
    this.queues = queues
    this.discovery = new ServiceDiscovery({ log, metrics, onChange: () => this.#apply() })
    this.pool = new BackendPool([], systemClock, {
      probe: (model, backend, signal) =>
        sendProbe(model, backend.config, backend.health.failedKind, probeTimeouts(timeouts()), signal),
      onHealthy: backend => routing.healthy(backend),
      onStateChange: (backend, state) => {
        log.warn({ model: backend.model, backend: backend.address, state }, 'backend')
        // A drained backend keeps its cache.
        if (backend.health.state !== 'up') routing.lost(backend)
      },
      onCapacity: queues.pump.bind(queues),
      queued: model => queues.size(model),
      places,
      onGone: backend => {
        onGone(backend)
        this.#watcher?.removed(backend)
      },
      onEjected,
      onProbed,
    })
    this.lines = new Lines({ pool: this.pool, routing, metrics, now: systemClock.monotonic })
    watch(this.pool)
  }

  /** Starts with the backends of this configuration, including those that the first lookups discover. */
  static async start(config: Config, host: BackendsHost): Promise<Backends> {
    const backends = new Backends(host, await sharedRouting(config, host.log))
    await backends.discovery.prepare(config.models)
    backends.update(config)
    return backends
  }

  /** Applies a configuration. Unchanged backends keep their state. */
  update({ models, batches }: Pick<Config, 'models' | 'batches'>): void {
    this.lines.update(batches)
    this.discovery.update(models)
    this.#apply()
  }

  /** The backends of a model, including discovered ones. */
  of({ id, backends }: ModelConfig): readonly BackendConfig[] {
    return this.#present.get(id)?.backends ?? backends
  }

  /** Corrects the models from now on. Called again if `correct` has other results. */
  correct(correct: (model: ModelConfig) => ModelConfig): void {
    this.#correct = correct
    this.#applyToPool()
  }

  snapshot(): readonly ModelSnapshot[] {
    const learnt = this.routing.learnt()
    return this.pool.snapshot(backend => learnt.get(backend) ?? null)
  }

  /** Calls the watcher now, and on every change. */
  watch(watcher: BackendWatcher): void {
    this.#watcher = watcher
    watcher.changed(this.discovery.models())
  }

  close(): void {
    this.discovery.close()
    this.lines.close()
    this.pool.close()
    this.routing.close()
  }

  #apply(): void {
    this.#applyToPool()
    this.#watcher?.changed(this.discovery.models())
  }

  #applyToPool(): void {
    const found = this.discovery.models()
    const models = found.map(this.#correct)
    this.corrected.clear()
    for (const [i, model] of models.entries()) if (model !== found[i]) this.corrected.set(model.id, model)
    const present = models.filter(model => model.discover.length > 0 || this.corrected.has(model.id))
    this.#present = new Map(present.map(model => [model.id, model]))
    this.pool.update(models)
    this.routing.update(this.pool.backends())
  }
}

interface SharedRouting extends ShareOptions {
  /** Remarks for operators. */
  notes(): readonly string[]
}

/** How processes that count limits together share what routing knows; undefined: this process routes alone. */
async function sharedRouting(config: Config, log: Logger): Promise<SharedRouting | undefined> {
  const { limits_store: url } = config
  if (url === 'memory') return undefined
  const { redisChannel } = await import('../routing/sharing/channel.ts')
  const secret = gatewaySecret(config)
  let channel: ReturnType<typeof redisChannel> | undefined
  return {
    secret,
    open: receive => {
      channel = redisChannel({ url, secret, log, receive })
      return channel
    },
    notes: () => channel?.notes() ?? [],
  }
}
