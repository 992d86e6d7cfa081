/** Share of requests that may be retried. */
const SHARE = 0.1

/** Retries that are available without recent requests, and the time in which one of them is refilled. */
const FLOOR = 10
const FLOOR_REFILL_MS = 1000

/** Most retries that can accumulate. */
const MOST = 100

/** Limits retries to a tenth of requests and a few more, so that they do not multiply the load of overloaded backends. */
export class RetryBudget {
  #tokens = FLOOR
  #refilledAt: number

  /** Times are monotonic milliseconds. */
  constructor(now: number) {
    this.#refilledAt = now
  }

  /** Counts a request of a client. */
  request(): void {
    this.#tokens = Math.min(this.#tokens + SHARE, MOST)
  }

  /** Takes one retry; false: there is none left. */
  take(now: number): boolean {
    const refill = (now - this.#refilledAt) / FLOOR_REFILL_MS
    this.#refilledAt = now
    if (this.#tokens < FLOOR) this.#tokens = Math.min(this.#tokens + refill, FLOOR)
    if (this.#tokens < 1) return false
    this.#tokens--
    return true
  }
}
