/** A worker: one of several processes that share a port, supervised by a primary (`workers` in the configuration). */
import type { Config } from '../config/config.ts'
import { reloadable } from '../config/restart.ts'
import { type Gateway, type Running, startGateway } from './gateway.ts'
import { answerPrimary, isMessage, sendToPrimary, type WorkerReadiness } from './worker-channel.ts'

/** How often a worker checks its readiness. */
const READINESS_MS = 1000

/** The configuration that the primary runs; the file may be newer and invalid. `onNext` is called after each reload. */
export function configOfPrimary(onNext: (config: Config) => void): Promise<Config> {
  return new Promise(resolve => {
    let receive = (config: Config) => {
      receive = onNext
      resolve(config)
    }
    process.on('message', (message: unknown) => {
      if (isMessage(message, 'config')) receive(message.config)
    })
    sendToPrimary({ kind: 'config-request' })
  })
}

/** Starts the gateway of a worker. The primary serves the operators' port and collects the metrics. */
export async function startWorker(config: Config): Promise<Running> {
  const gateway = await startGateway({ ...config, admin: null }, { isWorker: true, isLive: config.admin?.api === true })
  answerPrimary({
    metrics: () => gateway.metrics.getMetricsAsJSON(),
    backends: () => gateway.backends(),
    live: () => gateway.takeLive(),
    route: question => gateway.explainRequest(question),
  })
  reportReadiness(gateway)
  sendToPrimary({ kind: 'listening', url: gateway.url })
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
    const readiness: WorkerReadiness = { unready: gateway.readiness(), notes: gateway.notes() }
    const text = JSON.stringify(readiness)
    if (text === reported || !process.connected) return
    reported = text
    sendToPrimary({ kind: 'readiness', ...readiness })
  }
  report()
  setInterval(report, READINESS_MS).unref()
}
