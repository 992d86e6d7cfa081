/** A running gateway: its servers, and the runtime of the current configuration. No globals: tests start many in one process. */
import type { Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Registry } from 'prom-client'
import { LiveCounter, type LivePeriod } from '../admin/live/counts.ts'
import type { ModelSnapshot } from '../backends/pool.ts'
import { systemClock } from '../base/clock.ts'
import type { Config } from '../config/config.ts'
import { changedRestartMembers, reloadable } from '../config/restart.ts'
import type { GatewayError } from '../errors/errors.ts'
import { createAdminServer } from '../http/admin.ts'
import { certificateMetrics } from '../http/certificate.ts'
import { closeServer, listen, urlOf } from '../http/listen.ts'
import { createServer, updateServer } from '../http/server.ts'
import { handle } from '../lifecycle/lifecycle.ts'
import { answerOf, explainRoute } from './explain-route.ts'
import { Inquiries } from './inquiries.ts'
import { listAll } from './list-backends.ts'
import { processMetrics } from './process-metrics.ts'
import { type Resources, startResources } from './resources.ts'
import { Runtime, refusalCounter } from './runtime.ts'
import { GatewayState } from './state.ts'

/** Control of a gateway that runs in one process or in several. */
export interface Running {
  /** Base URL of the API, without a slash at its end. */
  readonly url: string
  /** Base URL of the operators' port; null when it is off. */
  readonly adminUrl: string | null
  /** Applies a configuration to exchanges that begin from now on. Throws BootError, and then changes nothing. */
  reload(config: Config): Promise<void>
  /** Notes how an attempt to reload has ended, before or in reload(). `problems`: sentences; none: it is applied. */
  reloaded(problems: readonly string[]): void
  /**
   * Reports itself unready for drain_delay_seconds, stops accepting, waits up to drain_seconds for running exchanges,
   * flushes the records and closes everything.
   */
  drain(): Promise<void>
}

export interface Gateway extends Running {
  /** Exchanges that have begun and not ended. */
  readonly exchanges: number
  /** Reasons for not being ready; empty: it is. */
  readiness(): readonly string[]
  /** What operators should know although it is ready. */
  notes(): readonly string[]
  readonly metrics: Registry
  /** The backends of all models, with those that are leaving. */
  backends(): readonly ModelSnapshot[]
  /** What requests have been like since the last call, where operators have pages; one caller alone. */
  takeLive(): LivePeriod
  /** Answers a question about routing (explain-route.ts). */
  explainRequest(question: string): string
}

export interface GatewayOptions {
  /** A primary supervises this process. */
  readonly isWorker?: boolean
  /** The primary has pages of operators, which show what this worker counts. */
  readonly isLive?: boolean
  /** Where the configuration comes from, for operators. */
  readonly file?: string
}

