/** The primary process of several workers: serves the operators' port, and reloads and drains all of them. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { Registry } from 'prom-client'
import { ServiceDiscovery } from '../backends/discovery/service-discovery.ts'
import { Metrics } from '../base/metrics.ts'
import type { Config } from '../config/config.ts'
import { changedRestartMembers, reloadable } from '../config/restart.ts'
import { openStore } from '../store/store.ts'
import { runnablePlan } from './boot.ts'
import type { Running } from './gateway.ts'
import { Inquiries, listAll } from './inquiries.ts'
import { openOperatorsPort } from './ports.ts'
import { countDroppedLines } from './process-log.ts'
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
  const workers = new Workers(config, { log, onRestart: () => ownMetrics.workerRestarted() })
  const url = await workers.start()

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
  updateBackends(config)

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
  // Each worker has a store of its own; this one is for the API and the pages.
  const store = config.admin?.api === true ? await openStore(config.store, { log }) : null
  const operators = await openOperatorsPort(config, {
    log,
    metrics,
    readiness,
    notes: () => workers.notes(),
    backends: async () => listAll(await askWorkers('backends', workers.all()), inquiries, discovery),
    async explain(question) {
      const worker = workers.any()
      if (worker === undefined) throw new Error('no worker is running')
      return askAboutRoute(worker, question)
    },
    api:
      store === null
        ? null
        : {
            config: () => reloadable(config, current),
            store,
            state: () => state.read(),
            // The workers poll the store for changes.
            changed: async () => {},
            periods: () => askWorkers('live', workers.all()),
          },
  })

  return {
    url,
    adminUrl: operators?.url ?? null,

    async reload(next) {
      await runnablePlan(next)
      const members = changedRestartMembers(config, next)
      if (members.length > 0) log.warn({ members }, 'these members have changed: they take effect at the next start')
      current = next
      updateBackends(next)
      workers.update(next)
    },

    reloaded(problems) {
      ownMetrics.reloaded(problems.length === 0)
      state.noteReload(problems)
    },

    async drain() {
      inquiries.close()
      discovery.close()
      operators?.endPages()
      const ended = workers.end()
      // The process that takes over a shared port answers its scrapes after the delay.
      if (operators?.isShared === true) {
        await sleep(current.drain_delay_seconds * 1000)
        await operators.close()
      }
      await ended
      if (operators?.isShared === false) await operators.close()
      await store?.close()
    },
  }
}
