import type { Counter, Histogram } from 'prom-client'
import type { Metrics } from '../base/metrics.ts'
import type { ModelRouting, RoutingReason } from './model-routing.ts'

/** Seconds. */
const TTFT_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

/**
 * Metrics of decisions, of their results, and of learnt values. Labels are models and backends of the configuration.
 */
export class RoutingMetrics {
  readonly #decisions: Counter<'model' | 'reason'>
  readonly #cached: Counter<'model' | 'kind'>
  readonly #firstToken: Histogram<'model' | 'kind'>
  /** Counters by model and reason, cached because resolving labels costs more than counting. */
  readonly #counters = new Map<string, Counter.Internal>()

  constructor(metrics: Metrics, models: () => Iterable<ModelRouting>) {
    this.#decisions = metrics.counter({
      name: 'sluiceway_routing_decisions_total',
      help: 'Backends that the policy cost has chosen, by reason: prefix, load, new, single.',
      labelNames: ['model', 'reason'],
    })
    this.#cached = metrics.counter({
      name: 'sluiceway_routing_cached_tokens_total',
      help: 'Prompt tokens in the prefix caches of backends, as predicted by routing and as reported by the replies.',
      labelNames: ['model', 'kind'],
    })
    this.#firstToken = metrics.histogram({
      name: 'sluiceway_routing_first_token_seconds',
      help: "Time from the choice of a backend to a stream's first token, as predicted by routing and as measured.",
      labelNames: ['model', 'kind'],
      buckets: TTFT_BUCKETS,
    })
    registerLearnt(metrics, models)
  }

  decided(model: string, reason: RoutingReason): void {
    const key = `${model} ${reason}`
    let counter = this.#counters.get(key)
    if (counter === undefined) {
      counter = this.#decisions.labels(model, reason)
      this.#counters.set(key, counter)
    }
    counter.inc()
  }

  /** In tokens. */
  cached(model: string, predicted: number, reported: number): void {
    this.#cached.inc({ model, kind: 'predicted' }, predicted)
    this.#cached.inc({ model, kind: 'reported' }, reported)
  }

  /** In milliseconds. */
  firstToken(model: string, predicted: number, measured: number): void {
    this.#firstToken.observe({ model, kind: 'predicted' }, predicted / 1000)
    this.#firstToken.observe({ model, kind: 'measured' }, measured / 1000)
  }
}

function registerLearnt(metrics: Metrics, models: () => Iterable<ModelRouting>): void {
  metrics.gauge({
    name: 'sluiceway_routing_tokens_per_byte',
    help: 'Tokens per byte of prompt text, learnt from usage.',
    aggregator: 'average',
    labelNames: ['model'],
    collect() {
      this.reset()
      for (const { model, tokensPerByte } of models()) this.set({ model }, tokensPerByte)
    },
  })
  metrics.gauge({
    name: 'sluiceway_routing_floor_seconds',
    help: 'Time to the first token of a prompt that a backend has cached and that meets no queue, learnt from replies.',
    aggregator: 'average',
    labelNames: ['model'],
    collect() {
      this.reset()
      for (const routing of models()) this.set({ model: routing.model }, routing.floorMs / 1000)
    },
  })
  const perBackend = ({ name, help, value }: LearntGauge) => {
    metrics.gauge({
      name,
      help,
      aggregator: 'average',
      labelNames: ['model', 'backend'],
      collect() {
        this.reset()
        for (const routing of models()) {
          for (const one of routing.learnt())
            this.set({ model: routing.model, backend: one.backend.address }, value(one))
        }
      },
    })
  }
  perBackend({
    name: 'sluiceway_routing_prefill_tokens_per_second',
    help: 'Prompt tokens that a backend computes per second, as configured or learnt.',
    value: ({ learnt }) => learnt.prefillTokensPerSecond.value,
  })
  perBackend({
    name: 'sluiceway_routing_decode_step_seconds',
    help: 'Time between two tokens of an answer at low load, as configured or learnt.',
    value: ({ learnt }) => learnt.decodeStepMs.value / 1000,
  })
  perBackend({
    name: 'sluiceway_routing_cache_tokens',
    help: 'Size of the prefix cache of a backend in tokens, as configured, reported by the engine, or learnt.',
    value: ({ learnt }) => learnt.cacheTokens.value,
  })
  perBackend({
    name: 'sluiceway_routing_index_bytes',
    help: 'Memory of the index of prefixes that a backend is believed to have cached.',
    value: ({ indexBytes }) => indexBytes,
  })
}

interface LearntGauge {
  readonly name: string
  readonly help: string
  value(of: ReturnType<ModelRouting['learnt']>[number]): number
}
