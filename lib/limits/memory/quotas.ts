import type { Clock } from '../../base/clock.ts'
import type { QuotaClaim, QuotaState, Quotas, WindowUse } from '../limits.ts'
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

function keyOf(account: string, windowMs: number): string {
  return `${account} ${windowMs}`
}
