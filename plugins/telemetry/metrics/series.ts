import { CLIENT_SURFACES, type FinishPhase, type Metrics } from '../../../lib/plugin.ts'
import type { ReplyUsage } from '../../slots.ts'
import { observePace } from '../token-pace.ts'

/** Buckets in seconds: whole requests, gaps between two tokens, first tokens, gateway overhead. */
export const LATENCY = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600]
export const PACE = [0.001, 0.0025, 0.005, 0.01, 0.02, 0.03, 0.05, 0.075, 0.1, 0.2, 0.5, 1, 2.5]
export const TTFT = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]
const OVERHEAD = [0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5]

const labelNames = ['route', 'model'] as const

/** Metrics of requests. Times are seconds, names follow the Prometheus conventions. */
export class RequestSeries {
  readonly inFlight: ReturnType<typeof create>['inFlight']
  readonly #metrics: ReturnType<typeof create>

  constructor(metrics: Metrics) {
    this.#metrics = create(metrics)
    this.inFlight = this.#metrics.inFlight
  }

  /** `model`: id of the model, or `other`. */
  countResponse({ route, status, error, surface }: FinishPhase, model: string): void {
    const labels = { route: route.name, model, status: String(status), code: error?.code ?? '', surface }
    this.#metrics.requests.inc(labels)
  }

  /** For routes whose replies are those of backends. Only requests of clients have times. */
  observeReply(exchange: FinishPhase, model: string, usage: ReplyUsage | undefined): void {
    const { duration, broken, overhead, ttft, pace, tokens, stalls, missingUsage, finish } = this.#metrics
    const { durationMs, upstreamMs, surface } = exchange
    const route = exchange.route.name
    const labels = { route, model }
    const isInteractive = CLIENT_SURFACES.some(one => one === surface)
    if (isInteractive) duration.observe(labels, durationMs / 1000)
    if (exchange.brokeMidStream) broken.inc(labels)
    if (usage?.pace) void observePace(pace.labels(labels), usage.pace)
    if (upstreamMs === null || usage === undefined) return
    if (isInteractive) overhead.observe(labels, Math.max(0, durationMs - upstreamMs) / 1000)
    const { firstTokenMs, inputTokens, outputTokens, cacheReadTokens } = usage
    if (isInteractive && exchange.streaming && firstTokenMs !== null) ttft.observe(labels, firstTokenMs / 1000)
    const counted = { ...labels, surface }
    if (inputTokens !== null) tokens.inc({ ...counted, kind: 'input' }, inputTokens)
    if (outputTokens !== null) tokens.inc({ ...counted, kind: 'output' }, outputTokens)
    if (cacheReadTokens !== null) tokens.inc({ ...counted, kind: 'cache_read' }, cacheReadTokens)
    if (usage.stalls > 0) stalls.inc(labels, usage.stalls)
    if (exchange.outcome !== 'done') return
    if (!usage.usagePresent) missingUsage.inc(counted)
    if (usage.finish !== null) finish.inc({ model, reason: usage.finish, surface })
  }
}

function create(metrics: Metrics) {
  return {
    requests: metrics.counter({
      name: 'sluiceway_requests_total',
      help: 'Requests by route, model, HTTP status, error code and kind of host.',
      labelNames: ['route', 'model', 'status', 'code', 'surface'],
    }),
    inFlight: metrics.gauge({
      name: 'sluiceway_requests_in_flight',
      help: 'Requests that have started and not ended, without lines of batches.',
    }),
    duration: metrics.histogram({
      name: 'sluiceway_request_duration_seconds',
      help: 'Time from the first header to the last byte.',
      labelNames,
      buckets: LATENCY,
    }),
    ttft: metrics.histogram({
      name: 'sluiceway_time_to_first_token_seconds',
      help: 'Time from the first header to the first token of a stream.',
      labelNames,
      buckets: TTFT,
    }),
    pace: metrics.histogram({
      name: 'sluiceway_inter_token_seconds',
      help: 'Time between two chunks with tokens of a stream.',
      labelNames,
      buckets: PACE,
    }),
    overhead: metrics.histogram({
      name: 'sluiceway_overhead_seconds',
      help: "Time that the gateway itself takes for a request: its duration minus the backend's.",
      labelNames,
      buckets: OVERHEAD,
    }),
    tokens: metrics.counter({
      name: 'sluiceway_tokens_total',
      help: 'Tokens by kind: input, output, cache_read.',
      labelNames: ['route', 'model', 'kind', 'surface'],
    }),
    stalls: metrics.counter({
      name: 'sluiceway_stream_stalls_total',
      help: 'Pauses of more than a second between two tokens.',
      labelNames,
    }),
    broken: metrics.counter({
      name: 'sluiceway_streams_broken_total',
      help: 'Streams that failed after they had started.',
      labelNames,
    }),
    finish: metrics.counter({
      name: 'sluiceway_finish_total',
      help: 'Complete replies by finish reason: stop, length, tool_calls, content_filter.',
      labelNames: ['model', 'reason', 'surface'],
    }),
    missingUsage: metrics.counter({
      name: 'sluiceway_usage_missing_total',
      help: 'Complete replies in which the backend reported no usage.',
      labelNames: ['route', 'model', 'surface'],
    }),
  }
}
