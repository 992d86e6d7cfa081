import type { AttemptFacts, CounterSeries, HotCounter, HotSeries, Metrics } from '../../../lib/plugin.ts'
import type { ReplyUsage } from '../../slots.ts'
import { LATENCY, TTFT } from './buckets.ts'

const labelNames = ['model', 'backend'] as const

/** Backends of one model whose series are kept at hand. */
const MOST_BOUND = 1024

/** The metrics of attempts. Labels are models and addresses of the configuration, and words of the code. */
export class BackendSeries {
  readonly #metrics: ReturnType<typeof create>
  readonly #bound = new Map<string, Map<string, BoundSeries>>()

  constructor(metrics: Metrics) {
    this.#metrics = create(metrics)
  }

  /** `usage`: of the reply, which is the last attempt's. `isStream`: it is passed on as events. */
  observe(attempts: readonly AttemptFacts[], usage: ReplyUsage | undefined, isStream: boolean): void {
    for (let i = 0; i < attempts.length; i++) {
      const facts = attempts[i]!
      const of = this.#of(facts)
      of.observe(facts, isStream)
      if (i === attempts.length - 1 && usage !== undefined) of.addTokens(usage)
    }
  }

  /** Labels are resolved once: looking them up costs more than counting. */
  #of({ model, backend }: AttemptFacts): BoundSeries {
    let ofModel = this.#bound.get(model)
    if (ofModel === undefined) {
      ofModel = new Map()
      this.#bound.set(model, ofModel)
    }
    let bound = ofModel.get(backend)
    if (bound === undefined) {
      // Backends may come and go, and series of those that have gone are removed: these are made anew where they are needed.
      if (ofModel.size >= MOST_BOUND) ofModel.clear()
      bound = new BoundSeries(this.#metrics, model, backend)
      ofModel.set(backend, bound)
    }
    return bound
  }
}

function create(metrics: Metrics) {
  return {
    requests: metrics.hotCounter({
      name: 'sluiceway_backend_requests_total',
      help: 'Requests that were sent to a backend, by how they ended.',
      labelNames: ['model', 'backend', 'outcome'],
    }),
    ttft: metrics.hotHistogram({
      name: 'sluiceway_backend_time_to_first_token_seconds',
      help: 'From sending a request to a backend to the first token of its stream.',
      labelNames,
      buckets: TTFT,
    }),
    duration: metrics.hotHistogram({
      name: 'sluiceway_backend_duration_seconds',
      help: 'From sending a request to a backend to the end of its reply.',
      labelNames,
      buckets: LATENCY,
    }),
    tokens: metrics.hotCounter({
      name: 'sluiceway_backend_tokens_total',
      help: 'Tokens that a backend reported, by kind: input, output, cache_read.',
      labelNames: ['model', 'backend', 'kind'],
    }),
  }
}

/** One backend of one model. */
class BoundSeries {
  readonly #requests: HotCounter
  readonly #labels: readonly [model: string, backend: string]
  readonly #outcomes = new Map<string, CounterSeries>()
  readonly #ttft: HotSeries
  readonly #duration: HotSeries
  readonly #input: CounterSeries
  readonly #output: CounterSeries
  readonly #cached: CounterSeries

  constructor(metrics: ReturnType<typeof create>, model: string, backend: string) {
    this.#requests = metrics.requests
    this.#labels = [model, backend]
    this.#ttft = metrics.ttft.labels(model, backend)
    this.#duration = metrics.duration.labels(model, backend)
    this.#input = metrics.tokens.labels(model, backend, 'input')
    this.#output = metrics.tokens.labels(model, backend, 'output')
    this.#cached = metrics.tokens.labels(model, backend, 'cache_read')
  }

  observe({ outcome, startedMs, firstTokenMs, endedMs }: AttemptFacts, isStream: boolean): void {
    let counter = this.#outcomes.get(outcome)
    if (counter === undefined) {
      counter = this.#requests.labels(...this.#labels, outcome)
      this.#outcomes.set(outcome, counter)
    }
    counter.inc()
    this.#duration.observe((endedMs - startedMs) / 1000)
    if (isStream && firstTokenMs !== null) this.#ttft.observe((firstTokenMs - startedMs) / 1000)
  }

  addTokens({ inputTokens, outputTokens, cacheReadTokens }: ReplyUsage): void {
    if (inputTokens !== null) this.#input.inc(inputTokens)
    if (outputTokens !== null) this.#output.inc(outputTokens)
    if (cacheReadTokens !== null) this.#cached.inc(cacheReadTokens)
  }
}
