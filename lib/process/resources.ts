import type { Logger } from 'pino'
import { KeyRing, ModelCatalog } from '../accounts/access.ts'
import { cacheIsolation, gatewaySecret } from '../accounts/cache-isolation.ts'
import type { LiveCounter } from '../admin/live/counts.ts'
import { watchAlerts } from '../alerts/watch.ts'
import { ServiceDiscovery } from '../backends/discovery/service-discovery.ts'
import { probeTimeouts, sendProbe } from '../backends/health/probe-request.ts'
import { type Backend, BackendPool } from '../backends/pool.ts'
import { poolMetrics } from '../backends/pool-metrics.ts'
import { Queues } from '../backends/queue/queues.ts'
import { systemClock } from '../base/clock.ts'
import { Metrics } from '../base/metrics.ts'
import { LoopWriteQueue } from '../base/write-queue.ts'
import { type BodiesHost, createBodies, memoryLimits } from '../body/index.ts'
import type { BackendConfig, Config, ModelConfig } from '../config/config.ts'
import type { Services } from '../core/services.ts'
import { FileStore, keepFiles } from '../files/store.ts'
import { costOf } from '../limits/cost.ts'
import { createLimits } from '../limits/create.ts'
import type { Ledger } from '../limits/ledger.ts'
import type { ReadSpent } from '../limits/spendings.ts'
import { consoleSignIn } from '../oidc/audiences.ts'
import { type Recording, startRecording } from '../records/recording.ts'
import { Routing, type ShareOptions } from '../routing/routing.ts'
import { storeSessions } from '../store/console-sessions.ts'
import { creditTotals } from '../store/credits.ts'
import { watchDrains } from '../store/drains.ts'
import { keepKeyUse } from '../store/key-use.ts'
import { KeyWatch } from '../store/key-watch.ts'
import { storeOwnKeys } from '../store/own-keys.ts'
import { modelUsage } from '../store/queries/model-usage.ts'
import { queryRunner } from '../store/query-runner.ts'
import { storeReports } from '../store/reports.ts'
import { TokenRatios } from '../tokens/token-ratios.ts'
import { type AdmissionControl, createAdmissionControl } from './admission.ts'
import { processLog } from './process-log.ts'

/** Called when backends are added or removed. */
export interface BackendWatcher {
  /** The models with the backends that they have now. */
  changed(models: readonly ModelConfig[]): void
  /** The last request of a backend has ended that had left. */
  gone(backend: Backend): void
}

/** The parts of a gateway that outlive a reload of its configuration. */
export interface Resources {
  readonly log: Logger
  readonly metrics: Metrics
  readonly discovery: ServiceDiscovery
  readonly pool: BackendPool
  readonly routing: Routing
  /** One for all runtimes and the journal, whose records leave before the last bytes of their responses. */
  readonly writes: LoopWriteQueue
  readonly queues: Queues
  readonly recording: Recording
  readonly bodies: BodiesHost
  readonly admissionControl: AdmissionControl
  /** The services for plugins that are set up with this configuration. */
  servicesFor(config: Config): Services
  /** Applies the backends and keys of this configuration. Unchanged backends keep their state. */
  update(config: Config): void
  /** What operators should know of a gateway that is ready. */
  notes(): readonly string[]
  /** Tells of the backends from now on, and of those there are. */
  watchBackends(watcher: BackendWatcher): void
  /** Applies changes of accounts, keys and drains in the store at once. Never rejects. */
  applyChanges(): Promise<void>
  /** Must be called after the last exchange. */
  close(): Promise<void>
}

