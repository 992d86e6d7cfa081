/** The state of a whole gateway, for operators' pages and as metrics: of its only process, or of the primary. */
import packageJson from '../../package.json' with { type: 'json' }
import type { GatewayFacts } from '../admin/live/fleet.ts'
import type { ProcessState, Reload } from '../admin/status.ts'
import { systemClock } from '../base/clock.ts'
import type { Metrics } from '../base/metrics.ts'
import type { MetricsSource, Readiness } from '../http/admin.ts'

interface StateSources {
  readonly readiness: Readiness
  readonly metrics: Pick<MetricsSource, 'metrics'>
  pids(): readonly number[]
}

export class GatewayState {
  readonly #file: string | undefined
  readonly #sources: StateSources
  readonly #startedAt = systemClock.now()
  #lastReload: Reload | undefined

  /** `file`: the path of the configuration. */
  constructor(file: string | undefined, sources: StateSources) {
    this.#file = file
    this.#sources = sources
  }

  /** Records how a reload has ended. `problems`: sentences; empty: the configuration was applied. */
  noteReload(problems: readonly string[]): void {
    this.#lastReload = { at: systemClock.now(), problems }
  }

  facts(): GatewayFacts {
    return {
      version: packageJson.version,
      startedAt: this.#startedAt,
      pids: this.#sources.pids(),
      unready: this.#sources.readiness(),
    }
  }

  async read(): Promise<ProcessState> {
    return {
      ...this.facts(),
      file: this.#file,
      lastReload: this.#lastReload,
      metrics: await this.#sources.metrics.metrics(),
    }
  }
}

interface ProcessMetrics {
  /** Records how a reload has ended: the configuration was applied, or refused. */
  reloaded(isApplied: boolean): void
  workerRestarted(): void
}

/** Registers the metrics of the version, of reloads and of restarted workers. */
export function processMetrics(metrics: Metrics): ProcessMetrics {
  metrics
    .gauge({
      name: 'sluiceway_build_info',
      help: 'Versions of the gateway and of Node; always 1.',
      labelNames: ['version', 'node'],
    })
    .set({ version: packageJson.version, node: process.versions.node }, 1)
  const successful = metrics.gauge({
    name: 'sluiceway_config_last_reload_successful',
    help: '1 if the last reload was applied; 0 if it was refused and the previous configuration still runs.',
  })
  const successAt = metrics.gauge({
    name: 'sluiceway_config_last_reload_success_timestamp_seconds',
    help: 'Time at which the running configuration was applied.',
  })
  const restarts = metrics.counter({
    name: 'sluiceway_worker_restarts_total',
    help: 'Workers that ended and were replaced.',
  })
  const reloaded = (isApplied: boolean) => {
    successful.set(Number(isApplied))
    if (isApplied) successAt.setToCurrentTime()
  }
  reloaded(true)
  return { reloaded, workerRestarted: () => restarts.inc() }
}

/** Registers the start time of this process. prom-client registers it only for a process without workers. */
export function startTime(metrics: Metrics): void {
  metrics
    .gauge({
      name: 'process_start_time_seconds',
      help: 'Start time of the process since unix epoch in seconds.',
    })
    .set(Math.round(systemClock.now() / 1000 - process.uptime()))
}
