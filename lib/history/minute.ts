/** What one process has seen of the backends of all models in a minute. */
import { BACKEND_STATES, type BackendState, type CordonReason } from '../backends/backend.ts'
import { type MinutePart, VALUE_COLUMNS } from '../store/history-columns.ts'
import type { RequestRecord } from '../store/record.ts'
import { bucketOf, PACE_BOUNDS, TTFT_BOUNDS } from './buckets.ts'

/** Further backends, and further models, count as one with this name, so that the store stays small. */
export const OTHER = 'other'
const MAX_BACKENDS = 5000

/** A backend, or with the backend '' a model, at one moment. */
export interface Sample {
  readonly model: string
  readonly backend: string
  /** null: a model. */
  readonly state: BackendState | null
  readonly cordon: CordonReason | null
  readonly inFlight: number
  readonly queued: number
  /** null: none. */
  readonly capacity: number | null
  /** Used share of the prefix cache; null: not known. */
  readonly fill: number | null
}

export type CountedColumn =
  | 'requests'
  | 'refused'
  | 'failed'
  | 'timeout'
  | 'unreachable'
  | 'cancelled'
  | 'input_tokens'
  | 'output_tokens'
  | 'cached_tokens'
  | 'predictions'
  | 'predicted_ms'
  | 'measured_ms'

/** Errors of requests for which no backend was chosen. */
const TURNED_AWAY = new Set(['backend_at_capacity', 'no_healthy_backends'])

type Column = (typeof VALUE_COLUMNS)[number]

const AT = Object.fromEntries(VALUE_COLUMNS.map((name, at) => [name, at])) as Readonly<Record<Column, number>>
const STATE_AT = Object.fromEntries(BACKEND_STATES.map(state => [state, AT[`${state}_ms`]])) as Readonly<
  Record<BackendState, number>
>
/** Values of a row in which nothing was measured. */
const NONE = Float64Array.from(VALUE_COLUMNS, name =>
  name === 'capacity' || name === 'cached_tokens' ? Number.NaN : 0,
)

/** A backend, or a model. */
interface Row {
  readonly model: string
  readonly backend: string
  readonly values: Float64Array
  /** Number of the last look, and the requests that it has found in flight and in the queue. */
  look: number
  inFlight: number
  queued: number
}

export class Minute {
  /** By model and backend. */
  #rows = new Map<string, Map<string, Row>>()
  #size = 0
  #looks = 0

  /** Adds what was seen during `ms` milliseconds. */
  sample(samples: Iterable<Sample>, ms: number): void {
    this.#looks++
    for (const { model, backend, state, inFlight, queued, capacity, fill } of samples) {
      const row = this.#of(model, backend)
      const { values } = row
      if (state !== null) values[STATE_AT[state]]! += ms
      values[AT.in_flight_ms]! += inFlight * ms
      values[AT.queue_ms]! += queued * ms
      if (capacity !== null) values[AT.capacity] = capacity
      if (fill !== null) {
        values[AT.fill_ms]! += fill * ms
        values[AT.fill_known_ms]! += ms
      }
      // A row has several backends if they differ only in their keys, and that of all others.
      const isFirst = row.look !== this.#looks
      row.look = this.#looks
      row.inFlight = isFirst ? inFlight : row.inFlight + inFlight
      row.queued = isFirst ? queued : row.queued + queued
      values[AT.in_flight_max] = Math.max(values[AT.in_flight_max]!, row.inFlight)
      values[AT.queue_max] = Math.max(values[AT.queue_max]!, row.queued)
    }
  }

  count(model: string, backend: string, column: CountedColumn, more: number): void {
    const { values } = this.#of(model, backend)
    const before = values[AT[column]]!
    values[AT[column]] = (Number.isNaN(before) ? 0 : before) + more
  }

  /** Adds the times of a request that a client has sent, or counts that no backend could take it. */
  request(record: RequestRecord): void {
    const { surface, model_resolved: model, backend, error_code, is_streaming, queue_ms, ttft_ms, output_tps } = record
    if (model === null || surface === 'batch' || surface === 'internal') return
    if (backend === null) {
      if (error_code !== null && TURNED_AWAY.has(error_code)) this.#of(model, '').values[AT.turned_away]!++
      return
    }
    const { values } = this.#of(model, backend)
    if (queue_ms !== null) {
      values[AT.waits]!++
      values[AT.wait_ms]! += queue_ms
    }
    if (!is_streaming) return
    if (ttft_ms !== null) values[AT.ttft_0 + bucketOf(TTFT_BOUNDS, ttft_ms)]!++
    if (output_tps !== null && output_tps > 0) values[AT.pace_0 + bucketOf(PACE_BOUNDS, 1000 / output_tps)]!++
  }

  /** The rows of a minute since the epoch. Counts begin again at zero. */
  take(minute: number): readonly MinutePart[] {
    const rows = [...this.#rows.values()].flatMap(backends => [...backends.values()])
    this.#rows = new Map()
    this.#size = 0
    return rows.map(({ model, backend, values }) => ({ model, backend, minute, values }))
  }

  #of(model: string, backend: string): Row {
    const known = this.#rows.get(model)?.get(backend)
    if (known !== undefined) return known
    const isOther = model === OTHER && backend === OTHER
    if (this.#size >= MAX_BACKENDS && !isOther) return this.#of(OTHER, OTHER)
    const row = { model, backend, values: NONE.slice(), look: 0, inFlight: 0, queued: 0 }
    const backends = this.#rows.get(model) ?? new Map<string, Row>()
    this.#rows.set(model, backends.set(backend, row))
    this.#size++
    return row
  }
}
