import type { Surface } from '../config/surface.ts'

/** Families of clients, by their header `User-Agent`. A closed set. */
export const CLIENTS = [
  'claude-code',
  'codex',
  'cline',
  'continue',
  'qwen-code',
  'opencode',
  'openai-sdk',
  'anthropic-sdk',
  'vercel-ai',
  'langchain',
  'curl',
  'other',
] as const

/**
 * The record of one exchange. It contains no content (docs/DESIGN.md#privacy, docs/api/endpoint-request.md#record).
 * Member names are the columns of the store. null: not known or not applicable.
 */
export interface RequestRecord {
  /** UUIDv7. Its last 12 hex digits are the public request id. A record is stored only once by its id. */
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
  /** Reached a backend, or was refused after its model was known. The exchange belongs to the request table. */
  readonly dispatched: boolean
  /** Charge in micro-cents (millionths of a cent). null: nothing is charged. */
  readonly cost_microcents: number | null
  /** URL of the backend of the last attempt, without credentials. Only operators see this member and those below. */
  readonly backend: string | null
  /** Number of requests to backends. */
  readonly attempts: number
  /** Milliseconds that the request waited for a backend with capacity. null: no backend was chosen. */
  readonly queue_ms: number | null
  /** Milliseconds from the first attempt to the response head of the last. null: no backend has answered. */
  readonly first_byte_ms: number | null
  /** Milliseconds that the request waited in the engine, if it reports them (vLLM's `--enable-per-request-metrics`). */
  readonly engine_queue_ms: number | null
  /** HTTP status of the last response of a backend. */
  readonly upstream_status: number | null
  /** Why the last attempt failed, without content (lib/engines/failure/failure-reason.ts). null: it did not fail. */
  readonly upstream_error: string | null
  /** The id in the response if it is derived from the client's x-request-id: `client_…`. */
  readonly client_request_id: string | null
  /** Family of the client. null: a record of an older version. */
  readonly client: (typeof CLIENTS)[number] | null
  /** Keyed hash of the session that the client names. null: none, or zero data retention is required. */
  readonly session: string | null
  /** Keyed hash of the end user whom the request names, `none` or `other`. null: no limit asks for end users. */
  readonly end_user: string | null
  /** The end user as the client named it, if the configuration keeps names. */
  readonly end_user_label: string | null
  /** The requests to backends, oldest first. null: there was none. */
  readonly attempt_list: readonly AttemptRecord[] | null
  /** What was counted in place of tokens: `characters`, `images` or `seconds`. null: tokens, or nothing. */
  readonly unit: string | null
  readonly units: number | null
  /** Id of the batch whose line the request is. null: no line of a batch. */
  readonly batch_id: string | null
  /** Number of the line in the batch, from 1. */
  readonly batch_line: number | null
}

/** One request to a backend. null: the backend did not report it. Records of older versions lack the last members. */
interface AttemptRecord {
  /** URL of the backend, without credentials. */
  readonly backend: string
  /** Why it failed, as `upstream_error`, or its outcome. null: it did not fail. */
  readonly reason: string | null
  /** Generated tokens. */
  readonly tokens: number | null
  readonly prompt_tokens: number | null
  /** Milliseconds from its start to its end. */
  readonly ms: number
  /** Id of the model in this gateway: that of a fallback, if it was tried. */
  readonly model: string
  /** Milliseconds from the request's arrival to the start of the attempt. */
  readonly started_ms: number
  /** Milliseconds from the start of the attempt to its first token. null: it had none. */
  readonly first_token_ms: number | null
  /** HTTP status of the response. null: there was none. */
  readonly status: number | null
  /** Why this backend was chosen (RouteReason of lib/core/upstream.ts). null: not known. */
  readonly routed: string | null
  /** The first_token_ms that routing expected. null: not predicted. */
  readonly predicted_ms: number | null
  /** Tokens of the prompt that routing expected in the prefix cache. null: not predicted. */
  readonly predicted_cached_tokens: number | null
  /** Tokens of the prompt that came from the prefix cache. */
  readonly cached_tokens: number | null
}

/** The kind of a member. It determines the type of its column and the limits of its values. */
export type Kind = 'uuid' | 'text' | 'message' | 'integer' | 'bigint' | 'real' | 'boolean' | 'tags' | 'json'

/**
 * Every member of a record, in the order of the journal and of the store's columns. A new member needs an entry in
 * RequestRecord, an entry here, and a column in a migration.
 */
export const MEMBERS = {
  id: 'uuid',
  created_at: 'bigint',
  surface: 'text',
  endpoint: 'text',
  account_id: 'text',
  user_id: 'text',
  key_id: 'text',
  method: 'text',
  path: 'text',
  model_requested: 'text',
  model_resolved: 'text',
  status_code: 'integer',
  is_streaming: 'boolean',
  ttft_ms: 'integer',
  total_latency_ms: 'integer',
  duration_ms: 'integer',
  input_tokens: 'integer',
  output_tokens: 'integer',
  cache_read_tokens: 'integer',
  reasoning_tokens: 'integer',
  output_tps: 'real',
  finish_reason: 'text',
  matched_stop_token_id: 'integer',
  stall_count: 'integer',
  temperature: 'real',
  top_p: 'real',
  tool_count: 'integer',
  transport_status_code: 'integer',
  stream_error_status_code: 'integer',
  stream_error_type: 'text',
  usage_present: 'boolean',
  usage_parse_error: 'text',
  error_code: 'text',
  error_message: 'message',
  request_tags: 'tags',
  zdr: 'boolean',
  dispatched: 'boolean',
  cost_microcents: 'bigint',
  backend: 'text',
  attempts: 'integer',
  queue_ms: 'integer',
  first_byte_ms: 'integer',
  engine_queue_ms: 'integer',
  upstream_status: 'integer',
  upstream_error: 'text',
  client_request_id: 'text',
  client: 'text',
  session: 'text',
  end_user: 'text',
  end_user_label: 'text',
  attempt_list: 'json',
  unit: 'text',
  units: 'integer',
  batch_id: 'text',
  batch_line: 'integer',
} as const satisfies Record<keyof RequestRecord, Kind>

export type Member = keyof RequestRecord

/** Members that say who sent a request. Records of erased accounts do not have them (erasure.ts). */
export const PERSONAL_MEMBERS = [
  'user_id',
  'request_tags',
  'end_user',
  'end_user_label',
  'session',
] as const satisfies readonly Member[]

export type PersonalMember = (typeof PERSONAL_MEMBERS)[number]

export const MEMBER_NAMES = Object.keys(MEMBERS) as readonly Member[]
