/** All code reads the time from a clock, so that tests can control it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Microseconds since the epoch. No two calls return the same value. */
  micros(): number
  /** Milliseconds on a monotonic clock. */
  monotonic(): number
}

/** Microseconds. A wall clock that is behind by more was set back. A smaller difference is a correction. */
const MIN_SET_BACK = 1_000_000

/** A clock in unique microseconds. They decrease only if the wall clock was set back by more than a second. */
export function microsecondClock(now: () => number, monotonic: () => number): () => number {
  /** Estimate of the microseconds between the epoch and the start of the monotonic clock. */
  let offset = Number.NEGATIVE_INFINITY
  let last = 0
  return () => {
    const millisecond = now() * 1000
    const elapsed = monotonic() * 1000
    // The call is within the current millisecond, so each call narrows the estimate.
    offset = Math.min(Math.max(offset, millisecond - elapsed), millisecond + 999 - elapsed)
    const micros = Math.floor(elapsed + offset)
    last = micros > last || last - micros > MIN_SET_BACK ? micros : last + 1
    return last
  }
}

const now = () => Date.now()
const monotonic = () => performance.now()

export const systemClock: Clock = { now, micros: microsecondClock(now, monotonic), monotonic }
