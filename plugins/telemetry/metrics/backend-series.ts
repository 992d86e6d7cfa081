import type { AttemptFacts, Metrics } from '../../../lib/plugin.ts'
import type { ReplyUsage } from '../../slots.ts'
import { LATENCY, TTFT } from './series.ts'

const labelNames = ['model', 'backend'] as const

/** Metrics of attempts. Labels are models and addresses of the configuration, and words of the code. */
export class BackendSeries {
  readonly #metrics: ReturnType<typeof create>

  constructor(metrics: Metrics) {
    this.#metrics = create(metrics)
  }

  /** `usage`: usage of the reply, which belongs to the last attempt. `isStream`: the client receives events. */
  observe(attempts: readonly AttemptFacts[], usage: ReplyUsage | undefined, isStream: boolean): void {
    for (const facts of attempts) this.#observeAttempt(facts, isStream)
    const last = attempts.at(-1)
    if (last !== undefined && usage !== undefined) this.#addTokens(last, usage)
  }

  #observeAttempt(facts: AttemptFacts, isStream: boolean): void {
    const { requests, duration, ttft } = this.#metrics
    const { model, backend, outcome, startedMs, firstTokenMs, endedMs } = facts
    const labels = { model, backend }
    requests.inc({ model, backend, outcome })
    duration.observe(labels, (endedMs - startedMs) / 1000)
    if (isStream && firstTokenMs !== null) ttft.observe(labels, (firstTokenMs - startedMs) / 1000)
  }

  #addTokens({ model, backend }: AttemptFacts, { inputTokens, outputTokens, cacheReadTokens }: ReplyUsage): void {
    const { tokens } = this.#metrics
    if (inputTokens !== null) tokens.inc({ model, backend, kind: 'input' }, inputTokens)
    if (outputTokens !== null) tokens.inc({ model, backend, kind: 'output' }, outputTokens)
    if (cacheReadTokens !== null) tokens.inc({ model, backend, kind: 'cache_read' }, cacheReadTokens)
  }
}

function create(metrics: Metrics) {
  return {
    requests: metrics.counter({
      name: 'sluiceway_backend_requests_total',
      help: 'Requests that were sent to a backend, by outcome.',
      labelNames: ['model', 'backend', 'outcome'],
    }),
    ttft: metrics.histogram({
      name: 'sluiceway_backend_time_to_first_token_seconds',
      help: 'Time from sending a request to a backend to the first token of its stream.',
      labelNames,
      buckets: TTFT,
    }),
    duration: metrics.histogram({
      name: 'sluiceway_backend_duration_seconds',
      help: 'Time from sending a request to a backend to the end of its reply.',
      labelNames,
      buckets: LATENCY,
    }),
    tokens: metrics.counter({
      name: 'sluiceway_backend_tokens_total',
      help: 'Tokens that a backend reported, by kind: input, output, cache_read.',
      labelNames: ['model', 'backend', 'kind'],
    }),
  }
}
