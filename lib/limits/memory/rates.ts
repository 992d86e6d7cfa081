import type { Clock } from '../../base/clock.ts'
import type { RateClaim, RateState, Rates } from '../limits.ts'

const MINUTE_MS = 60_000

/** Seconds that may count: the current one and the sixty before it. */
const SECONDS = 61

/**
 * Requests in each of the last SECONDS seconds, as a ring buffer. A second is dropped when the last of its requests is a
 * minute ago. So no sixty seconds contain more than the limit, and a client at a constant permitted rate is never refused.
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

  /** Counts a request and returns the second in which it is counted. */
  add(now: number): number {
    const slot = this.#last % SECONDS
    this.#counts[slot]!++
    this.#latest[slot] = now
    this.#sum++
    return this.#last
  }

  remove(second: number): void {
    if (second <= this.#last - SECONDS || this.#counts[second % SECONDS] === 0) return
    this.#counts[second % SECONDS]!--
    this.#sum--
  }

  /** When the oldest second is dropped, in milliseconds. Only valid if `sum` is not 0. */
  get freeAt(): number {
    let second = this.#last + 1
    while (second < this.#last + SECONDS && this.#counts[second % SECONDS] === 0) second++
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

  take({ account, name, perMinute }: Pick<RateClaim, 'account' | 'name' | 'perMinute'>): RateState {
    const now = this.#clock.monotonic()
    const minute = this.#minute(keyOf(account, name), now)
    if (minute.sum >= perMinute) {
      return { allowed: false, remaining: 0, resetMs: minute.freeAt - now, second: Math.floor(now / 1000) }
    }
    const second = minute.add(now)
    return { allowed: true, remaining: perMinute - minute.sum, resetMs: 0, second }
  }

  giveBack(account: string, _id: string, name: string, { second }: RateState): void {
    this.#minutes.get(keyOf(account, name))?.remove(second)
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
