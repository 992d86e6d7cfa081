import type { Clock } from '../base/clock.ts'
import type { LedgerView } from './ledger.ts'
import type { Limits } from './limits.ts'
import { MemoryCredits } from './memory/credits.ts'
import { MemoryLeases } from './memory/leases.ts'
import { MemoryQuotas } from './memory/quotas.ts'
import { MemoryRates } from './memory/rates.ts'

const SWEEP_MS = 60_000

/** The limits of a single process. Only the first read of an account's ledger is asynchronous. */
export function memoryLimits(clock: Clock, ledger: LedgerView): Limits {
  const quotas = new MemoryQuotas(clock)
  const rates = new MemoryRates(clock)
  const credits = new MemoryCredits(clock, ledger)
  const sweeper = setInterval(() => {
    quotas.sweep()
    rates.sweep()
    credits.sweep()
  }, SWEEP_MS)
  sweeper.unref()
  return {
    leases: new MemoryLeases(),
    quotas,
    rates,
    credits,
    notes: () => [],
    async close() {
      clearInterval(sweeper)
      ledger.close()
    },
  }
}
