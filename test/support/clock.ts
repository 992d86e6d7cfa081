import type { Clock } from '../../lib/base/clock.ts'

/** A clock that only a test advances. */
export class ManualClock implements Clock {
  ms = 1000

  now(): number {
    return 1_750_000_000_000 + this.ms
  }

  micros(): number {
    return this.now() * 1000
  }

  monotonic(): number {
    return this.ms
  }

  advance(ms: number): void {
    this.ms += ms
  }
}

/** A clock with a constant time, in microseconds since the epoch. */
export function clockAt(micros: number): Clock {
  return { now: () => Math.floor(micros / 1000), micros: () => micros, monotonic: () => 0 }
}
