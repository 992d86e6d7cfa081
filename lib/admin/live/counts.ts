/** Counts of recent requests by model and backend, made from their records, in bounded memory. */
import { countFirstToken } from '../../backends/recent.ts'
import type { Surface } from '../../config/surface.ts'
import type { RecordSink } from '../../records/journal.ts'
import type { RequestRecord } from '../../store/record.ts'
import { type QueueFacts, queueFacts, sumQueues } from './queues.ts'
import { type SpareFacts, spareFacts, sumSpare } from './spare.ts'

/** Sums over a period. */
export interface LiveCounts {
  requests: number
  /** Requests that were refused or failed, and broken streams. Requests whose client disconnected do not count. */
  errors: number
  /** Of requests whose cached tokens are known. */
  inputTokens: number
  cachedTokens: number
  outputTokens: number
  /** Requests that were sent to a backend, and how long they waited for it together. */
  sent: number
  waitMs: number
  /** Histogram of times to the first token (countFirstToken() of lease.ts). Empty slots are absent. */
  readonly firstTokens: number[]
}

export interface BackendCounts extends LiveCounts {
  /** null: the request was refused before its model was known. */
  readonly model: string | null
  /** null: the request was refused before a backend was chosen. */
  readonly backend: string | null
}

/** A request that failed in the gateway or at a backend. */
export interface Failure {
  /** The id that the client sees. */
  readonly id: string
  /** Microseconds since the epoch. */
  readonly at: number
  readonly model: string | null
  readonly backend: string | null
  readonly status: number
  readonly code: string | null
  /** The backend's message, without content; null: there was none. */
  readonly reason: string | null
}

/** The counts of one process since the last call. */
export interface LivePeriod {
  readonly backends: readonly BackendCounts[]
  readonly failures: readonly Failure[]
  /** What batches may use, now. undefined: none are configured. */
  readonly spare?: readonly SpareFacts[]
  /** The queues, now. undefined: no model has one. */
  readonly queues?: readonly QueueFacts[]
}

export const MAX_FAILURES = 20

/** Further backends count as no model and no backend, so that reloads with new backends cannot exhaust memory. */
const MAX_BACKENDS = 10_000

export class LiveCounter {
  #backends = new Map<string, BackendCounts>()
  #failures: Failure[] = []

  /** A sink that counts records, apart from those of lines of batches, and passes them on. */
  tap(sink: RecordSink): RecordSink {
    return {
      get healthy() {
        return sink.healthy
      },
      append: record => {
        sink.append(record)
        // The page is about requests that somebody waits for.
        if (record.surface !== 'batch') this.#count(record)
      },
    }
  }

  take(): LivePeriod {
    const period = { backends: [...this.#backends.values()], failures: this.#failures }
    this.#backends = new Map()
    this.#failures = []
    return period
  }

  #count(record: RequestRecord): void {
    const counts = this.#of(record.model_resolved, record.backend)
    counts.requests++
    if (isError(record)) counts.errors++
    if (record.cache_read_tokens !== null) {
      counts.inputTokens += record.input_tokens ?? 0
      counts.cachedTokens += record.cache_read_tokens
    }
    counts.outputTokens += record.output_tokens ?? 0
    if (record.queue_ms !== null) {
      counts.sent++
      counts.waitMs += record.queue_ms
    }
    if (record.ttft_ms !== null) countFirstToken(counts.firstTokens, record.ttft_ms)
    if (!isFailure(record)) return
    this.#failures.push(failureOf(record))
    if (this.#failures.length > MAX_FAILURES) this.#failures.shift()
  }

  #of(model: string | null, backend: string | null): BackendCounts {
    const key = `${model} ${backend}`
    const known = this.#backends.get(key)
    if (known !== undefined) return known
    const fits = this.#backends.size < MAX_BACKENDS
    const counts: BackendCounts = { model: fits ? model : null, backend: fits ? backend : null, ...noCounts() }
    this.#backends.set(fits ? key : 'null null', counts)
    return counts
  }
}

type Backends = Parameters<typeof queueFacts>[0] & {
  readonly lines: { readonly gate: Parameters<typeof spareFacts>[0] }
}

/** What this process has counted since the last call, and its spare capacity and queues. */
export function takePeriod(counter: LiveCounter | undefined, backends: Backends): LivePeriod {
  const period = counter?.take() ?? { backends: [], failures: [] }
  return { ...period, ...nowOf(spareFacts(backends.lines.gate), queueFacts(backends)) }
}

function nowOf(spare: readonly SpareFacts[], queues: readonly QueueFacts[]): Pick<LivePeriod, 'spare' | 'queues'> {
  return { ...(spare.length > 0 && { spare }), ...(queues.length > 0 && { queues }) }
}

export function noCounts(): LiveCounts {
  const tokens = { inputTokens: 0, cachedTokens: 0, outputTokens: 0 }
  return { requests: 0, errors: 0, ...tokens, sent: 0, waitMs: 0, firstTokens: [] }
}

export function addLive(sum: LiveCounts, more: LiveCounts): void {
  sum.requests += more.requests
  sum.errors += more.errors
  sum.inputTokens += more.inputTokens
  sum.cachedTokens += more.cachedTokens
  sum.outputTokens += more.outputTokens
  // A gateway of an earlier version does not count them.
  sum.sent += more.sent ?? 0
  sum.waitMs += more.waitMs ?? 0
  // JSON between processes turns absent slots into null.
  for (const [at, count] of more.firstTokens.entries())
    if (count > 0) sum.firstTokens[at] = (sum.firstTokens[at] ?? 0) + count
}

/** The counts of several processes as those of one. */
export function sumPeriods(periods: readonly LivePeriod[]): LivePeriod {
  const backends = new Map<string, BackendCounts>()
  for (const counts of periods.flatMap(period => period.backends)) {
    const { model, backend } = counts
    const key = `${model} ${backend}`
    const sum = backends.get(key) ?? { model, backend, ...noCounts() }
    addLive(sum, counts)
    backends.set(key, sum)
  }
  const failures = periods.flatMap(period => period.failures).toSorted((a, b) => a.at - b.at)
  const spare = sumSpare(periods.flatMap(period => period.spare ?? []))
  const queues = sumQueues(periods.flatMap(period => period.queues ?? []))
  const sum = { backends: [...backends.values()], failures: failures.slice(-MAX_FAILURES) }
  return { ...sum, ...nowOf(spare, queues) }
}

/** nginx's status for a client that disconnected. It does not count as an error. */
const CLIENT_CLOSED_REQUEST = 499

function isError({ status_code: status, stream_error_type: broken }: RequestRecord): boolean {
  return (status >= 400 && status !== CLIENT_CLOSED_REQUEST) || broken !== null
}

function isFailure(record: RequestRecord): boolean {
  return isError(record) && (record.status_code >= 500 || record.stream_error_type !== null)
}

function failureOf(record: RequestRecord): Failure {
  return {
    id: shownId(record),
    at: record.created_at,
    model: record.model_resolved,
    backend: record.backend,
    status: record.stream_error_status_code ?? record.status_code,
    code: record.error_code ?? record.stream_error_type,
    reason: record.upstream_error,
  }
}

function shownId({
  id,
  client_request_id: own,
  surface,
}: {
  id: string
  client_request_id: string | null
  surface: Surface
}): string {
  const digits = id.slice(-12)
  return own ?? (surface === 'dedicated' ? digits : `req_${digits}`)
}
