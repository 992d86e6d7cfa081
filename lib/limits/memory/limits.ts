import type { Clock } from '../../base/clock.ts'
import { type LedgerView, NOTHING_SPENT } from '../ledger.ts'
import type { Limits } from '../limits.ts'
import { MemoryCredits } from './credits.ts'
import { MemoryLeases } from './leases.ts'
import { StoredQuotas } from './quotas.ts'
import { MemoryRates } from './rates.ts'
import { MemorySpendLimits } from './spend-limits.ts'

const SWEEP_MS = 60_000

/**
 * The limits of a single process. A decision is asynchronous only if it reads an account's ledger, or the window of a
 * spend limit or a quota, for the first time. `spent`, `requested`: money and requests in a window according to the
 * store.
 */
export function memoryLimits(
  clock: Clock,
  ledger: LedgerView,
  spent: Pick<LedgerView, 'of'> = NOTHING_SPENT,
  requested: Pick<LedgerView, 'of'> = NOTHING_SPENT,
): Limits {
  const quotas = new StoredQuotas(clock, requested)
  const rates = new MemoryRates(clock)
  const credits = new MemoryCredits(clock, ledger)
  const spendLimits = new MemorySpendLimits(clock, spent)
  const sweeper = setInterval(() => {
    quotas.sweep()
    rates.sweep()
    credits.sweep()
    spendLimits.sweep()
  }, SWEEP_MS)
  sweeper.unref()
  return {
    leases: new MemoryLeases(),
    quotas,
    rates,
    credits,
    spendLimits,
    places: null,
    notes: () => [],
    async close() {
      clearInterval(sweeper)
      ledger.close()
    },
  }
}
