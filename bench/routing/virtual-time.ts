import type { Clock } from '../../lib/base/clock.ts'

interface Timer {
  readonly at: number
  readonly call: () => void
}

/** A manual clock with timers, in milliseconds. */
export class VirtualTime implements Clock {
  ms = 0
  /** Sorted: the last timer is due first. */
  readonly #timers: Timer[] = []

  now = () => this.ms
  micros = () => this.ms * 1000
  monotonic = () => this.ms

  /** When the next timer is due. */
  get next(): number {
    return this.#timers.at(-1)?.at ?? Number.POSITIVE_INFINITY
  }

  /**
   * Sets a timer, and returns a function that cancels it. Timers of the same time are called in the order of these
   * calls.
   */
  after = (ms: number, call: () => void): (() => void) => {
    const timer = { at: this.ms + ms, call }
    let index = this.#timers.length
    while (index > 0 && this.#timers[index - 1]!.at <= timer.at) index--
    this.#timers.splice(index, 0, timer)
    return () => {
      const at = this.#timers.indexOf(timer)
      if (at >= 0) this.#timers.splice(at, 1)
    }
  }

  /** Advances to the next timer and calls it. */
  step(): void {
    const timer = this.#timers.pop()
    if (timer === undefined) return
    this.ms = Math.max(this.ms, timer.at)
    timer.call()
  }
}
