import type { Clock } from '../../base/clock.ts'
import type { LedgerView } from '../ledger.ts'
import type { CreditState, MaybePromise, SpendClaim, SpendLimits, SpendState } from '../limits.ts'
import { type SpendWindow, spendWindow } from '../spend-window.ts'
import { MemoryCredits } from './credits.ts'

/** Spend limits in this process. Each window has a balance. */
export class MemorySpendLimits implements SpendLimits {
  readonly #clock: Clock
  readonly #balances: MemoryCredits

  /** `spent`: money spent in a window according to the store. */
  constructor(clock: Clock, spent: Pick<LedgerView, 'of'>) {
    this.#clock = clock
    this.#balances = new MemoryCredits(clock, spent)
  }

  reserve(claim: SpendClaim): MaybePromise<SpendState> {
    const now = this.#clock.now()
    const window = spendWindow(claim, now)
    const state = this.#balances.reserve({
      ...claim,
      account: claim.account + window.name,
      initialMicrocents: claim.limitMicrocents,
    })
    return state instanceof Promise
      ? state.then(known => toSpendState(claim, known, window, now))
      : toSpendState(claim, state, window, now)
  }

  settle(account: string, id: string, { window }: SpendState, microcents: number): void {
    this.#balances.settle(account + window, id, microcents)
  }

  /** Drops windows that have not been used for an hour. */
  sweep(): void {
    this.#balances.sweep()
  }
}

/** `now`: milliseconds since the epoch, on the clock of the window. */
export function toSpendState(
  { microcents }: Pick<SpendClaim, 'microcents'>,
  { allowed, availableMicrocents: available }: CreditState,
  { name, end }: SpendWindow,
  now: number,
): SpendState {
  const remainingMicrocents = Math.max(0, available - (allowed ? microcents : 0))
  return { allowed, remainingMicrocents, end, resetMs: end - now, window: name }
}
