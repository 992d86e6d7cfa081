/** Failures in a row that open the circuit breaker (docs/DESIGN.md#ejection). */
const THRESHOLD = 5
const FIRST_BACKOFF_MS = 1000
const MAX_BACKOFF_MS = 60_000

/**
 * Keeps requests away from a backend that fails: closed, it lets every request through; open, none; half-open, after a
 * backoff, one probe request, whose outcome closes or opens it. A probe request whose outcome is never reported delays
 * the next one by MAX_BACKOFF_MS at most. All times are monotonic milliseconds.
 */
export class CircuitBreaker {
  #failures = 0
  #isOpen = false
  #backoffMs = FIRST_BACKOFF_MS
  /** While open: the time from which it is half-open. */
  #halfOpenAt = 0

  /** Open or half-open. */
  get isOpen(): boolean {
    return this.#isOpen
  }

  /** Closed or half-open. */
  allows(now: number): boolean {
    return !this.#isOpen || now >= this.#halfOpenAt
  }

  /** A request starts. Returns whether it is the probe request; no other is allowed until its outcome is reported. */
  start(now: number): boolean {
    if (!this.#isOpen) return false
    this.#halfOpenAt = now + MAX_BACKOFF_MS
    return true
  }

  /** The response to the probe request has begun well: closes, and opens again at the next failure. */
  probeResponded(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    this.#failures = THRESHOLD - 1
  }

  /** While open, only the probe request counts: the others started before the backend was ejected. */
  succeeded(isProbe: boolean): void {
    if (this.#isOpen && !isProbe) return
    this.#isOpen = false
    this.#failures = 0
    this.#backoffMs = FIRST_BACKOFF_MS
  }

  failed(isProbe: boolean, now: number): void {
    if (this.#isOpen && !isProbe) return
    this.#failures++
    if (this.#isOpen || this.#failures >= THRESHOLD) this.#open(now)
  }

  /** Opens without waiting for failures. The backoff of one that is open already is not extended. */
  open(now: number): void {
    if (this.allows(now)) this.#open(now)
  }

  /** Ends the backoff of an open breaker: the next request is the probe request. */
  halfOpen(now: number): void {
    this.#halfOpenAt = now
  }

  #open(now: number): void {
    this.#isOpen = true
    this.#halfOpenAt = now + this.#backoffMs
    this.#backoffMs = Math.min(this.#backoffMs * 2, MAX_BACKOFF_MS)
  }
}
