import packageJson from '../../package.json' with { type: 'json' }
import { systemClock } from '../base/clock.ts'
import type { Metrics } from '../base/metrics.ts'

/** What is shown of the gateway as a whole: of its only process, or of the primary of several workers. */
export interface ProcessMetrics {
  /** A reload has ended: the configuration was applied, or refused. */
  reloaded(isApplied: boolean): void
  workerRestarted(): void
}

/** Registers version, state of the configuration and restarts of workers. */
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
    help: '0: the last reload was refused, and the configuration before it runs.',
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

/** Registers the start of this process, as prom-client does for a process without workers. */
export function startTime(metrics: Metrics): void {
  metrics
    .gauge({
      name: 'process_start_time_seconds',
      help: 'Start time of the process since unix epoch in seconds.',
    })
    .set(Math.round(systemClock.now() / 1000 - process.uptime()))
}
