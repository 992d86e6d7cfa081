/** Columns and types of the history of backends, which several modules of the store share. */

/** Buckets of a histogram. */
const BUCKETS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19] as const
const bucketsOf = <N extends string>(name: N) => BUCKETS.map(at => `${name}_${at}` as const)

export const TTFT_COLUMNS = bucketsOf('ttft')
export const PACE_COLUMNS = bucketsOf('pace')

/** Columns whose values add up, over processes and over time. */
export const SUM_COLUMNS = [
  // Milliseconds in each state, of all processes together.
  ...(['up_ms', 'unhealthy_ms', 'ejected_ms', 'probing_ms', 'draining_ms', 'drained_ms'] as const),
  // Requests in flight, requests in the queue, and the used share of the cache, each times milliseconds.
  ...(['in_flight_ms', 'queue_ms', 'fill_ms'] as const),
  // Milliseconds in which the used share was known.
  'fill_known_ms',
  // Requests that were sent, and those of them that failed, by outcome.
  ...(['requests', 'refused', 'failed', 'timeout', 'unreachable', 'cancelled'] as const),
  // Requests that no backend could take.
  'turned_away',
  ...(['input_tokens', 'output_tokens'] as const),
  // Requests whose first token was predicted and measured, and the sums of both times.
  ...(['predictions', 'predicted_ms', 'measured_ms'] as const),
  // Requests of clients that were sent to the backend, and how long they had waited for it.
  ...(['waits', 'wait_ms'] as const),
  ...TTFT_COLUMNS,
  ...PACE_COLUMNS,
] as const

/** Largest numbers: those of several processes add up, and the largest minute counts over time. */
export const PEAK_COLUMNS = ['in_flight_max', 'queue_max'] as const

export type HistoryNumbers = Record<(typeof SUM_COLUMNS)[number] | (typeof PEAK_COLUMNS)[number], number> & {
  /** Limit on requests in flight; null: none. */
  capacity: number | null
  /** null: the engine does not report them. */
  cached_tokens: number | null
}

/** A row of the table of minutes. */
export interface BackendMinute extends HistoryNumbers {
  readonly model: string
  /** URL without credentials. '': the model itself, with its queue and the requests that no backend could take. */
  readonly backend: string
  /** Minutes since the epoch. */
  readonly minute: number
}

export const VALUE_COLUMNS = [...SUM_COLUMNS, ...PEAK_COLUMNS, 'capacity', 'cached_tokens'] as const

/** What one process has seen of a backend in a minute. */
export interface MinutePart extends Pick<BackendMinute, 'model' | 'backend' | 'minute'> {
  /** In the order of VALUE_COLUMNS; NaN: not known. An array, because a process may have thousands of backends. */
  readonly values: Float64Array
}

/**
 * - `reload`: a configuration was applied.
 * - `ejected`: the backend is sent no requests, because it fails.
 * - `readmitted`: it serves requests again.
 * - `drain`, `undrain`: it is cordoned, or no longer. The audit log has the cordons of operators.
 */
export type BackendEventKind = 'reload' | 'ejected' | 'readmitted' | 'drain' | 'undrain'

export interface BackendEvent {
  readonly kind: BackendEventKind
  /** '': a reload. */
  readonly model: string
  /** '': a reload. */
  readonly backend: string
  /** '': none. */
  readonly reason: string
  /** Microseconds since the epoch. */
  readonly at: number
}

export interface HistoryTables {
  /** What each minute of a backend was like, for two days. */
  backend_minutes: BackendMinute & { minutes: number }
  /** The sums of the minutes of an hour, in hours since the epoch. */
  backend_hours: HistoryNumbers & { model: string; backend: string; hour: number; minutes: number }
  /** What has happened to backends. `reports`: number of processes that have seen it. */
  backend_events: BackendEvent & { minute: number; reports: number }
}
