/** Several processes on one machine (`workers` in the configuration) that share a port and are supervised by a primary. */
import cluster, { type Worker } from 'node:cluster'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { Registry } from 'prom-client'
import { ServiceDiscovery } from '../backends/discovery/service-discovery.ts'
import { systemClock } from '../base/clock.ts'
import { isObject } from '../base/json.ts'
import { Metrics } from '../base/metrics.ts'
import { StartError } from '../base/start-error.ts'
import type { Config, ModelConfig } from '../config/config.ts'
import { changedRestartMembers, reloadable } from '../config/restart.ts'
import { createAdminServer } from '../http/admin.ts'
import { closeServer, listen, urlOf } from '../http/listen.ts'
import { openStore } from '../store/store.ts'
import { planChains } from './boot.ts'
import { type Gateway, type Running, startGateway } from './gateway.ts'
import { Inquiries } from './inquiries.ts'
import { listAll } from './list-backends.ts'
import { processMetrics, startTime } from './process-metrics.ts'
import { BootError } from './runtime.ts'
import { GatewayState } from './state.ts'
import { answerPrimaryAbout, askWorkersAbout } from './worker-backends.ts'
import { metricsOfWorkers } from './worker-metrics.ts'
import { answerPrimary, askWorker } from './worker-questions.ts'

/** Delay before a worker is replaced, so that one that cannot start is not started in a tight loop. */
const RESTART_MS = 1000

/** How often a worker checks its readiness. */
const READINESS_MS = 1000

/** Sent by a worker when its readiness has changed. */
interface ReadinessMessage {
  readonly unready: readonly string[]
  readonly notes: readonly string[]
}

/** Sent by a worker when it listens. Node's own event does not come where each worker has a socket of its own (`reuse_port`). */
interface ListeningMessage {
  readonly listening: string
}

/** The request of a new worker for its configuration. */
const CONFIG_REQUEST = 'config'

/** Sent by the primary on request and after each reload: the configuration to run. */
interface ConfigMessage {
  readonly config: Config
}

/**
 * The configuration that the primary runs, which may differ from the file: a replacement worker must start although the file
 * has become invalid. `onNext` is called after each reload.
 */
export function configOfPrimary(onNext: (config: Config) => void): Promise<Config> {
  return new Promise(resolve => {
    let take = (config: Config) => {
      take = onNext
      resolve(config)
    }
    process.on('message', (message: unknown) => {
      if (isConfigMessage(message)) take(message.config)
    })
    process.send?.({ wants: CONFIG_REQUEST })
  })
}

/** Starts a gateway in a process of startWorkers(). The primary serves the operators' port and collects the metrics. */
export async function startWorker(config: Config): Promise<Running> {
  const gateway = await startGateway({ ...config, admin: null }, { isWorker: true, isLive: config.admin?.api === true })
  answerPrimaryAbout('metrics', () => gateway.metrics.getMetricsAsJSON())
  answerPrimaryAbout('backends', gateway.backends)
  answerPrimaryAbout('live', gateway.takeLive)
  answerPrimary(question => gateway.explainRequest(question))
  reportReadiness(gateway)
  process.send?.({ listening: gateway.url } satisfies ListeningMessage)
  return {
    url: gateway.url,
    adminUrl: null,
    // The primary logs which changes need a restart, once for all workers.
    reloaded: () => {},
    reload: next => gateway.reload({ ...reloadable(config, next), admin: null }),
    drain: () => gateway.drain(),
  }
}

function reportReadiness(gateway: Gateway): void {
  let reported = ''
  const report = () => {
    const message: ReadinessMessage = { unready: gateway.readiness(), notes: gateway.notes() }
    const text = JSON.stringify(message)
    if (text === reported || !process.connected) return
    reported = text
    process.send?.(message)
  }
  report()
  setInterval(report, READINESS_MS).unref()
}

/**
 * Starts `config.workers` processes with the same command. The result controls all of them: aggregated metrics, reload,
 * drain. `file`: where the configuration comes from, for operators. Throws if one of them cannot start.
 */
