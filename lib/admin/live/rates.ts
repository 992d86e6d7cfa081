/** How the counts of a period become the numbers of the page Overview. */
import type { ListedBackend } from '../../backends/backend-list.ts'
import { firstTokenQuantile } from '../../backends/recent.ts'
import { addLive, type LiveCounts, noCounts } from './counts.ts'
import type { QueueFacts } from './queues.ts'

/** Five seconds of all backends, or of the backends of one model. */
export interface LivePoint {
  /** End of the period, in seconds since the epoch. */
  readonly at: number
  readonly requests_per_second: number
  readonly errors_per_second: number
  readonly tokens_per_second: number
  readonly in_flight: number
  /** Requests in the queue; null: there is no queue. */
  readonly queued: number | null
  /** null: no stream had a first token. */
  readonly ttft_p50_ms: number | null
  readonly ttft_p95_ms: number | null
}

/** What was measured in the last minute. */
export interface LiveRates {
  readonly requests_per_second: number
  readonly ttft_p50_ms: number | null
  readonly ttft_p95_ms: number | null
  readonly tokens_per_second: number
  readonly errors: number
  /** Percentage of input tokens that were cached; null: there were no input tokens. */
  readonly cache_hit_pct: number | null
  /** Mean wait of requests for a backend; null: no request was sent. */
  readonly wait_ms: number | null
}

/** A model, over its backends. */
export interface LiveModel extends LiveRates {
  readonly model: string
  readonly backends: number
  /** Backends whose state is `up`. */
  readonly up: number
  readonly in_flight: number
  /** That of the model, or the sum of those of its backends; null: one of these has none. */
  readonly limit: number | null
  /** Requests that wait now; null: the model has no queue. */
  readonly queued: number | null
}

function sumOf(all: readonly LiveCounts[]): LiveCounts {
  const sum = noCounts()
  for (const counts of all) addLive(sum, counts)
  return sum
}

/** null: there is no queue. */
function waitingIn(queues: readonly QueueFacts[]): number | null {
  return queues.length === 0 ? null : queues.reduce((sum, { waiting }) => sum + waiting, 0)
}

/** `seconds`: length of the period. */
export function pointOf(
  at: number,
  all: readonly LiveCounts[],
  listed: readonly ListedBackend[],
  queues: readonly QueueFacts[],
  seconds: number,
): LivePoint {
  const sum = sumOf(all)
  return {
    at: Math.round(at),
    requests_per_second: sum.requests / seconds,
    errors_per_second: sum.errors / seconds,
    tokens_per_second: sum.outputTokens / seconds,
    in_flight: listed.reduce((total, { in_flight }) => total + in_flight, 0),
    queued: waitingIn(queues),
    ttft_p50_ms: firstTokenQuantile(sum, 0.5),
    ttft_p95_ms: firstTokenQuantile(sum, 0.95),
  }
}

/** `limit`: the `max_concurrency` of the model. */
export function modelOf(
  model: string,
  limit: number | undefined,
  backends: readonly ListedBackend[],
  queues: readonly QueueFacts[],
): Omit<LiveModel, keyof LiveRates> {
  const limits = backends.map(({ limit }) => limit)
  return {
    model,
    backends: backends.length,
    up: backends.filter(({ state }) => state === 'up').length,
    in_flight: backends.reduce((sum, { in_flight }) => sum + in_flight, 0),
    limit: limit ?? (limits.includes(null) ? null : limits.reduce<number>((sum, one) => sum + (one ?? 0), 0)),
    queued: waitingIn(queues),
  }
}

export function ratesOf(all: readonly LiveCounts[] = [], seconds: number): LiveRates {
  const sum = sumOf(all)
  return {
    requests_per_second: sum.requests / seconds,
    ttft_p50_ms: firstTokenQuantile(sum, 0.5),
    ttft_p95_ms: firstTokenQuantile(sum, 0.95),
    tokens_per_second: sum.outputTokens / seconds,
    errors: sum.errors,
    cache_hit_pct: sum.inputTokens === 0 ? null : (sum.cachedTokens / sum.inputTokens) * 100,
    wait_ms: sum.sent === 0 ? null : sum.waitMs / sum.sent,
  }
}
