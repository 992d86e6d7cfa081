/** The log of one process of the gateway. */
import cluster from 'node:cluster'
import { createLog } from '../base/log.ts'
import type { Config } from '../config/config.ts'

/** With several workers, each line contains the id of its worker; 0: the primary. */
export function processLog({ log, workers }: Pick<Config, 'log' | 'workers'>): ReturnType<typeof createLog> {
  return createLog(log, workers > 1 ? (cluster.worker?.id ?? 0) : undefined)
}
