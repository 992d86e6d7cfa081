/** The log of one process of the gateway. */
import cluster from 'node:cluster'
import { createLog, droppedLines } from '../base/log.ts'
import type { Metrics } from '../base/metrics.ts'
import type { Config } from '../config/config.ts'

/** Descriptors of a worker. 4 is stdout of the primary. */
export const WORKER_STDIO = ['ignore', 'pipe', 'pipe', 'ipc', 1]
const WORKER_STDOUT = 4

/** With several workers, each line contains the id of its worker; 0: the primary. */
export function processLog({ log, workers }: Pick<Config, 'log' | 'workers'>): ReturnType<typeof createLog> {
  return createLog(
    log,
    workers > 1 ? (cluster.worker?.id ?? 0) : undefined,
    cluster.isWorker ? WORKER_STDOUT : undefined,
  )
}

/** Registers the counter of lines that could not be written. */
export function countDroppedLines(metrics: Metrics): void {
  metrics.counter({
    name: 'sluiceway_log_dropped_lines_total',
    help: 'Log lines that were dropped, because stdout could not be written.',
    collect() {
      this.reset()
      this.inc(droppedLines())
    },
  })
}
