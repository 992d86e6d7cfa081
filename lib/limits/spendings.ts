import type { Clock } from '../base/clock.ts'
import { within } from '../base/timeout.ts'
import { type LedgerTotals, NO_ENTRIES } from './ledger.ts'
import type { MaybePromise } from './limits.ts'
import { type PursePeriod, periodOf } from './purse.ts'

/** Reads the micro-cents that were spent in a period from the store. */
export type ReadSpent = (period: PursePeriod) => Promise<number>

/** How long a request waits for the store, which answers once for each window of a budget. */
const TIMEOUT_MS = 1000
/** Pause after the store has not answered; until then a budget counts from zero. */
const RETRY_MS = 5000
/** Purses between two searches for windows that have ended. */
const SWEEP_EVERY = 1000

/**
 * What was spent in the windows of budgets before this process has seen them, read once for each: a restart does not begin a
 * window anew. Never rejects: a store that does not answer refuses no request.
 */
export class Spendings {
  readonly #read: ReadSpent
  readonly #clock: Clock
  readonly #known = new Map<string, { readonly totals: MaybePromise<LedgerTotals>; readonly until: number }>()

  constructor(read: ReadSpent, clock: Clock) {
    this.#read = read
    this.#clock = clock
  }

  /** `purse`: the account's id and the name of its purse (purse.ts). */
  of(purse: string): MaybePromise<LedgerTotals> {
    const known = this.#known.get(purse)
    if (known !== undefined && this.#clock.now() < known.until) return known.totals
    const period = periodOf(purse)
    if (period === undefined) return NO_ENTRIES
    if (this.#known.size > 0 && this.#known.size % SWEEP_EVERY === 0) this.#sweep()
    const totals = within(TIMEOUT_MS, 'the store did not answer in time', this.#read(period)).then(
      charged => this.#keep(purse, { granted: 0, charged }, period.to),
      () => this.#keep(purse, NO_ENTRIES, this.#clock.now() + RETRY_MS),
    )
    this.#known.set(purse, { totals, until: period.to })
    return totals
  }

  #keep(purse: string, totals: LedgerTotals, until: number): LedgerTotals {
    this.#known.set(purse, { totals, until })
    return totals
  }

  #sweep(): void {
    const now = this.#clock.now()
    for (const [purse, { until }] of this.#known) if (until <= now) this.#known.delete(purse)
  }
}
