/** One request of a run. Times are milliseconds of the run's own time. */
export interface Sample {
  readonly at: number
  readonly ttft: number
  /** Between two tokens of the answer. */
  readonly tpot: number
  readonly promptTokens: number
  readonly cachedTokens: number
}

export interface Result {
  readonly requests: number
  /** Share of the prompt tokens that were cached. */
  readonly hitRate: number
  readonly ttft: { readonly mean: number; readonly p50: number; readonly p95: number; readonly p99: number }
  /** Work of the busiest engine by the mean. */
  readonly imbalance: number
  /** Requests that met the objective. */
  readonly good: number
}

/** The start and the end of a run do not count: caches are empty there, or the load fades. */
const FIRST = 0.25
const LAST = 0.95

/** Those of the middle of a run, in their order. */
export function countedOf<T extends Sample>(samples: readonly T[]): readonly T[] {
  const ordered = samples.toSorted((a, b) => a.at - b.at)
  return ordered.slice(Math.floor(FIRST * ordered.length), Math.ceil(LAST * ordered.length))
}

/** `computed`: tokens of prompts that each engine has computed. */
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
