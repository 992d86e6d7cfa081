import type { Gauge } from 'prom-client'
import type { CounterSeries, FinishPhase, HotCounter, HotSeries, Metrics, Surface } from '../../../lib/plugin.ts'
import type { ReplyUsage } from '../../slots.ts'
import { LATENCY, TTFT } from './buckets.ts'

const OVERHEAD = [0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5]
const labelNames = ['route', 'model'] as const

/** The metrics of requests. Times are seconds, names follow the Prometheus conventions. */
export class RequestSeries {
  readonly inFlight: Gauge
  readonly #metrics: ReturnType<typeof create>
  /** By route, then by model. */
  readonly #bound = new Map<string, Map<string, BoundSeries>>()

  constructor(metrics: Metrics) {
    this.#metrics = create(metrics)
    this.inFlight = this.#metrics.inFlight
  }

  /**
   * The series of one route and model, with labels resolved once: looking labels up costs more than counting. A string made of both
   * would have to be hashed for each request, as those of the configuration have been.
   */
  of(route: string, model: string): BoundSeries {
    let ofRoute = this.#bound.get(route)
    if (ofRoute === undefined) {
      ofRoute = new Map()
      this.#bound.set(route, ofRoute)
    }
    let bound = ofRoute.get(model)
    if (bound === undefined) {
      bound = new BoundSeries(this.#metrics, route, model)
      ofRoute.set(model, bound)
    }
    return bound
  }
}

function create(metrics: Metrics) {
  return {
    requests: metrics.hotCounter({
      name: 'sluiceway_requests_total',
      help: 'Requests by route, model, HTTP status, error code and kind of host.',
      labelNames: ['route', 'model', 'status', 'code', 'surface'],
    }),
    inFlight: metrics.gauge({ name: 'sluiceway_requests_in_flight', help: 'Requests that have begun and not ended.' }),
    duration: metrics.hotHistogram({
      name: 'sluiceway_request_duration_seconds',
      help: 'From the first header to the last byte.',
      labelNames,
      buckets: LATENCY,
    }),
    ttft: metrics.hotHistogram({
      name: 'sluiceway_time_to_first_token_seconds',
      help: 'From the first header to the first token of a stream.',
      labelNames,
      buckets: TTFT,
    }),
    pace: metrics.hotHistogram({
      name: 'sluiceway_inter_token_seconds',
      help: 'Time between two chunks with tokens of a stream.',
      labelNames,
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.02, 0.03, 0.05, 0.075, 0.1, 0.2, 0.5, 1, 2.5],
    }),
    overhead: metrics.hotHistogram({
      name: 'sluiceway_overhead_seconds',
      help: "The gateway's own part of a request: its duration less the backend's.",
      labelNames,
      buckets: OVERHEAD,
    }),
    tokens: metrics.hotCounter({
      name: 'sluiceway_tokens_total',
      help: 'Tokens by kind: input, output, cache_read.',
      labelNames: ['route', 'model', 'kind'],
    }),
    stalls: metrics.hotCounter({
      name: 'sluiceway_stream_stalls_total',
      help: 'Pauses of more than a second between two tokens.',
      labelNames,
    }),
    broken: metrics.hotCounter({
      name: 'sluiceway_streams_broken_total',
      help: 'Streams that failed after they had begun.',
      labelNames,
    }),
    finish: metrics.hotCounter({
      name: 'sluiceway_finish_total',
      help: 'Complete replies by why the model ended: stop, length, tool_calls, content_filter.',
      labelNames: ['model', 'reason'],
    }),
    missingUsage: metrics.hotCounter({
      name: 'sluiceway_usage_missing_total',
      help: 'Complete replies in which the backend reported no usage.',
      labelNames,
    }),
  }
}

/** One route and model. */
class BoundSeries {
  /** Between two chunks with tokens. */
  readonly pace: HotSeries
  readonly #requests: HotCounter
  readonly #labels: { readonly route: string; readonly model: string }
  readonly #answered = new Map<string, CounterSeries>()
  readonly #finished = new Map<string, CounterSeries>()
  readonly #duration: HotSeries
  readonly #ttft: HotSeries
  readonly #overhead: HotSeries
  readonly #input: CounterSeries
  readonly #output: CounterSeries
  readonly #cached: CounterSeries
  readonly #stalls: CounterSeries
  readonly #broken: CounterSeries
  readonly #missingUsage: CounterSeries
  readonly #finish: HotCounter

  constructor(metrics: ReturnType<typeof create>, route: string, model: string) {
    this.#requests = metrics.requests
    this.#finish = metrics.finish
    this.#labels = { route, model }
    this.#duration = metrics.duration.labels(route, model)
    this.#ttft = metrics.ttft.labels(route, model)
    this.pace = metrics.pace.labels(route, model)
    this.#overhead = metrics.overhead.labels(route, model)
    this.#input = metrics.tokens.labels(route, model, 'input')
    this.#output = metrics.tokens.labels(route, model, 'output')
    this.#cached = metrics.tokens.labels(route, model, 'cache_read')
    this.#stalls = metrics.stalls.labels(route, model)
    this.#broken = metrics.broken.labels(route, model)
    this.#missingUsage = metrics.missingUsage.labels(route, model)
  }

  countResponse(status: number, code: string, surface: Surface): void {
    const key = `${status} ${code} ${surface}`
    let counter = this.#answered.get(key)
    if (counter === undefined) {
      counter = this.#requests.labels(this.#labels.route, this.#labels.model, String(status), code, surface)
      this.#answered.set(key, counter)
    }
    counter.inc()
  }

  observeReply(exchange: FinishPhase, usage: ReplyUsage | undefined): void {
    const { durationMs, upstreamMs } = exchange
    this.#duration.observe(durationMs / 1000)
    if (exchange.brokeMidStream) this.#broken.inc()
    if (upstreamMs === null || usage === undefined) return
    this.#overhead.observe(Math.max(0, durationMs - upstreamMs) / 1000)
    const { firstTokenMs, inputTokens, outputTokens, cacheReadTokens } = usage
    if (exchange.streaming && firstTokenMs !== null) this.#ttft.observe(firstTokenMs / 1000)
    if (inputTokens !== null) this.#input.inc(inputTokens)
    if (outputTokens !== null) this.#output.inc(outputTokens)
    if (cacheReadTokens !== null) this.#cached.inc(cacheReadTokens)
    if (usage.stalls > 0) this.#stalls.inc(usage.stalls)
    if (exchange.outcome !== 'done') return
    if (!usage.usagePresent) this.#missingUsage.inc()
    if (usage.finish !== null) this.#finishedBy(usage.finish).inc()
  }
  #finishedBy(reason: string): CounterSeries {
    let counter = this.#finished.get(reason)
    if (counter === undefined) {
      counter = this.#finish.labels(this.#labels.model, reason)
      this.#finished.set(reason, counter)
    }
    return counter
  }
}
