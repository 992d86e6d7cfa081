/** The middle value; the mean of the two middle ones where there is no middle. NaN for an empty list. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  if (sorted.length === 0) return Number.NaN
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/** Counts of times in steps of 0.05 ms, so that a million of them cost no memory. What is longer than 2 s counts as 2 s. */
export class Histogram {
  count = 0
  max = 0
  readonly #steps = new Uint32Array(40_000)

  add(ms: number): void {
    this.count++
    if (ms > this.max) this.max = ms
    this.#steps[Math.min(this.#steps.length - 1, Math.max(0, Math.floor(ms * 20)))]!++
  }

  /** The time that this share of all is below; NaN when there are none. */
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