export async function startWorkers(config: Config, log: Logger, file?: string): Promise<Running> {
  const { problems } = await planChains(config)
  if (problems.length > 0) throw new BootError(problems)
  let draining = false
  let current = config
  const workers = () => Object.values(cluster.workers ?? {}).filter(worker => worker !== undefined)
  const reports = new Map<Worker, ReadinessMessage>()
  const own = new Metrics()
  const whole = processMetrics(own)
  startTime(own)
  const onMessage = (worker: Worker, message: unknown) => {
    if (isReadinessMessage(message)) reports.set(worker, message)
    if (isObject(message) && message.wants === CONFIG_REQUEST) worker.send({ config: current } satisfies ConfigMessage)
  }
  const onExit = (worker: Worker, code: number, signal: string) => {
    reports.delete(worker)
    if (draining) return
    log.error({ pid: worker.process.pid, code, signal }, 'a worker ended and is replaced')
    whole.workerRestarted()
    setTimeout(() => {
      if (!draining) cluster.fork()
    }, RESTART_MS)
  }
  cluster.on('message', onMessage)
  const url = await firstUrl(config.workers)
  cluster.on('exit', onExit)

  const inquiries = new Inquiries({ log })
  // Each worker looks by itself. The primary says what it finds, and asks those that it has found.
  const discovery = new ServiceDiscovery({
    log: log.child({}, { level: 'silent' }),
    onChange: () => inquiries.update(discovery.models()),
  })
  const follow = (models: readonly ModelConfig[]) => {
    discovery.update(models)
    inquiries.update(discovery.models())
  }
  follow(config.models)

  // One that starts has counted nothing, and answers from its first report on.
  const metricsOfAll = async () => `${await metricsOfWorkers([...reports.keys()])}${await own.registry.metrics()}`
  const allOf = (member: keyof ReadinessMessage) => new Set([...reports.values()].flatMap(report => report[member]))
  const readiness = () => {
    if (draining) return ['draining']
    const up = workers().filter(worker => worker.isConnected()).length
    // A connection may reach any worker, so each one's reasons count.
    return up > 0 ? [...allOf('unready')] : ['no worker is running']
  }
  // Workers share what they know: any of them can tell.
  const explainRequest = (question: string) => {
    const worker = workers().find(one => one.isConnected())
    return worker === undefined ? Promise.reject(new Error('no worker is running')) : askWorker(worker, question)
  }
  const list = async () => listAll(await askWorkersAbout('backends', workers()), inquiries, discovery)
  const source = { metrics: metricsOfAll, contentType: Registry.PROMETHEUS_CONTENT_TYPE }
  const pids = () => workers().flatMap(worker => worker.process.pid ?? [])
  const state = new GatewayState(file, { readiness, metrics: source, pids })
  // The workers have stores of their own.
  const store = config.admin?.api === true ? await openStore(config.store, { log }) : null
  const operators =
    store === null
      ? undefined
      : (await import('./operators.ts')).startOperators(
          {
            config: () => reloadable(config, current),
            store,
            clock: systemClock,
            log,
            state: () => state.read(),
            backends: list,
            // The workers look for changes by themselves.
            changed: async () => {},
          },
          { backends: list, periods: () => askWorkersAbout('live', workers()), unready: () => readiness() },
        )
  const admin =
    config.admin === null
      ? null
      : createAdminServer({
          metrics: source,
          readiness,
          notes: () => [...allOf('notes')],
          backends: list,
          explain: explainRequest,
          operators,
        })
  if (admin !== null) await listen(admin, config.admin!, log)

  return {
    url,
    adminUrl: admin === null ? null : urlOf(admin, 'http'),

    async reload(next) {
      const { problems: found } = await planChains(next)
      if (found.length > 0) throw new BootError(found)
      const members = changedRestartMembers(config, next)
      if (members.length > 0) log.warn({ members }, 'these members have changed: they take effect at the next start')
      current = next
      follow(next.models)
      for (const worker of workers()) worker.send({ config: next } satisfies ConfigMessage)
    },

    reloaded(problems) {
      whole.reloaded(problems.length === 0)
      state.noteReload(problems)
    },

    async drain() {
      draining = true
      inquiries.close()
      discovery.close()
      operators?.close()
      const ending = Promise.all(workers().map(ended))
      // Scrapes of a shared port are for the process that takes over.
      const isShared = admin !== null && config.admin!.reuse_port
      if (isShared) {
        await sleep(current.drain_delay_seconds * 1000)
        await closeServer(admin, 0, log)
      }
      await ending
      cluster.off('exit', onExit)
      cluster.off('message', onMessage)
      if (admin !== null && !isShared) await closeServer(admin, 0, log)
      await store?.close()
    },
  }
}

/** The URL of all workers, when all listen; rejects if one ends before. */
function firstUrl(count: number): Promise<string> {
  return new Promise((resolve, reject) => {
    let listening = 0
    const onListening = (_worker: Worker, message: unknown) => {
      if (!isListeningMessage(message)) return
      listening++
      if (listening === count) done(() => resolve(message.listening))
    }
    const onEnd = (_worker: Worker, code: number) =>
      done(() => reject(new StartError(`a worker could not start (exit code ${code}): see its messages above`)))
    const done = (settle: () => void) => {
      cluster.off('message', onListening)
      cluster.off('exit', onEnd)
      settle()
    }
    cluster.on('message', onListening)
    cluster.on('exit', onEnd)
    for (let i = 0; i < count; i++) cluster.fork()
  })
}

function isConfigMessage(message: unknown): message is ConfigMessage {
  return isObject(message) && isObject(message.config)
}

function isListeningMessage(message: unknown): message is ListeningMessage {
  return isObject(message) && typeof message.listening === 'string'
}

function isReadinessMessage(message: unknown): message is ReadinessMessage {
  return isObject(message) && Array.isArray(message.unready) && Array.isArray(message.notes)
}

/** Drains a worker and waits for its end. */
function ended(worker: Worker): Promise<void> {
  return new Promise(resolve => {
    worker.once('exit', () => resolve())
    worker.process.kill('SIGTERM')
  })
}
