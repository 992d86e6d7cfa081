/** Share of requests that may be repeated. */
const SHARE = 0.1

/** Retries that are always to be had after a quiet while, and how long one of them takes to come back. */
const FLOOR = 10
const FLOOR_REFILL_MS = 1000

/** Retries that a busy time can save up. */
const MOST = 100

/** Keeps retries from multiplying the load of backends that fail because of load: a tenth of requests, and a few. */
export class RetryBudget {
  #tokens = FLOOR
  #refilledAt: number

  /** Times are monotonic milliseconds. */
  constructor(now: number) {
    this.#refilledAt = now
  }

  /** A client's request, not a retry. */
  request(): void {
    this.#tokens = Math.min(this.#tokens + SHARE, MOST)
  }

  /** Takes one retry out; false when there is none. */
  take(now: number): boolean {
    const refill = (now - this.#refilledAt) / FLOOR_REFILL_MS
    this.#refilledAt = now
    if (this.#tokens < FLOOR) this.#tokens = Math.min(this.#tokens + refill, FLOOR)
    if (this.#tokens < 1) return false
    this.#tokens--
    return true
  }
}