/** Starts everything. Throws BootError when the configuration cannot run, or the system's error when a port is taken. */
export async function startGateway(config: Config, { isWorker, isLive, file }: GatewayOptions = {}): Promise<Gateway> {
  const live = isLive === true || config.admin?.api === true ? new LiveCounter() : undefined
  const resources = await startResources(config, live)
  const { log, metrics, pool } = resources
  // The primary process shows these metrics for its workers.
  const whole = isWorker === true ? null : processMetrics(metrics)
  let runtime: Runtime
  try {
    runtime = await Runtime.build(resources.servicesFor(config), resources)
  } catch (thrown) {
    await resources.close()
    throw thrown
  }
  let draining = false
  /** Runtimes that a reload has replaced and whose last exchanges still run. */
  const retiring = new Map<Runtime, Promise<void>>()

  // The primary asks for its workers.
  const inquiries = new Inquiries({ log })
  const snapshot = () => pool.snapshot(backend => resources.routing.learntOf(backend))
  const listed = async () => listAll([snapshot()], inquiries, resources.discovery)
  const readiness = () => reasons(draining, resources)
  const explainRequest = (question: string) =>
    answerOf(question, asked => explainRoute(asked, runtime.config, resources))
  const state = new GatewayState(file, { readiness, metrics: metrics.registry, pids: () => [process.pid] })
  const operators =
    config.admin?.api === true
      ? (await import('./operators.ts')).startOperators(
          {
            config: () => runtime.config,
            store: resources.recording.store,
            clock: systemClock,
            log,
            state: () => state.read(),
            backends: listed,
            changed: () => resources.applyChanges(),
          },
          { backends: listed, periods: async () => [live!.take()], unready: readiness },
        )
      : undefined
  const admin =
    config.admin === null
      ? null
      : createAdminServer({
          metrics: metrics.registry,
          readiness,
          notes: resources.notes,
          backends: listed,
          explain: explainRequest,
          operators,
        })
  const refusals = refusalCounter(metrics)
  const showCertificate = certificateMetrics(metrics)
  const host = {
    clock: systemClock,
    connections: resources.admissionControl.connections,
    // A getter, because a reload may change it.
    get docsBase() {
      return runtime.host.docsBase
    },
    secure: runtime.host.secure,
    authority: `${config.listen.host}:${config.listen.port}`,
    refused: (error: GatewayError) => refusals.inc({ plugin: 'server', code: error.code }),
  }
  let server: Server | undefined
  try {
    server = createServer(config, host, (req, res) => {
      // A connection that is kept alive would outlive the drain.
      if (draining) res.shouldKeepAlive = false
      handle(runtime, req, res)
    })
    showCertificate(config.listen.tls)
    await listen(server, config.listen, log)
    if (admin !== null) await listen(admin, config.admin!, log)
  } catch (thrown) {
    if (server !== undefined) await closeServer(server, 0, log)
    inquiries.close()
    operators?.close()
    await runtime.retire(log)
    await resources.close()
    throw thrown
  }
  resources.watchBackends({
    changed: models => {
      if (!isWorker) inquiries.update(models)
    },
    gone: backend => {
      for (const one of [runtime, ...retiring.keys()]) one.dispatcher.forget(backend)
    },
  })

  return {
    url: urlOf(server, config.listen.tls === undefined ? 'http' : 'https'),
    adminUrl: admin === null ? null : urlOf(admin, 'http'),
    metrics: metrics.registry,
    readiness,
    notes: resources.notes,
    backends: snapshot,
    takeLive: () => live?.take() ?? { backends: [], failures: [] },
    explainRequest,
    get exchanges() {
      return runtime.exchanges
    },

    async reload(wanted) {
      const next = reloadable(config, wanted)
      const built = await Runtime.build(resources.servicesFor(next), resources)
      try {
        updateServer(server, next)
        showCertificate(next.listen.tls)
      } catch (thrown) {
        await built.retire(log)
        throw thrown
      }
      // Requests of the new configuration find the backends of entries that are new.
      await resources.discovery.prepare(next.models)
      const before = runtime
      resources.update(next)
      runtime = built
      log.info('configuration reloaded')
      const members = changedRestartMembers(config, wanted)
      if (members.length > 0) log.warn({ members }, 'these members have changed: they take effect at the next start')
      retiring.set(
        before,
        before.retire(log).finally(() => retiring.delete(before)),
      )
    },

    reloaded(problems) {
      whole?.reloaded(problems.length === 0)
      state.noteReload(problems)
    },

    async drain() {
      draining = true
      inquiries.close()
      for (const one of [runtime, ...retiring.keys()]) one.dispatcher.endMirrors()
      operators?.close()
      log.info({ exchanges: runtime.exchanges }, 'draining')
      const { drain_delay_seconds } = runtime.config
      if (drain_delay_seconds > 0) await sleep(drain_delay_seconds * 1000)
      // Scrapes of a shared port are for the process that takes over.
      const closingAdmin = config.admin?.reuse_port === true ? closeServer(admin!, 0, log) : undefined
      await closeServer(server, runtime.config.drain_seconds * 1000, log, () => {
        for (const one of [runtime, ...retiring.keys()]) one.shutDown()
      })
      await Promise.all([runtime.retire(log), ...retiring.values()])
      await closingAdmin
      if (admin !== null && closingAdmin === undefined) await closeServer(admin, 0, log)
      log.info('drained')
      await resources.close()
    },
  }
}

function reasons(draining: boolean, { recording }: Resources): readonly string[] {
  return [...(draining ? ['draining'] : []), ...(recording.sink.healthy ? [] : ['the journal cannot be written'])]
}
