import type { RequestRecord } from './record.ts'

/** How a member is kept: decides its column and what a value is made to fit. */
export type Kind = 'uuid' | 'text' | 'message' | 'integer' | 'bigint' | 'real' | 'boolean' | 'tags'

/**
 * Every member of a record in the order in which journal and store hold them. A new member is added to RequestRecord,
 * here, and as a column in a migration.
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
} as const satisfies Record<keyof RequestRecord, Kind>

export type Member = keyof RequestRecord

export const MEMBER_NAMES = Object.keys(MEMBERS) as readonly Member[]
