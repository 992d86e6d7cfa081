import type { Clock } from '../../lib/base/clock.ts'

interface Timer {
  readonly at: number
  readonly call: () => void
}

/** A time that passes only when it is moved, with timers in it. Milliseconds. */
export class VirtualTime implements Clock {
  ms = 0
  /** The last one is due first. */
  readonly #timers: Timer[] = []

  now = () => this.ms
  micros = () => this.ms * 1000
  monotonic = () => this.ms

  /** When the next timer is due. */
  get next(): number {
    return this.#timers.at(-1)?.at ?? Number.POSITIVE_INFINITY
  }

  /** Returns what cancels it. Those of one time are called in the order in which they were set. */
  after = (ms: number, call: () => void): (() => void) => {
    const timer = { at: this.ms + ms, call }
    let place = this.#timers.length
    while (place > 0 && this.#timers[place - 1]!.at <= timer.at) place--
    this.#timers.splice(place, 0, timer)
    return () => {
      const at = this.#timers.indexOf(timer)
      if (at >= 0) this.#timers.splice(at, 1)
    }
  }

  /** Goes to the next timer, and calls it. */
  step(): void {
    const timer = this.#timers.pop()
    if (timer === undefined) return
    this.ms = Math.max(this.ms, timer.at)
    timer.call()
  }
}
