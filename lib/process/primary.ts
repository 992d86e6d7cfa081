/** The primary process of several workers: serves the operators' port, and reloads and drains all of them. */
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Logger } from 'pino'
import { Registry } from 'prom-client'
import { Fleet } from '../admin/live/fleet.ts'
import { ServiceDiscovery } from '../backends/discovery/service-discovery.ts'
import { systemClock } from '../base/clock.ts'
import { Metrics } from '../base/metrics.ts'
import type { Config } from '../config/config.ts'
import { changedRestartMembers, reloadable } from '../config/restart.ts'
import { openStore } from '../store/store.ts'
import { runnablePlan } from './boot.ts'
import type { Running } from './gateway.ts'
import { Inquiries, seenByAll } from './inquiries.ts'
import { openOperatorsPort } from './ports.ts'
import { countDroppedLines } from './process-log.ts'
import { ServedModels } from './served-models.ts'
import { GatewayState, processMetrics, startTime } from './state.ts'
import { askAboutRoute, askWorkers, metricsOfWorkers } from './worker-channel.ts'
import { Workers } from './workers.ts'

/** Starts `config.workers` processes with this one's command. Throws if the configuration or a worker cannot run. */
export async function startWorkers(config: Config, log: Logger, file?: string): Promise<Running> {
  await runnablePlan(config)
  let current = config
  const own = new Metrics()
  const ownMetrics = processMetrics(own)
  startTime(own)
  const added = new Metrics()
  countDroppedLines(added)
  // Each worker has a store of its own; this one is for the API, the pages, the models of operators, and the fleet.
  // Other machines can only share a PostgreSQL.
  const hasStore = config.admin?.api === true || config.stored_models || !config.store.startsWith('sqlite:')
  const store = hasStore ? await openStore(config.store, { log }) : null
  // The primary discovers models for all workers. Each worker logs which models are not used.
  const models = await ServedModels.start({
    config,
    store,
    log: log.child({}, { level: 'silent' }),
    discoveryLog: log,
  })
  let effective = models.over(config)
  let { found } = models.discovered(config)
  const workers = new Workers({ ...config, found }, { log, onRestart: () => ownMetrics.workerRestarted() })
  const url = await startOrEnd(workers, async () => {
    await models.end()
    await store?.close()
  })

  const inquiries = new Inquiries({ log })
  // Each worker discovers backends and logs them. The primary discovers them too: to ask and list them.
  const discovery = new ServiceDiscovery({
    log: log.child({}, { level: 'silent' }),
    onChange: () => inquiries.update(discovery.models()),
  })
  const updateBackends = ({ models }: Config) => {
    discovery.update(models)
    inquiries.update(discovery.models())
  }
  const apply = async (isReload = false) => {
    effective = models.over(reloadable(config, current))
    updateBackends(effective)
    const { found: now } = models.discovered(current)
    if (!isReload && isDeepStrictEqual(found, now)) return
    found = now
    workers.update({ ...current, found })
  }
  models.onChange(() => apply())
  updateBackends(effective)

  const metrics = {
    contentType: Registry.PROMETHEUS_CONTENT_TYPE,
    metrics: async () => {
      const ofAll = await metricsOfWorkers(workers.started(), undefined, await added.registry.getMetricsAsJSON())
      return `${ofAll}${await own.registry.metrics()}`
    },
  }
  const readiness = () => workers.readiness()
  const pids = () => workers.all().flatMap(worker => worker.process.pid ?? [])
  const state = new GatewayState(file, { readiness, metrics, pids })
  const fleet = new Fleet({
    store,
    clock: systemClock,
    log,
    facts: () => state.facts(),
    backends: async () => seenByAll(await askWorkers('backends', workers.all()), inquiries, discovery),
    periods: () => askWorkers('live', workers.all()),
  })
  const operators = await openOperatorsPort(config, {
    log,
    metrics,
    readiness,
    notes: () => [...workers.notes(), ...models.discoveryNotes()],
    fleet,
    async explain(question) {
      const worker = workers.any()
      if (worker === undefined) throw new Error('no worker is running')
      return askAboutRoute(worker, question)
    },
    api:
      store === null || config.admin?.api !== true
        ? null
        : {
            config: () => effective,
            store,
            state: () => state.read(),
            // The workers poll the store for changes.
            changed: () => models.refresh(),
          },
  })
  fleet.start()

  return {
    url,
    adminUrl: operators?.url ?? null,

    async reload(next) {
      await runnablePlan(next)
      const members = changedRestartMembers(config, next)
      if (members.length > 0) log.warn({ members }, 'these members have changed: they take effect at the next start')
      await models.prepare(next)
      current = next
      await apply(true)
      models.keep(next)
    },

    reloaded(problems) {
      ownMetrics.reloaded(problems.length === 0)
      state.noteReload(problems)
    },

    async drain() {
      inquiries.close()
      discovery.close()
      models.onChange(async () => {})
      operators?.endPages()
      const ended = workers.end()
      // The process that takes over a shared port answers its scrapes after the delay.
      if (operators?.isShared === true) {
        await sleep(current.drain_delay_seconds * 1000)
        await operators.close()
      }
      await ended
      if (operators?.isShared === false) await operators.close()
      await fleet.end()
      await models.end()
      await store?.close()
    },
  }
}

/** Resolves with the URL of the workers. Calls `end` if they cannot start. */
async function startOrEnd(workers: Workers, end: () => Promise<void>): Promise<string> {
  try {
    return await workers.start()
  } catch (thrown) {
    await end()
    throw thrown
  }
}
