import type { Logger } from 'pino'
import type { Clock } from '../base/clock.ts'
import type { Metrics } from '../base/metrics.ts'
import type { Config } from '../config/config.ts'
import { type Ledger, LedgerView } from './ledger.ts'
import type { Limits } from './limits.ts'
import { memoryLimits } from './memory.ts'

export interface LimitsParts {
  readonly clock: Clock
  readonly log: Logger
  readonly metrics: Metrics
  readonly ledger: Ledger
}

/** The limits of `limits_store`. They outlive a reload: what is in flight stays counted. */
export async function createLimits(config: Config, { clock, log, metrics, ledger }: LimitsParts): Promise<Limits> {
  const view = new LedgerView(ledger, { clock })
  if (config.limits_store === 'memory') return memoryLimits(clock, view)
  // Only who has a Redis pays for its client: 10 MB and a tenth of a second.
  const { redisLimits } = await import('./redis.ts')
  const options = { url: config.limits_store, clock, log, metrics, ledger: view, processes: config.workers }
  return redisLimits(options)
}
