/** A running gateway: its servers, the runtime of the current configuration, and the end of both. No globals: tests start many. */
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import { createAdminServer } from './admin.ts'
import { BackendPool } from './backend/pool.ts'
import { registerPoolMetrics } from './backend/pool-metrics.ts'
import { BodyWorker } from './body/worker-client.ts'
import type { Config } from './config/config.ts'
import { reloadable, wantsRestart } from './config/restart.ts'
import { keepFiles } from './files/keep.ts'
import { FileStore } from './files/store.ts'
import { handle } from './handle.ts'
import { KeyRing } from './keys.ts'
import { createLimits } from './limits/create.ts'
import type { Ledger } from './limits/ledger.ts'
import { createLog } from './log.ts'
import { Metrics } from './metrics.ts'
import { ModelCatalog } from './models.ts'
import { type Recording, startRecording } from './records/recording.ts'
import { storeReports } from './reports.ts'
import { Runtime, refusalCounter } from './runtime.ts'
import { createServer, updateServer } from './server.ts'
import { type Services, systemClock } from './services.ts'
import { storeSessions } from './sessions.ts'
import { askStore } from './store/ask.ts'
import { creditTotals } from './store/credits.ts'
import { KeyWatch } from './store/key-watch.ts'

/** What whoever started it can ask of a gateway, in one process or in many. */
export interface Running {
  /** Base URL of the API, without a slash at its end. */
  readonly url: string
  /** Base URL of the operators' port; null when it is off. */
  readonly adminUrl: string | null
  /** Takes a new configuration for every exchange that begins from now on. Throws BootError and then changes nothing. */
  reload(config: Config): Promise<void>
  /**
   * Is unready for drain_delay_seconds, stops accepting, lets running exchanges end for up to drain_seconds, flushes the
   * records and closes everything.
   */
  drain(): Promise<void>
}

export interface Gateway extends Running {
  /** Exchanges that have begun and not ended. */
  readonly exchanges: number
  /** Why it should get no new traffic; empty: it is ready. */
  readiness(): readonly string[]
  readonly metrics: Registry
}

