/** One request of a run. Times are milliseconds, compressed as the run is. */
export interface Sample {
  readonly at: number
  readonly ttft: number
  /** Mean time between two tokens of the answer. */
  readonly tpot: number
  readonly promptTokens: number
  readonly cachedTokens: number
}

export interface Result {
  readonly requests: number
  /** Share of the prompt tokens that were cached. */
  readonly hitRate: number
  readonly ttft: { readonly mean: number; readonly p50: number; readonly p95: number; readonly p99: number }
  /** Work of the busiest engine, divided by the mean. */
  readonly imbalance: number
  /** Share of the requests that met the objective. */
  readonly good: number
}

/** Bounds of the part of a run that counts: caches are empty at the start, and the load fades at the end. */
const FIRST = 0.25
const LAST = 0.95

/** The samples of the part of a run that counts, in order. */
export function countedOf<T extends Sample>(samples: readonly T[]): readonly T[] {
  const ordered = samples.toSorted((a, b) => a.at - b.at)
  return ordered.slice(Math.floor(FIRST * ordered.length), Math.ceil(LAST * ordered.length))
}

/** `computed`: prompt tokens that each engine has computed. */
export function resultOf(samples: readonly Sample[], computed: readonly number[], times: number): Result {
  const counted = countedOf(samples)
  const ttfts = counted.map(({ ttft }) => ttft).sort((a, b) => a - b)
  const sum = (of: (sample: Sample) => number) => counted.reduce((total, sample) => total + of(sample), 0)
  const quantile = (share: number) => ttfts[Math.min(ttfts.length - 1, Math.floor(share * ttfts.length))] ?? 0
  const good = counted.filter(
    ({ ttft, tpot, promptTokens }) => ttft * times <= 1000 + 0.1 * promptTokens && tpot * times <= 60,
  )
  return {
    requests: counted.length,
    hitRate: sum(({ cachedTokens }) => cachedTokens) / sum(({ promptTokens }) => promptTokens),
    ttft: {
      mean: sum(({ ttft }) => ttft) / counted.length,
      p50: quantile(0.5),
      p95: quantile(0.95),
      p99: quantile(0.99),
    },
    imbalance: Math.max(...computed) / (computed.reduce((a, b) => a + b, 0) / computed.length),
    good: good.length / counted.length,
  }
}
