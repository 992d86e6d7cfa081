import type { Clock } from '../../services.ts'
import type { RateClaim, RateState, Rates } from '../limits.ts'

/** Seconds that count: the sixty before this one, and this one as far as it has come. */
const SECONDS = 61

/**
 * How many there were in each of the last SECONDS seconds, in a ring. A second leaves when all of it is more than a minute
 * ago, so that no minute ever holds more than the limit, wherever it begins.
 */
class SlidingMinute {
  readonly #counts = new Uint32Array(SECONDS)
  /** The second up to which the ring is true. */
  #last: number
  #sum = 0

  constructor(second: number) {
    this.#last = second
  }

  get sum(): number {
    return this.#sum
  }

  moveTo(second: number): void {
    const end = Math.min(second, this.#last + SECONDS)
    for (let entering = this.#last + 1; entering <= end; entering++) {
      this.#sum -= this.#counts[entering % SECONDS]!
      this.#counts[entering % SECONDS] = 0
    }
    this.#last = second
  }

  /** Answers the second in which it counts. */
  add(): number {
    this.#counts[this.#last % SECONDS]!++
    this.#sum++
    return this.#last
  }

  remove(second: number): void {
    if (second <= this.#last - SECONDS || this.#counts[second % SECONDS] === 0) return
    this.#counts[second % SECONDS]!--
    this.#sum--
  }

  /** The second at which the oldest of them leaves. Not to be asked of an empty minute. */
  get freeAt(): number {
    let second = this.#last + 1 - SECONDS
    while (second < this.#last && this.#counts[(second + SECONDS) % SECONDS] === 0) second++
    return second + SECONDS
  }
}

export class MemoryRates implements Rates {
  readonly #clock: Clock
  readonly #minutes = new Map<string, SlidingMinute>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  take({ account, name, perMinute }: Pick<RateClaim, 'account' | 'name' | 'perMinute'>): RateState {
    const now = this.#clock.monotonic()
    const second = Math.floor(now / 1000)
    const minute = this.#minute(keyOf(account, name), second)
    if (minute.sum >= perMinute) {
      return { allowed: false, remaining: 0, resetMs: minute.freeAt * 1000 - now, second }
    }
    const counted = minute.add()
    return { allowed: true, remaining: perMinute - minute.sum, resetMs: 0, second: counted }
  }

  giveBack(account: string, _id: string, name: string, { second }: RateState): void {
    this.#minutes.get(keyOf(account, name))?.remove(second)
  }

  /** Forgets minutes in which nothing happened. */
  sweep(): void {
    const second = Math.floor(this.#clock.monotonic() / 1000)
    for (const [key, minute] of this.#minutes) {
      minute.moveTo(second)
      if (minute.sum === 0) this.#minutes.delete(key)
    }
  }

  #minute(key: string, second: number): SlidingMinute {
    let minute = this.#minutes.get(key)
    if (minute === undefined) {
      minute = new SlidingMinute(second)
      this.#minutes.set(key, minute)
    } else minute.moveTo(second)
    return minute
  }
}

function keyOf(account: string, name: string): string {
  return `${account} ${name}`
}
