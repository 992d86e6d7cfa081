/** Histograms of the history of backends. */

/** Upper bounds in milliseconds of times to the first token. The last bucket, without a bound, follows them. */
export const TTFT_BOUNDS = [
  ...[10, 20, 35, 60, 100, 180, 320, 560, 1000, 1800, 3200, 5600],
  ...[10_000, 18_000, 32_000, 56_000, 100_000, 180_000, 320_000],
] as const

/** Upper bounds of milliseconds per token. */
export const PACE_BOUNDS = [1, 2, 3, 5, 7, 10, 14, 20, 28, 40, 56, 80, 110, 160, 220, 320, 500, 1000, 2500] as const

/** The number of the bucket of a value. */
export function bucketOf(bounds: readonly number[], value: number): number {
  const at = bounds.findIndex(bound => value <= bound)
  return at < 0 ? bounds.length : at
}

/**
 * The value that this share of all values do not exceed, estimated within its bucket as by Prometheus' function
 * histogram_quantile: linearly, and at most the last bound. null: there are no values.
 */
export function quantileOf(bounds: readonly number[], counts: readonly number[], share: number): number | null {
  const rank = counts.reduce((sum, count) => sum + count, 0) * share
  if (rank === 0) return null
  let below = 0
  for (const [at, count] of counts.entries()) {
    if (below + count >= rank) {
      const lower = bounds[at - 1] ?? 0
      const upper = bounds[at] ?? lower
      return lower + ((upper - lower) * (rank - below)) / count
    }
    below += count
  }
  return null
}
