import type { Clock } from '../base/clock.ts'
import type { Flushable } from '../base/write-queue.ts'
import type { Timeouts } from '../config/config.ts'
import type { Exchange } from '../core/exchange.ts'
import type { Outlet } from '../engines/replies/outlet.ts'
import type { UpstreamCall } from '../transport/transport.ts'

const NEVER = Number.POSITIVE_INFINITY

/**
 * - `backend`: the backend has sent no content for first_byte_ms, or nothing more for idle_ms;
 *   or it has taken nothing of the body for idle_ms.
 * - `client`: the client has read nothing of what was written for client_idle_ms.
 * - `upload`: the client has sent nothing of its body for client_idle_ms.
 * - `keep-alive`: nothing has been written for keep_alive_ms; proxies may take the connection for dead.
 */
export type IdleEvent = 'backend' | 'client' | 'upload' | 'keep-alive'

/**
 * All timeouts of one attempt, on both sides of the reply. Reads and writes only store the time: one timer runs, set to
 * the earliest deadline.
 */
export class IdleTimer {
  readonly #clock: Clock
  readonly #timeouts: Timeouts
  readonly #onIdle: (event: IdleEvent) => void
  /** Until content has come. */
  #contentDeadline: number
  #lastRead = 0
  #lastWrite = 0
  #comments = false
  #begun = false
  #paused = false
  /** The body of the request is being sent, and this side is waited for. */
  #sending: 'client' | 'backend' | null = null
  #lastSent = 0
  #stopped = false
  #timer: NodeJS.Timeout | null = null
  #timerDue = NEVER

  /** Starts with first_byte_ms. */
  constructor(clock: Clock, timeouts: Timeouts, onIdle: (event: IdleEvent) => void) {
    this.#clock = clock
    this.#timeouts = timeouts
    this.#onIdle = onIdle
    this.#contentDeadline = clock.monotonic() + timeouts.first_byte_ms
    this.#arm()
  }

  /** Content must come within this time from now. */
  expectWithin(ms: number): void {
    this.#sending = null
    this.#contentDeadline = this.#clock.monotonic() + ms
    this.#arm()
  }

  /** A reply has begun, without content so far. `comments`: the client can be sent keep-alive comments. */
  headReceived(comments: boolean): void {
    this.#lastRead = this.#lastWrite = this.#clock.monotonic()
    this.#comments = comments
    this.#armIfEarlier()
  }

  /** Content has come: from now on idle_ms counts, and first_byte_ms no more. */
  begin(): void {
    if (this.#begun) return
    this.#begun = true
    this.#armIfEarlier()
  }

  /** The body of the request gets on: `side` is waited for, and first_byte_ms does not run. */
  sending(side: 'client' | 'backend'): void {
    this.#sending = side
    this.#lastSent = this.#clock.monotonic()
    this.#armIfEarlier()
  }

  /** The body has been sent: first_byte_ms begins. */
  sent(): void {
    this.#sending = null
    this.#lastRead = this.#clock.monotonic()
    this.#contentDeadline = this.#lastRead + this.#timeouts.first_byte_ms
    this.#armIfEarlier()
  }

  /** Bytes have come. */
  read(): void {
    this.#lastRead = this.#clock.monotonic()
  }

  /** Output for the client has come of the last read. */
  wrote(): void {
    this.#lastWrite = this.#lastRead
  }

  /** Backpressure: nothing is read until the client has caught up. */
  pause(): void {
    this.#paused = true
    this.#arm()
  }

  resume(): void {
    this.#paused = false
    this.#lastRead = this.#lastWrite = this.#clock.monotonic()
    if (!this.#stopped) this.#arm()
  }

  /** The attempt is over. */
  stop(): void {
    this.#stopped = true
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
  }

  /** Sets the timer anew where it would fire after the earliest deadline. */
  #armIfEarlier(): void {
    if (!this.#stopped && Math.min(this.#idleAt(), this.#commentAt()) < this.#timerDue) this.#arm()
  }

  #arm(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    const now = this.#clock.monotonic()
    // Content may come at any time, and then idle_ms counts: with the timer set for it already, nothing has to be set anew.
    this.#timerDue = Math.min(this.#idleAt(), this.#commentAt(), now + this.#timeouts.idle_ms)
    const ms = Math.max(1, Math.ceil(this.#timerDue - now))
    this.#timer = setTimeout(() => this.#onTimer(), ms)
  }

  #onTimer(): void {
    this.#timer = null
    const now = this.#clock.monotonic()
    if (now >= this.#idleAt()) return this.#onIdle(this.#idleEvent())
    if (now >= this.#commentAt()) {
      this.#lastWrite = now
      this.#onIdle('keep-alive')
    }
    if (!this.#stopped) this.#arm()
  }

  #idleEvent(): IdleEvent {
    if (this.#paused) return 'client'
    return this.#sending === 'client' ? 'upload' : 'backend'
  }

  #idleAt(): number {
    const { client_idle_ms, idle_ms } = this.#timeouts
    if (this.#paused) return this.#lastWrite + client_idle_ms
    if (this.#sending !== null) return this.#lastSent + (this.#sending === 'client' ? client_idle_ms : idle_ms)
    return this.#begun ? this.#lastRead + idle_ms : this.#contentDeadline
  }

  #commentAt(): number {
    return this.#paused || !this.#comments ? NEVER : this.#lastWrite + this.#timeouts.keep_alive_ms
  }
}

/**
 * More than this is written before the end of the tick, so that a client that does not read is noticed behind it. Of a text of up to
 * 16 KB, the event that passes this mark included, Node keeps only what the system does not take at once; a longer one it keeps whole.
 */
const FLUSH_CHARACTERS = 11 * 1024

/** Writes what has gathered in the outlet, once per tick, and stops reading from the backend until the client has taken it. */
export class Backpressure implements Flushable {
  readonly #exchange: Exchange
  readonly #outlet: Outlet
  readonly #call: UpstreamCall
  readonly #idle: IdleTimer
  #due = false
  #paused = false
  #stopped = false

  constructor(exchange: Exchange, outlet: Outlet, call: UpstreamCall, idle: IdleTimer) {
    this.#exchange = exchange
    this.#outlet = outlet
    this.#call = call
    this.#idle = idle
  }

  /** A piece of the reply has passed through the transformers. */
  afterRead(): void {
    const { waiting } = this.#outlet
    if (waiting === 0) return
    // Transformers may hold chunks back: only what leaves is a sign of life for the client.
    this.#idle.wrote()
    // A tick may bring many reads: a client that does not keep up must be noticed between them.
    if (waiting >= FLUSH_CHARACTERS) return this.onFlush()
    if (this.#due) return
    this.#due = true
    this.#exchange.host.writes.add(this)
  }

  onFlush(): void {
    this.#due = false
    if (this.#stopped || this.#outlet.waiting === 0 || this.#outlet.flush() || this.#paused) return
    this.#paused = true
    this.#call.pause()
    this.#idle.pause()
    this.#exchange.res.once('drain', () => {
      this.#paused = false
      if (this.#stopped) return
      this.#call.resume()
      this.#idle.resume()
    })
  }

  /** Disconnects a client that reads nothing: `close` then cancels the exchange. */
  giveUp(): void {
    if (this.#paused && !this.#stopped) this.#exchange.res.destroy()
  }

  /** The reply is over: what is left is sent with its end. */
  stop(): void {
    this.#stopped = true
  }
}
