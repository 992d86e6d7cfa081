import type { Clock } from '../base/clock.ts'
import { within } from '../base/timeout.ts'
import { type LedgerTotals, NO_ENTRIES } from './ledger.ts'
import type { MaybePromise } from './limits.ts'
import { periodOf, type SpendPeriod } from './spend-window.ts'

/** Reads from the store what was used in a period: micro-cents of spend limits, requests of quotas. */
export type ReadSpent = (period: SpendPeriod) => Promise<number>

/** Time that a request waits for the store. The store is read once per window. */
const TIMEOUT_MS = 1000
/** Pause after the store has not answered. During this time a window counts from zero. */
const RETRY_MS = 5000
/** Windows between two searches for those that have ended. */
const SWEEP_EVERY = 1000

/**
 * Money or requests of windows before this process used them, as `charged`. Each window is read once. Never rejects:
 * requests are not refused because the store does not answer.
 */
export class StoredSpend {
  readonly #read: ReadSpent
  readonly #clock: Clock
  readonly #known = new Map<string, { readonly totals: MaybePromise<LedgerTotals>; readonly until: number }>()

  constructor(read: ReadSpent, clock: Clock) {
    this.#read = read
    this.#clock = clock
  }

  /** `window`: the account's id and the name of the window (spend-window.ts). */
  of(window: string): MaybePromise<LedgerTotals> {
    const known = this.#known.get(window)
    if (known !== undefined && this.#clock.now() < known.until) return known.totals
    const period = periodOf(window)
    if (period === undefined) return NO_ENTRIES
    if (this.#known.size > 0 && this.#known.size % SWEEP_EVERY === 0) this.#sweep()
    const totals = within(TIMEOUT_MS, 'the store did not answer in time', this.#read(period)).then(
      charged => this.#keep(window, { granted: 0, charged }, period.to),
      () => this.#keep(window, NO_ENTRIES, this.#clock.now() + RETRY_MS),
    )
    this.#known.set(window, { totals, until: period.to })
    return totals
  }

  #keep(window: string, totals: LedgerTotals, until: number): LedgerTotals {
    this.#known.set(window, { totals, until })
    return totals
  }

  #sweep(): void {
    const now = this.#clock.now()
    for (const [window, { until }] of this.#known) if (until <= now) this.#known.delete(window)
  }
}
