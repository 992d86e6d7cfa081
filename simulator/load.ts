/** What an engine tells about its own load: counters of the moment, and Prometheus' text format. */

/** The state that status routes report. */
export interface EngineLoad {
  /** Requests that are generating. */
  readonly running: number
  /** Requests in the queue. */
  readonly waiting: number
  /** Requests that may generate at once; Infinity: no limit. */
  readonly maxRunning: number
  /** Tokens in the KV cache that belong to requests which are generating. */
  readonly usedTokens: number
  /** Blocks of the KV cache, of BLOCK_TOKENS tokens each. */
  readonly blocks: number
  /** Totals since the start. */
  readonly promptTokens: number
  readonly cachedTokens: number
  readonly completionTokens: number
}

/** A sample: name, value, and labels beside those of all samples. */
export type Sample = readonly [name: string, value: number, labels?: Readonly<Record<string, string>>]

/** The share of the KV cache that is in use, 0 to 1. */
export function cacheUse({ usedTokens, blocks }: EngineLoad, blockTokens: number): number {
  return blocks === 0 ? 0 : Math.min(1, Math.ceil(usedTokens / blockTokens) / blocks)
}

/** A page of metrics. A name that ends with `_total` is a counter, any other one a gauge. */
export function metricsPage(samples: readonly Sample[], common: Readonly<Record<string, string>>): string {
  return samples
    .map(([name, value, labels]) => {
      const set = Object.entries({ ...common, ...labels }).map(([label, text]) => `${label}=${JSON.stringify(text)}`)
      const type = name.endsWith('_total') ? 'counter' : 'gauge'
      return `# TYPE ${name} ${type}\n${name}${set.length === 0 ? '' : `{${set.join(',')}}`} ${value}\n`
    })
    .join('')
}
