/** Results of several draws of the random requests. */
import type { Result } from './result.ts'

export const meanOf = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length

export const geometricMean = (values: readonly number[]) => Math.exp(meanOf(values.map(value => Math.log(value))))

/** The mean, and the range if there are several values. */
export function spread(values: readonly number[], digits: number, mean = meanOf): string {
  const text = mean(values).toFixed(digits)
  if (values.length < 2) return text
  return `${text} (${Math.min(...values).toFixed(digits)}–${Math.max(...values).toFixed(digits)})`
}

/** A run, and the oracle's run with the same requests. */
export interface Compared {
  readonly result: Result
  readonly oracle: Result
}

export const RATIOS = {
  mean: ({ result, oracle }: Compared) => result.ttft.mean / oracle.ttft.mean,
  p95: ({ result, oracle }: Compared) => result.ttft.p95 / oracle.ttft.p95,
  token: ({ result, oracle }: Compared) => result.tpotP99 / oracle.tpotP99,
  computed: ({ result, oracle }: Compared) => result.computed / oracle.computed,
} as const
