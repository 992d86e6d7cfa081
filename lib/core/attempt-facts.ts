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
