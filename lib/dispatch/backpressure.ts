import type { Flushable } from '../base/write-queue.ts'
import type { Exchange } from '../core/exchange.ts'
import type { Outlet } from '../engines/replies/outlet.ts'
import type { UpstreamCall } from '../transport/transport.ts'
import type { IdleTimer } from './idle-timer.ts'

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
