/** What a gateway keeps across reloads of its configuration. */
import type { Logger } from 'pino'
import { KeyRing, ModelCatalog } from '../accounts/access.ts'
import { cacheIsolation } from '../accounts/cache-isolation.ts'
import { keyedHash } from '../accounts/keyed-hash.ts'
import type { LiveCounter } from '../admin/live/counts.ts'
import { watchAlerts } from '../alerts/watch.ts'
import { systemClock } from '../base/clock.ts'
import { Metrics } from '../base/metrics.ts'
import { LoopWriteQueue } from '../base/write-queue.ts'
import { type BodiesHost, createBodies, memoryLimits } from '../body/index.ts'
import type { Config } from '../config/config.ts'
import type { Services } from '../core/services.ts'
import { storeOwnAlerts } from '../customer-alerts/own-alerts.ts'
import { watchCustomerAlerts } from '../customer-alerts/watch.ts'
import { ERRORS } from '../errors/errors.ts'
import { watchExports } from '../exports/watch.ts'
import { watchRemovedAccounts } from '../files/removed-accounts.ts'
import { FileStore, keepFiles } from '../files/store.ts'
import { judgingSignIn } from '../groups/judge.ts'
import { watchGroups } from '../groups/watch.ts'
import type { BackendHistory } from '../history/watch.ts'
import { consoleSignIn } from '../oidc/audiences.ts'
import { type Recording, startRecording } from '../records/recording.ts'
import { loadAccounts } from '../store/accounts.ts'
import { inputFiles } from '../store/batches.ts'
import { storeSessions } from '../store/console-sessions.ts'
import { watchCordons } from '../store/cordons.ts'
import { KeyWatch, keepKeyUse } from '../store/key-watch.ts'
import { storeOwnKeys } from '../store/own-keys.ts'
import { queryRunner } from '../store/query-runner.ts'
import { storeReports } from '../store/reports.ts'
import { TokenRatios } from '../tokens/token-ratios.ts'
import { type AdmissionControl, createAdmissionControl, openFilesLimit } from './admission.ts'
import { Backends } from './backends.ts'
import { ProcessBatches } from './batches.ts'
import { customerWebhooks } from './customer-webhooks.ts'
import { readSpentOf, startLimits } from './limits.ts'
import { countDroppedLines, processLog } from './process-log.ts'

export interface Resources {
  readonly log: Logger
  readonly metrics: Metrics
  readonly backends: Backends
  /** Writes to clients. The journal uses the same queue: a record is written before the last bytes of its response. */
  readonly writes: LoopWriteQueue
  readonly recording: Recording
  /** undefined: there are no pages that show it. */
  readonly history: BackendHistory | undefined
  readonly bodies: BodiesHost
  readonly admissionControl: AdmissionControl
  readonly batches: ProcessBatches
  /** The services for plugins that are set up with this configuration. */
  servicesFor(config: Config): Promise<Omit<Services, 'internal'>>
  /** Applies a configuration. Backends and keys that are unchanged keep their state. */
  update(config: Config): void
  notes(): readonly string[]
  /** Applies changes of accounts, keys and cordons in the store at once. Never rejects. */
  applyChanges(): Promise<void>
  /** Calls `end` when accounts were erased, with the ids of all erased ones. */
  watchErased(end: (accounts: ReadonlySet<string>) => void): void
  /** Must be called after the last exchange. */
  close(): Promise<void>
}

type SharedServices = Omit<
  Services,
  'internal' | 'config' | 'batches' | 'models' | 'cacheIsolation' | 'keyedHash' | 'oidc' | 'ownKeys' | 'ownAlerts'
>

