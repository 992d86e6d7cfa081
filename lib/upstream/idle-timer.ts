import type { Clock } from '../base/clock.ts'
import type { Timeouts } from '../config/config.ts'

const NEVER = Number.POSITIVE_INFINITY

export interface IdleListener {
  /** Nothing has come from the backend for idle_ms. */
  onBackendIdle(): void
  /** The client has left what was written unread for client_idle_ms. */
  onClientIdle(): void
  /** Nothing has been sent for keep_alive_ms, and proxies on the way may think that nothing ever will. */
  onKeepAliveDue(): void
}

/**
 * Notices silence on both sides of a reply. Reads and writes only note the time, so they cost no timer: one sleeps until
 * the next thing that can become due.
 */
export class IdleTimer {
  readonly #clock: Clock
  readonly #timeouts: Timeouts
  readonly #signs: boolean
  readonly #listener: IdleListener
  #lastRead: number
  #lastWrite: number
  #begun = false
  #paused = false
  #stopped = false
  #timer: NodeJS.Timeout | null = null

  /** `signs`: the client can be sent signs of life. */
  constructor(clock: Clock, timeouts: Timeouts, signs: boolean, listener: IdleListener) {
    this.#clock = clock
    this.#timeouts = timeouts
    this.#signs = signs
    this.#listener = listener
    this.#lastRead = this.#lastWrite = clock.monotonic()
    this.#wait()
  }

  /** Content has come, if only a part of it. Until then the attempt keeps the time: first_byte_ms. */
  get begun(): boolean {
    return this.#begun
  }

  begin(): void {
    if (this.#begun) return
    this.#begun = true
    // The timer that runs may have been set for a sign that is due later than this.
    if (this.#timer !== null && this.#timeouts.idle_ms < this.#timeouts.keep_alive_ms) this.#wait()
  }

  /** Bytes have come. */
  read(): void {
    this.#lastRead = this.#clock.monotonic()
  }

  /** What they brought has been looked at. `wrote`: some of it has gone on to the client. */
  handled(wrote: boolean): void {
    if (wrote) this.#lastWrite = this.#lastRead
    if (this.#timer === null && !this.#stopped) this.#wait()
  }

  /** The client does not keep up: nothing is read until it does. */
  pause(): void {
    this.#paused = true
    this.#wait()
  }

  resume(): void {
    this.#paused = false
    this.#lastRead = this.#lastWrite = this.#clock.monotonic()
    if (!this.#stopped) this.#wait()
  }

  /** The reply is over. */
  stop(): void {
    this.#stopped = true
    this.#clear()
  }

  #clear(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
  }

  #wait(): void {
    this.#clear()
    const due = Math.min(this.#silentAt(), this.#signAt())
    if (due === NEVER) return
    this.#timer = setTimeout(() => this.#due(), Math.max(1, Math.ceil(due - this.#clock.monotonic())))
  }

  #due(): void {
    this.#timer = null
    const now = this.#clock.monotonic()
    if (now >= this.#silentAt()) return this.#paused ? this.#listener.onClientIdle() : this.#listener.onBackendIdle()
    if (now >= this.#signAt()) {
      this.#lastWrite = now
      this.#listener.onKeepAliveDue()
    }
    if (!this.#stopped) this.#wait()
  }

  #silentAt(): number {
    if (this.#paused) return this.#lastWrite + this.#timeouts.client_idle_ms
    return this.#begun ? this.#lastRead + this.#timeouts.idle_ms : NEVER
  }

  #signAt(): number {
    return this.#paused || !this.#signs ? NEVER : this.#lastWrite + this.#timeouts.keep_alive_ms
  }
}