/** `live`: counts every record. Throws StartError if the journal, the store or the directory of files cannot be used. */
export async function startResources(config: Config, live?: LiveCounter): Promise<Resources> {
  const { log, flush } = processLog(config)
  const metrics = new Metrics()
  metrics.collectProcess()
  const keys = new KeyRing()
  let current = config
  const files = new FileStore(config.files, systemClock)
  const writes = new LoopWriteQueue()
  const recording = await startRecording(config, { log, metrics, clock: systemClock, writes })
  const share = await shareOptions(config)
  const tokens = new TokenRatios()
  const routing = new Routing({ clock: systemClock, metrics, tokens, ...(share !== undefined && { share }) })
  const queues = new Queues({ clock: systemClock, metrics })
  const { onEjected, onProbed, onGone, watch } = poolMetrics(metrics)
  const watchers = new Set<BackendWatcher>()
  const discovery = new ServiceDiscovery({ log, metrics, onChange: () => applyBackends() })
  await discovery.prepare(config.models)
  discovery.update(config.models)
  const pool = new BackendPool(discovery.models(), systemClock, {
    probe: (model, backend, signal) =>
      sendProbe(model, backend.config, backend.asked, probeTimeouts(current.timeouts), signal),
    onHealthy: backend => routing.healthy(backend),
    onStateChange: (backend, state) => {
      log.warn({ model: backend.model, backend: backend.address, state }, 'backend')
      if (state !== 'up') routing.lost(backend)
    },
    onCapacity: model => queues.pump(model),
    onGone: backend => {
      onGone(backend)
      for (const watcher of watchers) watcher.gone(backend)
    },
    onEjected,
    onProbed,
  })
  watch(pool)
  const applyBackends = () => {
    pool.update(discovery.models())
    routing.update(pool.backends())
    for (const watcher of watchers) watcher.changed(discovery.models())
  }
  routing.update(pool.backends())
  const endFiles = keepFiles(files, log)
  const reports = storeReports(queryRunner(recording.store, recording.store.reader))
  const sessions = storeSessions(queryRunner(recording.store), systemClock)
  const keyWatch = new KeyWatch({ store: recording.store, ring: keys, config: () => current, log })
  keyWatch.apply()
  await keyWatch.start()
  const drains = await watchDrains({ store: recording.store, apply: all => pool.drain(all), log })
  keys.refreshWith(() => keyWatch.look())
  const endKeyUse = keepKeyUse({ store: recording.store, ring: keys, log })
  const ledger = ledgerOf(recording)
  const readSpent = readSpentOf(recording, () => current)
  const limits = await createLimits(config, { clock: systemClock, log, metrics, ledger, readSpent, writes })
  const endAlerts = watchAlerts({
    ...{ store: recording.store, config: () => current, clock: systemClock, log, metrics },
    backends: () => Array.from(pool.backends(), ({ model, address, isUsable }) => ({ model, address, isUp: isUsable })),
  })
  const records = live === undefined ? recording.sink : live.tap(recording.sink)
  const bodies = createBodies(config.memory, metrics)
  const admissionControl = createAdmissionControl(config.admission, metrics)

  return {
    log,
    metrics,
    discovery,
    pool,
    routing,
    writes,
    queues,
    recording,
    bodies,
    admissionControl,

    notes: limits.notes,

    servicesFor: config => ({
      config,
      clock: systemClock,
      log,
      metrics,
      keys,
      models: new ModelCatalog(config.models, config.endpoints, model => backendsOf(discovery, model)),
      cacheIsolation: cacheIsolation(config),
      records,
      limits,
      tokens,
      reports,
      sessions,
      oidc: consoleSignIn(config, systemClock),
      ownKeys: storeOwnKeys({
        run: queryRunner(recording.store),
        config,
        clock: systemClock,
        changed: () => keyWatch.look(),
      }),
      files,
    }),

    update(next) {
      current = next
      discovery.update(next.models)
      applyBackends()
      bodies.memory.update(memoryLimits(next.memory))
      bodies.slowUploads.update(next.memory.idle_ms)
      admissionControl.update(next.admission)
      keyWatch.apply()
    },

    watchBackends(watcher) {
      watchers.add(watcher)
      watcher.changed(discovery.models())
    },

    applyChanges: async () => {
      await Promise.all([keyWatch.look(), drains.look()])
    },

    // The store is closed last, because nearly everything writes to it.
    async close() {
      discovery.close()
      pool.close()
      routing.close()
      bodies.slowUploads.close()
      await keyWatch.close()
      await drains.end()
      await endAlerts()
      await endKeyUse()
      await limits.close()
      await endFiles()
      await recording.close()
      flush()
    },
  }
}

/** Processes that count together route together. */
async function shareOptions(config: Config): Promise<ShareOptions | undefined> {
  const { limits_store: url } = config
  if (url === 'memory') return undefined
  const { redisChannel } = await import('../routing/sharing/redis-channel.ts')
  const secret = gatewaySecret(config)
  return { secret, open: receive => redisChannel(url, secret, receive) }
}

function backendsOf(discovery: ServiceDiscovery, model: ModelConfig): readonly BackendConfig[] {
  if (model.discover.length === 0) return model.backends
  return discovery.models().find(({ id }) => id === model.id)?.backends ?? model.backends
}

function ledgerOf({ store, caughtUp }: Recording): Ledger {
  return {
    async totals(accounts) {
      // Before that, the ledger lacks the last charges before a restart, so balances would be too high.
      await caughtUp
      return creditTotals(store, accounts)
    },
  }
}

const HOUR_MS = 3_600_000

/** By what the hourly totals have, at the present prices. A part of an hour at the beginning of a period is not in it. */
function readSpentOf({ store, caughtUp }: Recording, config: () => Config): ReadSpent {
  return async ({ account, key, from, to }) => {
    await caughtUp
    const hours = { from: Math.ceil(from / HOUR_MS), to: Math.ceil(to / HOUR_MS) }
    const rows = await modelUsage(store.reader, { account, key, ...hours })
    const prices = new Map(config().models.map(({ id, pricing }) => [id, pricing]))
    return rows.reduce((sum, { model, input_tokens: input, output_tokens: output, cache_read_tokens: cachedInput }) => {
      const pricing = prices.get(model)
      return pricing === undefined ? sum : sum + costOf(pricing, { input, cachedInput, output })
    }, 0)
  }
}
