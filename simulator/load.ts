/** The load of an engine, and Prometheus' text format. */

/** The state that status routes report. */
export interface EngineLoad {
  /** Requests that are generating. */
  readonly running: number
  /** Requests in the queue. */
  readonly waiting: number
  /** Maximum number of generating requests; infinite: no limit. */
  readonly maxRunning: number
  /** Tokens of generating requests in the KV cache. */
  readonly usedTokens: number
  /** Blocks of the KV cache, of BLOCK_TOKENS tokens each. */
  readonly blocks: number
  /** Totals since the start. */
  readonly promptTokens: number
  readonly cachedTokens: number
  readonly completionTokens: number
}

/** A sample of a metric. `labels`: in addition to those of all samples. */
type Sample = readonly [name: string, value: number, labels?: Readonly<Record<string, string>>]

/** The used share of the KV cache, 0 to 1. */
export function cacheUse({ usedTokens, blocks }: EngineLoad, blockTokens: number): number {
  return blocks === 0 ? 0 : Math.min(1, Math.ceil(usedTokens / blockTokens) / blocks)
}

/** A page of metrics. Names with the suffix `_total` are counters, all others gauges. */
export function metricsPage(samples: readonly Sample[], common: Readonly<Record<string, string>>): string {
  return samples
    .map(([name, value, labels]) => {
      const set = Object.entries({ ...common, ...labels }).map(([label, text]) => `${label}=${JSON.stringify(text)}`)
      const type = name.endsWith('_total') ? 'counter' : 'gauge'
      return `# TYPE ${name} ${type}\n${name}${set.length === 0 ? '' : `{${set.join(',')}}`} ${value}\n`
    })
    .join('')
}
