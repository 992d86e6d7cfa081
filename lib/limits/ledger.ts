import { type Clock, systemClock } from '../base/clock.ts'
import { within } from '../base/timeout.ts'
import type { MaybePromise } from './limits.ts'

/** Sums over an account's entries in the ledger, in micro-cents. */
export interface LedgerTotals {
  /** Top-ups, minus manual reductions. */
  readonly granted: number
  /** Cost of the requests whose records have arrived. Never decreases. */
  readonly charged: number
}

export interface Ledger {
  /** Accounts without entries are absent. */
  totals(accounts: readonly string[]): Promise<ReadonlyMap<string, LedgerTotals>>
}

export const NO_ENTRIES: LedgerTotals = Object.freeze({ granted: 0, charged: 0 })

/** A ledger view without entries, for spend limits without a store. */
export const NOTHING_SPENT: Pick<LedgerView, 'of'> = Object.freeze({ of: () => NO_ENTRIES })

interface LedgerViewOptions {
  readonly clock?: Clock
  /** Interval of reading the accounts in use. It delays top-ups. */
  readonly everyMs?: number
  /** Time limit of reading accounts. A request waits for the first read of its account. */
  readonly timeoutMs?: number
}

/** Accounts without use for this time are dropped. */
const IDLE_MS = 300_000
const BATCH = 500

/**
 * Cache of the ledger's totals for the accounts in use, refreshed in the background. A request waits for the store only
 * if its account is not cached.
 */
export class LedgerView {
  readonly #ledger: Ledger
  readonly #clock: Clock
  readonly #timeoutMs: number
  readonly #known = new Map<string, { totals: LedgerTotals; usedAt: number }>()
  readonly #loading = new Map<string, Promise<LedgerTotals>>()
  readonly #timer: NodeJS.Timeout
  #isRefreshing = false

  constructor(ledger: Ledger, { clock = systemClock, everyMs = 2000, timeoutMs = 1000 }: LedgerViewOptions = {}) {
    this.#ledger = ledger
    this.#clock = clock
    this.#timeoutMs = timeoutMs
    this.#timer = setInterval(() => void this.#refresh(), everyMs)
    this.#timer.unref()
  }

  /** Rejects if the store does not answer and the account's totals are not cached. */
  of(account: string): MaybePromise<LedgerTotals> {
    const known = this.#known.get(account)
    if (known !== undefined) {
      known.usedAt = this.#clock.monotonic()
      return known.totals
    }
    let loading = this.#loading.get(account)
    if (loading === undefined) {
      loading = this.#load(account).finally(() => this.#loading.delete(account))
      this.#loading.set(account, loading)
    }
    return loading
  }

  close(): void {
    clearInterval(this.#timer)
  }

  /** Reads the accounts in use again. If that fails, the cached totals stay. */
  async #refresh(): Promise<void> {
    if (this.#isRefreshing) return
    this.#isRefreshing = true
    try {
      const accounts = [...this.#known.keys()]
      for (let at = 0; at < accounts.length; at += BATCH) await this.#read(accounts.slice(at, at + BATCH))
      this.#forget()
    } catch {
      // The next interval tries again. The record writer logs the problem of the store.
    } finally {
      this.#isRefreshing = false
    }
  }

  async #load(account: string): Promise<LedgerTotals> {
    await this.#read([account])
    return this.#known.get(account)!.totals
  }

  async #read(accounts: readonly string[]): Promise<void> {
    const found = await within(this.#timeoutMs, 'the ledger did not answer in time', this.#ledger.totals(accounts))
    for (const account of accounts) {
      const totals = found.get(account) ?? NO_ENTRIES
      const known = this.#known.get(account)
      if (known === undefined) this.#known.set(account, { totals, usedAt: this.#clock.monotonic() })
      else known.totals = totals
    }
  }

  /** Called only while the store answers, because dropped totals must be read again. */
  #forget(): void {
    const now = this.#clock.monotonic()
    for (const [account, { usedAt }] of this.#known) if (now - usedAt > IDLE_MS) this.#known.delete(account)
  }
}
