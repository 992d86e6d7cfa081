import type { Window } from './plan.ts'

/** One request of a run. Times are milliseconds, compressed as the run is. */
export interface Sample {
  readonly at: number
  readonly ttft: number
  /** Mean time between two tokens of the answer. */
  readonly tpot: number
  readonly promptTokens: number
  readonly cachedTokens: number
  /** In virtual time only: the session, the index of the turn in it, and that of the engine. */
  readonly session?: string
  readonly turn?: number
  readonly engine?: number
  /** Expected time to the first token; 0: not predicted. */
  readonly predictedMs?: number
}

/** The objective of a request, in uncompressed milliseconds. */
export interface Slo {
  readonly firstMs: number
  /** Added to `firstMs` for each token of the prompt. */
  readonly firstMsPerToken: number
  /** Mean time between two tokens. */
  readonly tokenMs: number
}

export const DEFAULT_SLO: Slo = { firstMs: 1000, firstMsPerToken: 0.1, tokenMs: 60 }

export interface Result {
  readonly requests: number
  /** Share of the prompt tokens that were cached. */
  readonly hitRate: number
  readonly ttft: { readonly mean: number; readonly p50: number; readonly p95: number; readonly p99: number }
  /** Work of the busiest engine, divided by the mean. */
  readonly imbalance: number
  /** Share of the requests that met the objective. */
  readonly good: number
  readonly tpotP99: number
  /** Prompt tokens that were computed by all engines. */
  readonly computed: number
  /** Sum of the predicted times to the first token, divided by that of the measured ones; undefined: none predicted. */
  readonly predicted: number | undefined
  /** Share of the turns after the first that were sent to another engine than the turn before. */
  readonly moved: number
  /** Requests per second, in the part of the run that counts. */
  readonly rate: number
}

/** Bounds of the part of a run that counts: caches are empty at the start, and the load fades at the end. */
const FIRST = 0.25
const LAST = 0.95

export interface ResultOptions {
  readonly slo?: Slo
  /** The part of the run that counts; default: without the first quarter and the last twentieth of the requests. */
  readonly counted?: Window | undefined
}

/** The samples of the part of a run that counts, in order. */
export function countedOf<T extends Sample>(samples: readonly T[], window?: Window): readonly T[] {
  const ordered = samples.toSorted((a, b) => a.at - b.at)
  if (window !== undefined) return ordered.filter(({ at }) => at >= window.from && at < window.until)
  return ordered.slice(Math.floor(FIRST * ordered.length), Math.ceil(LAST * ordered.length))
}

/** `computed`: prompt tokens that each engine has computed. */
export function resultOf(
  samples: readonly Sample[],
  computed: readonly number[],
  times: number,
  { slo = DEFAULT_SLO, counted: window }: ResultOptions = {},
): Result {
  const counted = countedOf(samples, window)
  const sum = (of: (sample: Sample) => number, from = counted) => from.reduce((total, sample) => total + of(sample), 0)
  const ttft = quantilesOf(counted.map(({ ttft }) => ttft))
  const good = counted.filter(sample => isGood(sample, times, slo))
  const predicted = counted.filter(({ predictedMs }) => (predictedMs ?? 0) > 0)
  const total = computed.reduce((a, b) => a + b, 0)
  return {
    requests: counted.length,
    hitRate: sum(({ cachedTokens }) => cachedTokens) / sum(({ promptTokens }) => promptTokens),
    ttft: { mean: sum(({ ttft }) => ttft) / counted.length, p50: ttft(0.5), p95: ttft(0.95), p99: ttft(0.99) },
    imbalance: Math.max(...computed) / (total / computed.length),
    good: good.length / counted.length,
    tpotP99: quantilesOf(counted.map(({ tpot }) => tpot))(0.99),
    computed: total,
    predicted:
      predicted.length === 0 ? undefined : sum(one => one.predictedMs!, predicted) / sum(one => one.ttft, predicted),
    moved: movedOf(samples, counted),
    rate: (1000 * (counted.length - 1)) / (times * (counted.at(-1)!.at - counted[0]!.at)),
  }
}

export function isGood({ ttft, tpot, promptTokens }: Sample, times: number, slo: Slo): boolean {
  return ttft * times <= slo.firstMs + slo.firstMsPerToken * promptTokens && tpot * times <= slo.tokenMs
}

function quantilesOf(values: readonly number[]): (share: number) => number {
  const sorted = values.toSorted((a, b) => a - b)
  return share => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0
}

/** Of the turns that count. The turn before may be one that does not. */
function movedOf(samples: readonly Sample[], counted: readonly Sample[]): number {
  const engines = new Map(samples.map(({ session, turn, engine }) => [`${session} ${turn}`, engine]))
  let moved = 0
  let all = 0
  for (const { session, turn, engine } of counted) {
    const before = turn === undefined ? undefined : engines.get(`${session} ${turn - 1}`)
    if (before === undefined) continue
    all++
    if (before !== engine) moved++
  }
  return all === 0 ? 0 : moved / all
}
