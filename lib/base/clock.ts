/** The only source of time, so that tests can control it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Microseconds since the epoch; no two calls return the same value. */
  micros(): number
  /** Milliseconds on a monotonic clock. */
  monotonic(): number
}

/** If the wall clock is further behind than this (microseconds), it was set back; less is a correction. */
const SET_BACK = 1_000_000

/**
 * Makes a clock with microseconds from a wall clock in milliseconds and a monotonic clock in fractional milliseconds. A
 * value lies in the wall clock's millisecond or directly after the last value. Values are unique, and decrease only if the
 * wall clock was set back by more than a second.
 */
export function microsecondClock(now: () => number, monotonic: () => number): () => number {
  /** Estimated microseconds from the epoch to the start of the monotonic clock. */
  let offset = Number.NEGATIVE_INFINITY
  let last = 0
  return () => {
    const millisecond = now() * 1000
    const elapsed = monotonic() * 1000
    // The current millisecond has begun and has not ended, so each call narrows the estimate.
    offset = Math.min(Math.max(offset, millisecond - elapsed), millisecond + 999 - elapsed)
    const micros = Math.floor(elapsed + offset)
    last = micros > last || last - micros > SET_BACK ? micros : last + 1
    return last
  }
}

const now = () => Date.now()
const monotonic = () => performance.now()

export const systemClock: Clock = { now, micros: microsecondClock(now, monotonic), monotonic }