/** Starts everything in the order of use. `live`: counts records. Throws StartError if a resource cannot be used. */
export async function startResources(config: Config, live?: LiveCounter): Promise<Resources> {
  let current = config
  const { log, flush } = processLog(config)
  const metrics = new Metrics()
  metrics.collectProcess()
  countDroppedLines(metrics)
  const writes = new LoopWriteQueue()
  const files = new FileStore(config.files, systemClock, () => current.batches?.max_file_bytes)
  const recording = await startRecording(config, { log, metrics, clock: systemClock, writes })
  const { store } = recording
  const tokens = new TokenRatios()
  const limits = await startLimits(config, { recording, config: () => current, log, metrics, writes })
  const { places } = limits
  const backends = await Backends.start(config, { log, metrics, tokens, places, timeouts: () => current.timeouts })
  // Loaded on demand: a gateway without operators' pages keeps no history.
  const history =
    live === undefined
      ? undefined
      : (await import('../history/watch.ts')).keepBackendHistory({
          ...{ store, clock: systemClock, log, metrics, days: config.retention_days },
          ...{ pool: backends.pool, routing: backends.routing },
          queued: model => backends.queues.size(model),
        })
  const neededFiles = async () => {
    await store.prepare()
    return inputFiles(store)
  }
  const endFiles = keepFiles(files, neededFiles, log)
  const removedAccounts = watchRemovedAccounts({
    stored: async () => {
      await store.prepare()
      return loadAccounts(store)
    },
    config: () => current,
    log,
  })
  const keys = new KeyRing()
  let endErased = (_: ReadonlySet<string>) => {}
  const onErased = (accounts: ReadonlySet<string>) => endErased(accounts)
  const keyWatch = new KeyWatch({ store, ring: keys, config: () => current, log, onErased })
  keyWatch.apply()
  await keyWatch.start()
  keys.refreshWith(() => keyWatch.refresh())
  const cordons = await watchCordons({ store, apply: all => backends.pool.cordon(all), log })
  const endGroups = watchGroups({
    store,
    config: () => current,
    clock: systemClock,
    log,
    changed: () => keyWatch.refresh(),
  })
  const endKeyUse = keepKeyUse({ store, ring: keys, log })
  const endAlerts = watchAlerts({
    store,
    config: () => current,
    clock: systemClock,
    log,
    metrics,
    backends: () =>
      Array.from(backends.pool.backends(), ({ model, address, health }) => ({ model, address, isUp: health.isUsable })),
  })
  const endCustomerAlerts = watchCustomerAlerts({
    ...{ store, config: () => current, clock: systemClock, log, metrics },
    readSpent: readSpentOf(recording, () => current),
    webhooks: () => customerWebhooks(current),
  })
  const endExports = watchExports({
    store,
    config: () => current,
    complete: async lines =>
      (await import('../admin/account-names.ts')).withAccountNames({ config: current, store }, lines),
    clock: systemClock,
    log,
    metrics,
  })
  const bodies = createBodies(config.memory, metrics)
  const admissionControl = createAdmissionControl(config.admission, openFilesLimit(), metrics)

  const records = live === undefined || history === undefined ? recording.sink : live.tap(history.tap(recording.sink))
  const batches = new ProcessBatches({
    config: () => current,
    store,
    files,
    records,
    spare: backends.lines.gate,
    metrics,
    log,
  })

  const shared: SharedServices = {
    clock: systemClock,
    log,
    metrics,
    keys,
    records,
    limits,
    tokens,
    reports: storeReports(queryRunner(store, store.reader)),
    sessions: storeSessions(queryRunner(store), systemClock),
    files,
    errors: ERRORS,
  }

  return {
    log,
    metrics,
    backends,
    writes,
    recording,
    history,
    bodies,
    admissionControl,
    batches,
    notes: () => [...limits.notes(), ...store.notes(), ...backends.notes()],

    servicesFor: async own => ({
      ...shared,
      config: own,
      batches: await batches.service(own),
      models: new ModelCatalog(own.models, own.endpoints, {
        backendsOf: model => backends.of(model),
        served: backends.corrected,
      }),
      cacheIsolation: cacheIsolation(own),
      keyedHash: keyedHash(own),
      oidc: judgingSignIn(consoleSignIn(own, systemClock), {
        run: queryRunner(store),
        config: own,
        clock: systemClock,
        log,
        changed: () => keyWatch.refresh(),
      }),
      ownKeys: storeOwnKeys({
        run: queryRunner(store),
        config: own,
        clock: systemClock,
        changed: () => keyWatch.refresh(),
      }),
      ownAlerts: own.console.alerts
        ? storeOwnAlerts({
            ...{ run: queryRunner(store), config: own, clock: systemClock },
            webhooks: customerWebhooks(own),
          })
        : null,
    }),

    update(next) {
      current = next
      backends.update(next)
      bodies.memory.update(memoryLimits(next.memory))
      bodies.slowUploads.update(next.memory.idle_ms)
      admissionControl.update(next.admission)
      keyWatch.apply()
      removedAccounts.changed()
    },

    async applyChanges() {
      await Promise.all([keyWatch.refresh(), cordons.refresh()])
    },

    watchErased(end) {
      endErased = end
    },

    // The store is closed last, because nearly every other part writes to it.
    async close() {
      await batches.close()
      await history?.close()
      backends.close()
      bodies.slowUploads.close()
      await endGroups()
      await keyWatch.close()
      await cordons.end()
      await endAlerts()
      await endCustomerAlerts()
      await endExports()
      await endKeyUse()
      await limits.close()
      await removedAccounts.end()
      await endFiles()
      await recording.close()
      flush()
    },
  }
}
