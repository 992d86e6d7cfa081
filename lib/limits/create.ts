import type { Logger } from 'pino'
import type { Clock } from '../base/clock.ts'
import type { Metrics } from '../base/metrics.ts'
import type { LoopWriteQueue } from '../base/write-queue.ts'
import type { Config } from '../config/config.ts'
import { type Ledger, LedgerView } from './ledger.ts'
import type { Limits } from './limits.ts'
import { memoryLimits } from './memory/limits.ts'
import { type ReadSpent, StoredSpend } from './stored-spend.ts'

interface LimitsParts {
  readonly clock: Clock
  readonly log: Logger
  readonly metrics: Metrics
  readonly ledger: Ledger
  readonly readSpent: ReadSpent
  /** Requests of a period that quotas count. */
  readonly readRequests: ReadSpent
  readonly writes: LoopWriteQueue
}

/** Creates the limits of `limits_store`. They outlive a reload, so that requests in flight stay counted. */
export async function createLimits(
  config: Config,
  { clock, log, metrics, ledger, readSpent, readRequests, writes }: LimitsParts,
): Promise<Limits> {
  const spent = new StoredSpend(readSpent, clock)
  const view = new LedgerView(ledger, { clock })
  if (config.limits_store === 'memory') return memoryLimits(clock, view, spent, new StoredSpend(readRequests, clock))
  // Loaded on demand, because the Redis client costs 10 MB and 0.1 s.
  const { redisLimits } = await import('./redis/limits.ts')
  const { knownProcesses } = await import('./redis/processes.ts')
  const { limits_store: url, workers, limits, journal } = config
  const { processes } = limits
  const known = knownProcesses(journal)
  return redisLimits({ url, clock, log, metrics, ledger: view, spent, workers, processes, known, writes })
}
