import type { Clock } from '../base/clock.ts'
import type { Flushable } from '../base/write-queue.ts'
import type { Timeouts } from '../config/config.ts'
import type { Exchange } from '../core/exchange.ts'
import type { Outlet } from '../engines/replies/outlet.ts'
import type { UpstreamCall } from '../transport/transport.ts'

const NEVER = Number.POSITIVE_INFINITY

/**
 * - `backend`: the backend has sent no content for first_byte_ms, or has been idle for idle_ms: it has sent nothing
 *   more, or has read nothing of the body.
 * - `client`: the client has read nothing for client_idle_ms, although data was written.
 * - `upload`: the client has sent nothing of its body for client_idle_ms.
 * - `keep-alive`: nothing has been written for keep_alive_ms. A proxy might close the connection.
 */
export type IdleEvent = 'backend' | 'client' | 'upload' | 'keep-alive'

/** All timeouts of one attempt. Reads and writes only store the time; one timer runs to the earliest deadline. */
export class IdleTimer {
  readonly #clock: Clock
  readonly #timeouts: Timeouts
  readonly #onIdle: (event: IdleEvent) => void
  /** Applies until the first content. */
  #contentDeadline: number
  #lastRead = 0
  #lastWrite = 0
  #canComment = false
  #hasContent = false
  #isPaused = false
  /** While the request body is sent: the side that the upload waits for. */
  #sending: 'client' | 'backend' | null = null
  #lastSent = 0
  #isStopped = false
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

  /** Sets the time within which content must be received. */
  expectWithin(ms: number): void {
    this.#sending = null
    this.#contentDeadline = this.#clock.monotonic() + ms
    this.#arm()
  }

  /** The response head was received. `canComment`: the client can be sent keep-alive comments. */
  headReceived(canComment: boolean): void {
    this.#lastRead = this.#lastWrite = this.#clock.monotonic()
    this.#canComment = canComment
    this.#armIfEarlier()
  }

  /** Content was received: idle_ms replaces first_byte_ms. */
  begin(): void {
    if (this.#hasContent) return
    this.#hasContent = true
    this.#armIfEarlier()
  }

  /** The upload progressed and now waits for `side`. first_byte_ms does not run meanwhile. */
  sending(side: 'client' | 'backend'): void {
    this.#sending = side
    this.#lastSent = this.#clock.monotonic()
    this.#armIfEarlier()
  }

  /** The body has been sent: first_byte_ms starts. */
  sent(): void {
    this.#sending = null
    this.#lastRead = this.#clock.monotonic()
    this.#contentDeadline = this.#lastRead + this.#timeouts.first_byte_ms
    this.#armIfEarlier()
  }

  read(): void {
    this.#lastRead = this.#clock.monotonic()
  }

  /** The last read has produced output for the client. */
  wrote(): void {
    this.#lastWrite = this.#lastRead
  }

  /** Backpressure: nothing is read until the client has read. */
  pause(): void {
    this.#isPaused = true
    this.#arm()
  }

  resume(): void {
    this.#isPaused = false
    this.#lastRead = this.#lastWrite = this.#clock.monotonic()
    if (!this.#isStopped) this.#arm()
  }

  stop(): void {
    this.#isStopped = true
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
  }

  /** Restarts the timer if it would fire after the earliest deadline. */
  #armIfEarlier(): void {
    if (!this.#isStopped && Math.min(this.#idleAt(), this.#commentAt()) < this.#timerDue) this.#arm()
  }

  #arm(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    const now = this.#clock.monotonic()
    // idle_ms starts with the first content. A timer that already covers it does not have to be restarted then.
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
    if (!this.#isStopped) this.#arm()
  }

  #idleEvent(): IdleEvent {
    if (this.#isPaused) return 'client'
    return this.#sending === 'client' ? 'upload' : 'backend'
  }

  #idleAt(): number {
    const { client_idle_ms, idle_ms } = this.#timeouts
    if (this.#isPaused) return this.#lastWrite + client_idle_ms
    if (this.#sending !== null) return this.#lastSent + (this.#sending === 'client' ? client_idle_ms : idle_ms)
    return this.#hasContent ? this.#lastRead + idle_ms : this.#contentDeadline
  }

  #commentAt(): number {
    return this.#isPaused || !this.#canComment ? NEVER : this.#lastWrite + this.#timeouts.keep_alive_ms
  }
}

/**
 * More output is written before the end of the tick. With the event that exceeds this limit, a write should stay
 * below 16 KB: Node keeps a longer text in memory as a whole.
 */
const FLUSH_CHARACTERS = 11 * 1024

/** Writes the outlet's output once per tick, and reads no more from the backend until the client has read it. */
export class Backpressure implements Flushable {
  readonly #exchange: Exchange
  readonly #outlet: Outlet
  readonly #call: UpstreamCall
  readonly #idle: IdleTimer
  #isDue = false
  /** The client has not read what was written. */
  #isPaused = false
  /** A transformer waits for a decision. */
  #isHeld = false
  #isStopped = false

  constructor(exchange: Exchange, outlet: Outlet, call: UpstreamCall, idle: IdleTimer) {
    this.#exchange = exchange
    this.#outlet = outlet
    this.#call = call
    this.#idle = idle
  }

  /** Called after each read. */
  afterRead(): void {
    const { waiting } = this.#outlet
    if (waiting === 0) return
    // Transformers may hold chunks back. Only output keeps the connection to the client alive.
    this.#idle.wrote()
    // A tick may have many reads, and a slow client must be noticed between them.
    if (waiting >= FLUSH_CHARACTERS) return this.onFlush()
    if (this.#isDue) return
    this.#isDue = true
    this.#exchange.host.writes.add(this)
  }

  onFlush(): void {
    this.#isDue = false
    if (this.#isStopped || this.#outlet.waiting === 0 || this.#outlet.flush() || this.#isPaused) return
    this.#isPaused = true
    this.#pause()
    this.#exchange.res.once('drain', () => {
      this.#isPaused = false
      this.#resume()
    })
  }

  /**
   * True: a transformer waits for a decision, and nothing is read. `proceed` is called when the decision is known, with
   * what it was rejected with.
   */
  holds(proceed: (thrown?: unknown) => void): boolean {
    const decision = this.#isHeld ? null : this.#exchange.upstream.takeHold()
    if (decision === null) return this.#isHeld
    this.#isHeld = true
    this.#pause()
    const known = (thrown?: unknown) => {
      if (this.#isStopped) return
      this.#isHeld = false
      this.#resume()
      proceed(thrown)
    }
    decision.then(() => known(), known)
    return true
  }

  #pause(): void {
    this.#call.pause()
    this.#idle.pause()
  }

  #resume(): void {
    if (this.#isStopped || this.#isPaused || this.#isHeld) return
    this.#call.resume()
    this.#idle.resume()
  }

  /** Disconnects a client that reads nothing. Its `close` event cancels the exchange. */
  giveUp(): void {
    if (this.#isPaused && !this.#isStopped) this.#exchange.res.destroy()
  }

  /** The reply has ended. The outlet sends the rest with its end. */
  stop(): void {
    this.#isStopped = true
  }
}
