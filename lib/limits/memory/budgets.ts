import type { Clock } from '../../base/clock.ts'
import type { LedgerView } from '../ledger.ts'
import type { BudgetClaim, BudgetState, Budgets, CreditState, MaybePromise } from '../limits.ts'
import { type Purse, purseOf } from '../purse.ts'
import { MemoryCredits } from './credits.ts'

/** Budgets in this process: each window is a balance of its own. */
export class MemoryBudgets implements Budgets {
  readonly #clock: Clock
  readonly #balances: MemoryCredits

  /** `spent`: what the store knows of a window. */
  constructor(clock: Clock, spent: Pick<LedgerView, 'of'>) {
    this.#clock = clock
    this.#balances = new MemoryCredits(clock, spent)
  }

  reserve(claim: BudgetClaim): MaybePromise<BudgetState> {
    const now = this.#clock.now()
    const purse = purseOf(claim, now)
    const state = this.#balances.reserve({
      ...claim,
      account: claim.account + purse.name,
      initialMicrocents: claim.limitMicrocents,
    })
    return state instanceof Promise
      ? state.then(known => toBudgetState(claim, known, purse, now))
      : toBudgetState(claim, state, purse, now)
  }

  settle(account: string, id: string, { purse }: BudgetState, microcents: number): void {
    this.#balances.settle(account + purse, id, microcents)
  }

  /** Drops windows that were not used for long. */
  sweep(): void {
    this.#balances.sweep()
  }
}

/** `now`: milliseconds since the epoch, on the clock of the purse. */
export function toBudgetState(
  { microcents }: Pick<BudgetClaim, 'microcents'>,
  { allowed, availableMicrocents: available }: CreditState,
  { name, end }: Purse,
  now: number,
): BudgetState {
  const remainingMicrocents = Math.max(0, available - (allowed ? microcents : 0))
  return { allowed, remainingMicrocents, end, resetMs: end - now, purse: name }
}
