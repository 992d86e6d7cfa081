import { type TraceContext, traceContextOf } from '../base/trace-context.ts'
import type { Usage } from '../canonical/reply.ts'
import type { GatewayError } from '../errors/errors.ts'

/**
 * How an attempt ended.
 * - `ok`: the reply was complete.
 * - `refused`: the backend refused an invalid request.
 * - `failed`: any other error response, or a reply that broke or could not be used.
 * - `timeout`: the backend sent nothing in time.
 * - `unreachable`: no connection could be opened.
 * - `cancelled`: the client disconnected or the gateway ended the reply. It says nothing about the backend.
 */
export type AttemptOutcome = 'ok' | 'refused' | 'failed' | 'timeout' | 'unreachable' | 'cancelled'

/**
 * Why an attempt was sent to its backend. The first four are decisions of the policy `cost` (docs/ROUTING.md#metrics).
 * - `prefix`: the backend knows the longest part of the prompt.
 * - `load`: another backend knows more of the prompt, but would answer later.
 * - `new`: no backend knows any of it.
 * - `single`: there was no other candidate.
 * - `least_load`: the policy `least_load`.
 * - `spare`: a line of a batch, and the backend had capacity to spare.
 * - `reduced`: all backends were ejected, and this one was tried again.
 */
export type RouteReason = 'prefix' | 'load' | 'new' | 'single' | 'least_load' | 'spare' | 'reduced'

/** How the backend of an attempt was chosen. */
export interface RouteChoice {
  readonly reason: RouteReason
  /** Expected milliseconds from the start of the attempt to its first token; null: not predicted. */
  readonly predictedMs: number | null
  /** Tokens of the prompt that the backend was expected to have cached; null: not predicted. */
  readonly cachedTokens: number | null
}

/** One request to one backend. Times are milliseconds since the exchange's request arrived. */
export interface AttemptFacts {
  /** Id of the model in this gateway. */
  readonly model: string
  /** Base URL of the backend without credentials. */
  readonly backend: string
  /** Engine of the backend, as configured: `vllm`. */
  readonly engine: string
  readonly startedMs: number
  /** null: no token was received. A JSON reply contains its first token and all others. */
  readonly firstTokenMs: number | null
  readonly endedMs: number
  /** HTTP status of the response; 0: none. */
  readonly status: number
  readonly outcome: AttemptOutcome
  /** Why the attempt failed, without content; null: the backend was not the reason, or it has not ended. */
  readonly reason: string | null
  /** The tokens that the backend reported last; null: none. */
  readonly usage: Usage | null
  /** null: the backend is of no pool. */
  readonly choice: RouteChoice | null
}

/** What an exchange waits for: a request to a backend, or an entry in the queue of a model. */
export interface UpstreamWork {
  cancel(): void
  /** Ends the reply with this error. */
  fail(error: GatewayError): void
}

/** Facts about the backends of one exchange. `…Mono`: milliseconds on the monotonic clock; 0: unset. */
export class Upstream {
  /** null: the exchange waits for no backend. */
  work: UpstreamWork | null = null
  /** The lease on the model's max_concurrency; released when the exchange finishes. */
  modelLease: { release(): void } | null = null
  /** Milliseconds from the dispatch to the choice of the first backend; null: none was chosen. */
  queueMs: number | null = null
  backend: string | null = null
  /** How the backend of the next attempt was chosen. */
  choice: RouteChoice | null = null
  /** The request was sent to that backend, at least in part. */
  isSent = false
  /** HTTP status of the last response; 0: none. */
  status = 0
  /** Why the last attempt failed, without content; undefined: it did not fail. */
  error: string | undefined = undefined
  /** In the order in which they were started. */
  readonly attempts: AttemptFacts[] = []
  /** The trace that the last attempt propagates: the client's, unless a plugin has set another; null: none. */
  trace: TraceContext | null
  startedMono = 0
  /** When the response head of the last attempt was received. */
  headMono = 0
  endedMono = 0
  /** What transformers wait for before the reply goes on; null: nothing. */
  #hold: Promise<void> | null = null

  /** `trace`: the client's. */
  constructor(trace: TraceContext | null) {
    this.trace = trace
  }

  begin(work: UpstreamWork, facts: AttemptFacts, trace: TraceContext | null, now: number): void {
    this.work = work
    this.attempts.push(facts)
    this.trace = trace
    this.error = undefined
    this.headMono = 0
    this.startedMono ||= now
  }

  hold(decision: Promise<void>): void {
    const before = this.#hold
    this.#hold = before === null ? decision : Promise.all([before, decision]).then(() => {})
  }

  /** Takes the decision that the reply waits for; null: none. */
  takeHold(): Promise<void> | null {
    const hold = this.#hold
    this.#hold = null
    return hold
  }

  /** Replaces the trace of the attempt that has begun. Throws if `traceparent` is invalid. */
  setTrace(traceparent: string, tracestate: string | undefined): void {
    const context = traceContextOf({ traceparent, tracestate })
    if (context === null) throw new TypeError('not a valid traceparent')
    this.trace = context
  }

  /** The response head of the attempt was received. */
  head(status: number, now: number): void {
    this.status = status
    this.headMono = now
  }

  end(isSent: boolean, now: number): void {
    this.work = null
    this.isSent = isSent
    this.endedMono = now
  }

  /** Milliseconds from the first attempt to the end of the last one, or to now; null: no attempt. */
  durationMs(now: number): number | null {
    return this.startedMono === 0 ? null : (this.endedMono || now) - this.startedMono
  }

  /** Milliseconds from the first attempt to the response head of the last one; null: it had none. */
  get firstByteMs(): number | null {
    return this.headMono === 0 ? null : this.headMono - this.startedMono
  }
}
