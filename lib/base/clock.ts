/** The only source of time, so that tests can own it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Microseconds since the epoch, never the same twice. */
  micros(): number
  /** Milliseconds on a clock that never jumps. */
  monotonic(): number
}

/** Wall times this far behind the last answer are a clock that was set back; closer ones are corrections of it. */
const SET_BACK = 1_000_000

/**
 * Microseconds since the epoch, from a wall clock and a clock that never jumps, both in milliseconds; the latter with
 * fractions. An answer lies in the wall clock's millisecond, or just behind the last answer: the same never comes twice,
 * and an earlier one only where the wall clock was set back by more than a second.
 */
export function microsecondClock(now: () => number, monotonic: () => number): () => number {
  /** The epoch's distance from where the second clock began, as far as it is known, in microseconds. */
  let offset = Number.NEGATIVE_INFINITY
  let last = 0
  return () => {
    const millisecond = now() * 1000
    const elapsed = monotonic() * 1000
    // This millisecond has begun and has not ended: each answer narrows down where between the two we are.
    offset = Math.min(Math.max(offset, millisecond - elapsed), millisecond + 999 - elapsed)
    const micros = Math.floor(elapsed + offset)
    last = micros > last || last - micros > SET_BACK ? micros : last + 1
    return last
  }
}

const now = () => Date.now()
const monotonic = () => performance.now()

export const systemClock: Clock = { now, micros: microsecondClock(now, monotonic), monotonic }
