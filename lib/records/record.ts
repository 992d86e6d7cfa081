import type { Surface } from '../routes/routes.ts'

/**
 * What is kept of one exchange: facts, never content (api.md "Request record"; design.md rules 7 and 9).
 * Member names are the columns of the store. null: not known or not applicable.
 */
export interface RequestRecord {
  /** UUIDv7; its last 12 hex digits are the public request id. Records are idempotent by it. */
  readonly id: string
  /** Microseconds since the epoch, UTC. */
  readonly created_at: number
  readonly surface: Surface
  /** Host of the dedicated endpoint. */
  readonly endpoint: string | null
  readonly account_id: string | null
  readonly user_id: string | null
  readonly key_id: string | null
  readonly method: string
  /** The route's path as invoked, without query. */
  readonly path: string
  readonly model_requested: string | null
  readonly model_resolved: string | null
  readonly status_code: number
  readonly is_streaming: boolean
  readonly ttft_ms: number | null
  readonly total_latency_ms: number
  readonly duration_ms: number | null
  readonly input_tokens: number | null
  readonly output_tokens: number | null
  readonly cache_read_tokens: number | null
  readonly reasoning_tokens: number | null
  readonly output_tps: number | null
  readonly finish_reason: string | null
  readonly matched_stop_token_id: number | null
  readonly stall_count: number
  readonly temperature: number | null
  readonly top_p: number | null
  readonly tool_count: number
  readonly transport_status_code: number | null
  readonly stream_error_status_code: number | null
  readonly stream_error_type: string | null
  readonly usage_present: boolean
  readonly usage_parse_error: string | null
  readonly error_code: string | null
  readonly error_message: string | null
  readonly request_tags: readonly string[] | null
  readonly zdr: boolean
  /** The exchange reached a backend or was refused after its model was known: it belongs in the request table. */
  readonly dispatched: boolean
  /** Micro-cents charged (a millionth of a cent); null when nothing is charged. */
  readonly cost_microcents: number | null
}

/** Where finished exchanges leave their record. Returns once the record survives the death of this process. */
export interface RecordSink {
  /** False while records cannot be made durable: new requests are refused then. */
  readonly healthy: boolean
  append(record: RequestRecord): void
}
