import type { Clock } from '../base/clock.ts'
import { type LedgerView, NOTHING_SPENT } from './ledger.ts'
import type { Limits } from './limits.ts'
import { MemoryBudgets } from './memory/budgets.ts'
import { MemoryCredits } from './memory/credits.ts'
import { MemoryLeases } from './memory/leases.ts'
import { MemoryQuotas } from './memory/quotas.ts'
import { MemoryRates } from './memory/rates.ts'

const SWEEP_MS = 60_000

/**
 * The limits of a single process. Only the first read of an account's ledger, or of a budget's window, is asynchronous.
 * `spent`: what the store knows of the windows of budgets.
 */
export function memoryLimits(clock: Clock, ledger: LedgerView, spent: Pick<LedgerView, 'of'> = NOTHING_SPENT): Limits {
  const quotas = new MemoryQuotas(clock)
  const rates = new MemoryRates(clock)
  const credits = new MemoryCredits(clock, ledger)
  const budgets = new MemoryBudgets(clock, spent)
  const sweeper = setInterval(() => {
    quotas.sweep()
    rates.sweep()
    credits.sweep()
    budgets.sweep()
  }, SWEEP_MS)
  sweeper.unref()
  return {
    leases: new MemoryLeases(),
    quotas,
    rates,
    credits,
    budgets,
    notes: () => [],
    async close() {
      clearInterval(sweeper)
      ledger.close()
    },
  }
}
