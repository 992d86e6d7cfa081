/** Several processes on one machine (`workers` in the configuration): they share the port, the first looks after them. */
import cluster, { type Worker } from 'node:cluster'
import type { AddressInfo } from 'node:net'
import type { Logger } from 'pino'
import { AggregatorRegistry } from 'prom-client'
import { isObject } from '../base/json.ts'
import { StartError } from '../base/start-error.ts'
import type { Config } from '../config/config.ts'
import { reloadable, wantsRestart } from '../config/restart.ts'
import { createAdminServer } from '../http/admin.ts'
import { closeServer, listen, urlOf } from '../http/listen.ts'
import { planChains } from './boot.ts'
import { type Gateway, type Running, startGateway } from './gateway.ts'
import { BootError } from './runtime.ts'

/** A worker that dies is replaced, but one that cannot start must not be started in a tight loop. */
const RESTART_MS = 1000

/** How often a worker looks whether it is still ready. */
const READINESS_MS = 1000

/** What a worker tells the primary when its readiness has changed. */
interface ReadinessNews {
  readonly unready: readonly string[]
}

/** What a worker asks for when it begins. */
const CONFIG_WISH = 'config'

/** What the primary tells a worker: the configuration to run, once it is asked and after each reload. */
interface ConfigNews {
  readonly config: Config
}

/**
 * The configuration that the primary runs, whatever the file holds by now: a worker that takes the place of another must
 * not stumble over a file that was refused. `onNext` is told of each reload.
 */
export function configOfPrimary(onNext: (config: Config) => void): Promise<Config> {
  return new Promise(resolve => {
    let take = (config: Config) => {
      take = onNext
      resolve(config)
    }
    process.on('message', (message: unknown) => {
      if (isConfigNews(message)) take(message.config)
    })
    process.send?.({ wants: CONFIG_WISH })
  })
}

/** A gateway in a process that startWorkers() has started: the primary has the operators' port and collects the metrics. */
export async function startWorker(config: Config): Promise<Running> {
  // Its constructor makes this process answer when the primary asks for metrics: with none at first, because a worker that
  // is silent while it starts would hold up the metrics of all.
  new AggregatorRegistry()
  const gateway = await startGateway({ ...config, admin: null })
  AggregatorRegistry.setRegistries(gateway.metrics)
  tellReadiness(gateway)
  return {
    url: gateway.url,
    adminUrl: null,
    // What takes a restart is named by the primary, once for all workers.
    reload: next => gateway.reload({ ...reloadable(config, next), admin: null }),
    drain: () => gateway.drain(),
  }
}

function tellReadiness(gateway: Gateway): void {
  let told = ''
  const tell = () => {
    const unready = gateway.readiness()
    if (unready.join() === told || !process.connected) return
    told = unready.join()
    process.send?.({ unready } satisfies ReadinessNews)
  }
  setInterval(tell, READINESS_MS).unref()
}

/**
 * Starts `config.workers` processes that run the same command, and stands for all of them: their metrics added up, their
 * drain, their reload. Throws when the first of them cannot start.
 */
export async function startWorkers(config: Config, log: Logger): Promise<Running> {
  const { problems } = await planChains(config)
  if (problems.length > 0) throw new BootError(problems)
  let draining = false
  let current = config
  const workers = () => Object.values(cluster.workers ?? {}).filter(worker => worker !== undefined)
  const unready = new Map<Worker, readonly string[]>()
  const onMessage = (worker: Worker, message: unknown) => {
    if (isReadinessNews(message)) unready.set(worker, message.unready)
    if (isObject(message) && message.wants === CONFIG_WISH) worker.send({ config: current } satisfies ConfigNews)
  }
  const onExit = (worker: Worker, code: number, signal: string) => {
    unready.delete(worker)
    if (draining) return
    log.error({ pid: worker.process.pid, code, signal }, 'a worker ended: another takes its place')
    setTimeout(() => {
      if (!draining) cluster.fork()
    }, RESTART_MS)
  }
  cluster.on('message', onMessage)
  const address = await firstAddress(config.workers)
  cluster.on('exit', onExit)

  const metrics = new AggregatorRegistry()
  // A worker that dies just then, or has only begun, does not answer. The next time it is not asked, or answers.
  const metricsOfAll = () => metrics.clusterMetrics().catch(() => metrics.clusterMetrics())
  const readiness = () => {
    if (draining) return ['draining']
    const up = workers().filter(worker => worker.isConnected()).length
    // A connection may reach any of them.
    return up > 0 ? [...new Set([...unready.values()].flat())] : ['no worker is running']
  }
  const admin =
    config.admin === null
      ? null
      : createAdminServer({ metrics: metricsOfAll, contentType: metrics.contentType }, readiness)
  if (admin !== null) await listen(admin, config.admin!, log)

  return {
    url: `${config.listen.tls === undefined ? 'http' : 'https'}://${config.listen.host}:${address.port}`,
    adminUrl: admin === null ? null : urlOf(admin, 'http'),

    async reload(next) {
      const { problems: found } = await planChains(next)
      if (found.length > 0) throw new BootError(found)
      const members = wantsRestart(config, next)
      if (members.length > 0) log.warn({ members }, 'these have changed too, and take a restart')
      current = next
      for (const worker of workers()) worker.send({ config: next } satisfies ConfigNews)
    },

    async drain() {
      draining = true
      await Promise.all(workers().map(ended))
      cluster.off('exit', onExit)
      cluster.off('message', onMessage)
      if (admin !== null) await closeServer(admin, 0, log)
    },
  }
}

/** Resolves when all workers listen; rejects when one ends before. */
function firstAddress(count: number): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    let listening = 0
    const onListening = (_worker: Worker, address: { readonly address: string; readonly port: number }) => {
      listening++
      if (listening === count) done(() => resolve(address as AddressInfo))
    }
    const onEnd = (_worker: Worker, code: number) =>
      done(() => reject(new StartError(`a worker could not start (exit code ${code}): what it said stands above`)))
    const done = (settle: () => void) => {
      cluster.off('listening', onListening)
      cluster.off('exit', onEnd)
      settle()
    }
    cluster.on('listening', onListening)
    cluster.on('exit', onEnd)
    for (let i = 0; i < count; i++) cluster.fork()
  })
}

function isConfigNews(message: unknown): message is ConfigNews {
  return isObject(message) && isObject(message.config)
}

function isReadinessNews(message: unknown): message is ReadinessNews {
  return isObject(message) && Array.isArray(message.unready)
}

/** Asks a worker to drain and waits for its end. */
function ended(worker: Worker): Promise<void> {
  return new Promise(resolve => {
    worker.once('exit', () => resolve())
    worker.process.kill('SIGTERM')
  })
}