/** Starts everything. Throws BootError when the configuration cannot run, or the system's error when a port is taken. */
export async function startGateway(config: Config): Promise<Gateway> {
  const { log, flush } = createLog(config.log.level)
  const metrics = new Metrics()
  metrics.collectProcess()
  const bodyWorker = new BodyWorker()
  const keys = new KeyRing()
  const pool = new BackendPool(config.models, systemClock, {
    onStateChange: (backend, state) => log.warn({ model: backend.model, backend: backend.address, state }, 'backend'),
  })
  registerPoolMetrics(metrics, () => pool)
  const files = new FileStore(config.files, systemClock)
  const recording = await startRecording(config, { log, metrics, clock: systemClock })
  const endFiles = keepFiles(files, log)
  const ask = askStore(recording.store)
  const reports = storeReports(askStore(recording.store, recording.store.reader))
  const sessions = storeSessions(ask, systemClock)
  let current = config
  const keyWatch = new KeyWatch({ store: recording.store, ring: keys, config: () => current, log })
  keyWatch.apply()
  await keyWatch.start()
  const ledger: Ledger = {
    async totals(accounts) {
      // A balance without the last charges before a restart would be too high.
      await recording.caughtUp
      return creditTotals(recording.store, accounts)
    },
  }
  const limits = await createLimits(config, { clock: systemClock, log, metrics, ledger })
  const servicesFor = (config: Config): Services => ({
    config,
    clock: systemClock,
    log,
    metrics,
    keys,
    models: new ModelCatalog(config.models, config.endpoints),
    records: recording.sink,
    limits,
    reports,
    sessions,
    files,
  })
  /** What stands behind the servers, in the order in which it can be given up. */
  const closeMachinery = async () => {
    pool.close()
    await bodyWorker.close()
    await keyWatch.close()
    await limits.close()
    await endFiles()
    await recording.close()
    flush()
  }
  let runtime: Runtime
  try {
    runtime = await Runtime.build(servicesFor(config), { pool, bodyWorker })
  } catch (thrown) {
    await closeMachinery()
    throw thrown
  }
  let draining = false
  const retiring = new Map<Runtime, Promise<void>>()

  const refusals = refusalCounter(metrics)
  const authority = `${config.listen.host}:${config.listen.port}`
  const readiness = () => reasons(draining, recording)
  const admin = config.admin === null ? null : createAdminServer(metrics.registry, readiness)
  let server: Server | undefined
  try {
    server = createServer(
      config,
      {
        clock: systemClock,
        // A reload may change it.
        get docsBase() {
          return runtime.host.docsBase
        },
        secure: runtime.host.secure,
        authority,
        refused: error => refusals.inc({ plugin: 'server', code: error.code }),
      },
      (req, res) => {
        // A connection that is kept alive would outlive the drain.
        if (draining) res.shouldKeepAlive = false
        handle(runtime, req, res)
      },
    )
    await listen(server, config.listen)
    if (admin !== null) await listen(admin, config.admin!)
  } catch (thrown) {
    if (server !== undefined) await closeServer(server, 0, log)
    await runtime.retire(log)
    await closeMachinery()
    throw thrown
  }

  return {
    url: urlOf(server, config.listen.tls === undefined ? 'http' : 'https'),
    adminUrl: admin === null ? null : urlOf(admin, 'http'),
    metrics: metrics.registry,
    readiness,
    get exchanges() {
      return runtime.exchanges
    },

    async reload(wanted) {
      const next = reloadable(config, wanted)
      const built = await Runtime.build(servicesFor(next), { pool, bodyWorker })
      try {
        updateServer(server, next)
      } catch (thrown) {
        await built.retire(log)
        throw thrown
      }
      const before = runtime
      pool.update(next.models)
      current = next
      keyWatch.apply()
      runtime = built
      log.info('configuration reloaded')
      const members = wantsRestart(config, wanted)
      if (members.length > 0) log.warn({ members }, 'these have changed too, and take a restart')
      retiring.set(
        before,
        before.retire(log).finally(() => retiring.delete(before)),
      )
    },

    async drain() {
      draining = true
      log.info({ exchanges: runtime.exchanges }, 'draining')
      const { drain_delay_seconds } = runtime.config
      if (drain_delay_seconds > 0) await sleep(drain_delay_seconds * 1000)
      await closeServer(server, runtime.config.drain_seconds * 1000, log, () => {
        for (const one of [runtime, ...retiring.keys()]) one.giveUp()
      })
      await Promise.all([runtime.retire(log), ...retiring.values()])
      if (admin !== null) await closeServer(admin, 0, log)
      log.info('drained')
      await closeMachinery()
    },
  }
}

function reasons(draining: boolean, recording: Recording): readonly string[] {
  return [...(draining ? ['draining'] : []), ...(recording.sink.healthy ? [] : ['the journal cannot be written'])]
}

export function listen(
  server: Server,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

export function urlOf(server: Server, scheme: string): string {
  const { address, family, port } = server.address() as AddressInfo
  return `${scheme}://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}

/** How often connections that have become idle are looked for. */
const CLOSE_TICK_MS = 50

/** How long the last words to clients may take. */
const LAST_WORDS_MS = 500

/** Waits for running answers. When the time is up, `giveUp` ends them, and what is left then is cut. */
export async function closeServer(server: Server, graceMs: number, log: Logger, giveUp?: () => void): Promise<void> {
  const closed = new Promise<void>(resolve => server.close(() => resolve()))
  const tick = setInterval(() => server.closeIdleConnections(), CLOSE_TICK_MS)
  let deadline = setTimeout(() => {
    if (giveUp === undefined) return server.closeAllConnections()
    log.warn('drain_seconds are over: ending what still runs')
    giveUp()
    deadline = setTimeout(() => server.closeAllConnections(), LAST_WORDS_MS)
  }, graceMs)
  server.closeIdleConnections()
  await closed
  clearInterval(tick)
  clearTimeout(deadline)
}
