import type { Clock } from '../../base/clock.ts'
import type { RateClaim, RateState, Rates } from '../limits.ts'

const MINUTE_MS = 60_000

/** Seconds that may count: the current one and the sixty before it. */
const SECONDS = 61

/**
 * Ring buffer of the amounts of SECONDS seconds. A second is dropped one minute after its last request, so that no
 * sixty seconds contain more than the limit, and a constant permitted rate is never refused.
 */
class SlidingMinute {
  readonly #counts = new Uint32Array(SECONDS)
  /** Time of the last request of each second, in milliseconds. */
  readonly #latest = new Float64Array(SECONDS)
  /** The second of the last update. */
  #last: number
  #sum = 0

  constructor(second: number) {
    this.#last = second
  }

  get sum(): number {
    return this.#sum
  }

  moveTo(now: number): void {
    const second = Math.floor(now / 1000)
    const end = Math.min(second, this.#last + SECONDS)
    for (let entering = this.#last + 1; entering <= end; entering++) {
      this.#clear(entering % SECONDS)
    }
    this.#last = second
    const oldest = (second + 1) % SECONDS
    if (this.#latest[oldest]! <= now - MINUTE_MS) this.#clear(oldest)
  }

  /** Counts `amount` and returns the second in which it is counted. */
  add(now: number, amount: number): number {
    const slot = this.#last % SECONDS
    this.#counts[slot]! += amount
    this.#latest[slot] = now
    this.#sum += amount
    return this.#last
  }

  /** Adds `by` to the amount of a second. The amount does not become negative. */
  change(second: number, by: number): void {
    if (second <= this.#last - SECONDS) return
    const change = Math.max(by, -this.#counts[second % SECONDS]!)
    this.#counts[second % SECONDS]! += change
    this.#sum += change
  }

  /** Time at which the sum is at most `sum`, in milliseconds. To be called only while the sum is larger. */
  freeAt(sum: number): number {
    let second = this.#last
    for (let left = this.#sum; left > sum && second < this.#last + SECONDS; ) left -= this.#counts[++second % SECONDS]!
    return this.#latest[second % SECONDS]! + MINUTE_MS
  }

  #clear(slot: number): void {
    this.#sum -= this.#counts[slot]!
    this.#counts[slot] = 0
  }
}

/** Rate limits in this process: one sliding minute per account and name. */
export class MemoryRates implements Rates {
  readonly #clock: Clock
  readonly #minutes = new Map<string, SlidingMinute>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  take({
    account,
    name,
    perMinute,
    needs = 1,
    takes = needs,
  }: Pick<RateClaim, 'account' | 'name' | 'perMinute' | 'needs' | 'takes'>): RateState {
    const now = this.#clock.monotonic()
    const minute = this.#minute(keyOf(account, name), now)
    const left = perMinute - minute.sum
    const maxSum = perMinute - Math.min(needs, perMinute)
    if (minute.sum > maxSum) {
      const resetMs = minute.freeAt(maxSum) - now
      return { allowed: false, amount: 0, remaining: Math.max(0, left), resetMs, second: Math.floor(now / 1000) }
    }
    const amount = Math.min(takes, left)
    const second = minute.add(now, amount)
    return { allowed: true, amount, remaining: perMinute - minute.sum, resetMs: 0, second }
  }

  used(account: string, name: string): number {
    const minute = this.#minutes.get(keyOf(account, name))
    minute?.moveTo(this.#clock.monotonic())
    return minute?.sum ?? 0
  }

  giveBack(account: string, id: string, name: string, state: RateState): void {
    this.settle(account, id, name, state, 0)
  }

  settle(account: string, _id: string, name: string, { second, amount: counted }: RateState, amount: number): void {
    this.#minutes.get(keyOf(account, name))?.change(second, amount - counted)
  }

  /** Drops entries without requests in the last minute. */
  sweep(): void {
    const now = this.#clock.monotonic()
    for (const [key, minute] of this.#minutes) {
      minute.moveTo(now)
      if (minute.sum === 0) this.#minutes.delete(key)
    }
  }

  #minute(key: string, now: number): SlidingMinute {
    let minute = this.#minutes.get(key)
    if (minute === undefined) {
      minute = new SlidingMinute(Math.floor(now / 1000))
      this.#minutes.set(key, minute)
    } else minute.moveTo(now)
    return minute
  }
}

function keyOf(account: string, name: string): string {
  return `${account} ${name}`
}
