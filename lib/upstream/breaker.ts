/** Failures in a row that eject a backend (docs/DESIGN.md#ejection). */
const THRESHOLD = 5
const FIRST_BACKOFF_MS = 1000
const MAX_BACKOFF_MS = 60_000

/**
 * Keeps requests away from a backend that fails. It cannot lock: whoever is let through as the probe only moves the
 * time of the next probe, so a probe that is never heard of again costs at most MAX_BACKOFF_MS.
 * All times are monotonic milliseconds.
 */
export class Breaker {
  #failures = 0
  #open = false
  #backoffMs = FIRST_BACKOFF_MS
  /** While open: from when on one request may try. */
  #probeAt = 0

  get open(): boolean {
    return this.#open
  }

  permits(now: number): boolean {
    return !this.#open || now >= this.#probeAt
  }

  /** A request starts. True: it is the probe, and nobody else is let through until its outcome is known. */
  begin(now: number): boolean {
    if (!this.#open) return false
    this.#probeAt = now + MAX_BACKOFF_MS
    return true
  }

  /** The probe was answered well so far: others may follow, but one more failure opens again. */
  probeAnswered(): void {
    if (!this.#open) return
    this.#open = false
    this.#failures = THRESHOLD - 1
  }

  /** While open only the probe counts: the others began before the backend was ejected. */
  succeeded(isProbe: boolean): void {
    if (this.#open && !isProbe) return
    this.#open = false
    this.#failures = 0
    this.#backoffMs = FIRST_BACKOFF_MS
  }

  failed(isProbe: boolean, now: number): void {
    if (this.#open && !isProbe) return
    this.#failures++
    if (this.#open || this.#failures >= THRESHOLD) this.#eject(now)
  }

  /** Known to be out of service. While it is kept out already, that time goes on as it was. */
  eject(now: number): void {
    if (this.permits(now)) this.#eject(now)
  }

  #eject(now: number): void {
    this.#open = true
    this.#probeAt = now + this.#backoffMs
    this.#backoffMs = Math.min(this.#backoffMs * 2, MAX_BACKOFF_MS)
  }

  /** The probe ended without telling anything, or the backend is known to be back: the next request is the probe. */
  probeNow(now: number): void {
    this.#probeAt = now
  }
}
