import type { Clock } from '../../base/clock.ts'
import type { LedgerView } from '../ledger.ts'
import type { MaybePromise, QuotaClaim, QuotaState, Quotas, WindowUse } from '../limits.ts'
import { spendWindow } from '../spend-window.ts'
import { windowAt } from '../windows.ts'

interface Window {
  end: number
  used: number
}

/** Quotas in this process: one window per account and window length. */
export class MemoryQuotas implements Quotas {
  readonly #clock: Clock
  readonly #windows = new Map<string, Window>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  take({ account, limit, windowMs }: Pick<QuotaClaim, 'account' | 'limit' | 'windowMs'>): QuotaState {
    const now = this.#clock.now()
    const window = this.#window(keyOf(account, windowMs), windowAt(now, windowMs).to)
    const allowed = window.used < limit
    if (allowed) window.used++
    const remaining = Math.max(0, limit - window.used)
    return { allowed, remaining, end: window.end, resetMs: window.end - now }
  }

  used(account: string, windowMs: number): WindowUse {
    const end = windowAt(this.#clock.now(), windowMs).to
    const window = this.#windows.get(keyOf(account, windowMs))
    // Reading does not create a window.
    return window === undefined || window.end < end ? { used: 0, end } : { used: window.used, end: window.end }
  }

  /** Counts at least `used` requests in the current window. */
  raise(account: string, windowMs: number, used: number): void {
    if (used === 0) return
    const window = this.#window(keyOf(account, windowMs), windowAt(this.#clock.now(), windowMs).to)
    window.used = Math.max(window.used, used)
  }

  giveBack(account: string, _id: string, windowMs: number, { end }: QuotaState): void {
    const window = this.#windows.get(keyOf(account, windowMs))
    if (window?.end === end && window.used > 0) window.used--
  }

  sweep(): void {
    const now = this.#clock.now()
    for (const [key, { end }] of this.#windows) if (end <= now) this.#windows.delete(key)
  }

  #window(key: string, end: number): Window {
    let window = this.#windows.get(key)
    if (window === undefined) {
      window = { end, used: 0 }
      this.#windows.set(key, window)
    } else if (window.end < end) {
      // Windows only advance: a clock that is set back must not reset an old window.
      window.end = end
      window.used = 0
    }
    return window
  }
}

/**
 * Quotas in this process that continue after a restart with the requests that the store has of the window. A window
 * that begins later is not read.
 */
export class StoredQuotas implements Quotas {
  readonly #clock: Clock
  readonly #start: number
  readonly #stored: Pick<LedgerView, 'of'>
  readonly #counts: MemoryQuotas

  /** `stored`: requests, as `charged`, by the account's id and the name of the window (spend-window.ts). */
  constructor(clock: Clock, stored: Pick<LedgerView, 'of'>) {
    this.#clock = clock
    this.#start = clock.now()
    this.#stored = stored
    this.#counts = new MemoryQuotas(clock)
  }

  take(claim: QuotaClaim): MaybePromise<QuotaState> {
    return this.#raised(claim, () => this.#counts.take(claim))
  }

  used(account: string, windowMs: number): MaybePromise<WindowUse> {
    return this.#raised({ account, windowMs }, () => this.#counts.used(account, windowMs))
  }

  giveBack(...request: Parameters<Quotas['giveBack']>): void {
    this.#counts.giveBack(...request)
  }

  sweep(): void {
    this.#counts.sweep()
  }

  /** Calls `next` when the window has the stored requests, which is at once except for its first use. */
  #raised<T>({ account, windowMs }: Pick<QuotaClaim, 'account' | 'windowMs'>, next: () => T): MaybePromise<T> {
    const now = this.#clock.now()
    if (windowAt(now, windowMs).from >= this.#start) return next()
    const { name } = spendWindow({ windowMs }, now)
    const raise = (used: number) => {
      this.#counts.raise(account, windowMs, used)
      return next()
    }
    const totals = this.#stored.of(account + name)
    return totals instanceof Promise ? totals.then(({ charged }) => raise(charged)) : raise(totals.charged)
  }
}

function keyOf(account: string, windowMs: number): string {
  return `${account} ${windowMs}`
}
