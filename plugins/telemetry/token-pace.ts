import { setImmediate } from 'node:timers/promises'
import type { TokenPace } from '../slots.ts'

/** Observations in one tick. Each takes about 0.4 µs. */
const MAX_PER_TICK = 1000

/** `bounds`: upper bounds of the buckets in seconds, ascending. */
export function newTokenPace(bounds: readonly number[]): TokenPace {
  const zeros = () => new Array<number>(bounds.length + 1).fill(0)
  return { bounds, counts: zeros(), sums: zeros() }
}

/** Counts a gap between two chunks with tokens. */
export function addGap({ bounds, counts, sums }: TokenPace, seconds: number): void {
  let bucket = 0
  while (bucket < bounds.length && seconds > bounds[bucket]!) bucket++
  counts[bucket]!++
  sums[bucket]! += seconds
}

/** Observes every gap as the mean of its bucket: buckets, count and sum of the histogram are then those of the gaps. */
export async function observePace(
  histogram: { observe(seconds: number): void },
  { bounds, counts, sums }: TokenPace,
): Promise<void> {
  let observed = 0
  for (const [bucket, count] of counts.entries()) {
    // Rounding may put the mean of equal gaps above the bound of their bucket.
    const mean = Math.min(sums[bucket]! / count, bounds[bucket] ?? Number.POSITIVE_INFINITY)
    for (let i = 0; i < count; i++) {
      histogram.observe(mean)
      if (++observed % MAX_PER_TICK === 0) await setImmediate()
    }
  }
}
