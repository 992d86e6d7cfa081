/** The median. NaN for an empty list. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

/** The value below which this share of the values is, interpolated. NaN for an empty list. */
export function quantile(values: readonly number[], share: number): number {
  if (values.length === 0) return Number.NaN
  const sorted = values.toSorted((a, b) => a - b)
  const at = (sorted.length - 1) * share
  const low = sorted[Math.floor(at)]!
  return low + (sorted[Math.ceil(at)]! - low) * (at - Math.floor(at))
}

/** A histogram of times in steps of 0.05 ms, which needs constant memory. Times above 2 s count as 2 s. */
export class Histogram {
  count = 0
  max = 0
  readonly #steps = new Uint32Array(40_000)

  add(ms: number): void {
    this.count++
    if (ms > this.max) this.max = ms
    this.#steps[Math.min(this.#steps.length - 1, Math.max(0, Math.floor(ms * 20)))]!++
  }

  /** The quantile of this share; NaN if there are no times. */
  percentile(share: number): number {
    let left = Math.ceil(this.count * share)
    if (left === 0) return Number.NaN
    for (let step = 0; step < this.#steps.length; step++) {
      left -= this.#steps[step]!
      if (left <= 0) return (step + 0.5) / 20
    }
    return this.max
  }
}
