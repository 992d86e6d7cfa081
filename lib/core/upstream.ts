import type { TraceContext } from '../base/trace-context.ts'
import type { GatewayError } from '../errors/errors.ts'

/**
 * How an attempt ended.
 * - `ok`: the reply was complete.
 * - `refused`: the backend refused the request, which was at fault.
 * - `failed`: an error response that was not, a reply that broke or could not be used.
 * - `timeout`: nothing came for too long.
 * - `unreachable`: no connection could be opened.
 * - `cancelled`: it proves nothing: the client disconnected, or the gateway ended the reply.
 */
export type AttemptOutcome = 'ok' | 'refused' | 'failed' | 'timeout' | 'unreachable' | 'cancelled'

/** One request to one backend. Times are milliseconds from the arrival of the exchange's request. */
export interface AttemptFacts {
  /** Id of the model in this gateway. */
  readonly model: string
  /** Base URL of the backend without credentials. */
  readonly backend: string
  readonly startedMs: number
  /** null: no token has come. That of a JSON reply comes with the others. */
  readonly firstTokenMs: number | null
  readonly endedMs: number
  /** HTTP status of the response; 0: there was none. */
  readonly status: number
  readonly outcome: AttemptOutcome
}

/** The request to a backend, or the place in a queue, that an exchange waits for. */
export interface UpstreamWork {
  /** The client has disconnected. */
  cancel(): void
  /** Ends the reply with this error. */
  fail(error: GatewayError): void
}

/** The backends' part of one exchange. Times in `Mono` are milliseconds on the monotonic clock; 0: not yet. */
export class Upstream {
  /** null: the exchange waits for no backend. */
  work: UpstreamWork | null = null
  /** The lease on the model's max_concurrency; released when the exchange finishes. */
  modelLease: { release(): void } | null = null
  /** Milliseconds from the dispatch to the choice of the first backend; null: none was chosen. */
  queueMs: number | null = null
  /** Base URL of the backend that was tried last. */
  backend: string | null = null
  /** The request, or a part of it, was sent to that backend. */
  isSent = false
  /** HTTP status of the last response; 0: there was none. */
  status = 0
  /** Why the last attempt failed, without content; undefined where it did not. */
  error: string | undefined = undefined
  /** In order of their start. */
  readonly attempts: AttemptFacts[] = []
  /** The trace that the last attempt passes on: the client's, unless a plugin has set another; null: none. */
  trace: TraceContext | null
  startedMono = 0
  /** The response head of the last attempt. */
  headMono = 0
  endedMono = 0

  /** `trace`: the client's. */
  constructor(trace: TraceContext | null) {
    this.trace = trace
  }

  /** An attempt begins, with the client's trace. */
  begin(work: UpstreamWork, facts: AttemptFacts, trace: TraceContext | null, now: number): void {
    this.work = work
    this.attempts.push(facts)
    this.trace = trace
    this.error = undefined
    this.headMono = 0
    this.startedMono ||= now
  }

  /** The response head of the attempt has come. */
  head(status: number, now: number): void {
    this.status = status
    this.headMono = now
  }

  /** The attempt is over. */
  end(isSent: boolean, now: number): void {
    this.work = null
    this.isSent = isSent
    this.endedMono = now
  }

  /** Milliseconds from the first attempt to the end of the last one, or to now; null: there was none. */
  durationMs(now: number): number | null {
    return this.startedMono === 0 ? null : (this.endedMono || now) - this.startedMono
  }

  /** Milliseconds from the first attempt to the response head of the last one; null: it had none. */
  get firstByteMs(): number | null {
    return this.headMono === 0 ? null : this.headMono - this.startedMono
  }
}
