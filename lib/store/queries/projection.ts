/** Request records as the API shows them (docs/api/endpoint-requests.md#record, docs/api/endpoint-request.md#record) */
import type { Json, JsonObject } from '../../base/json.ts'
import { toIso } from '../../base/time.ts'
import type { RequestRow } from '../database.ts'

/** The columns of an API member, and the function that computes its value. */
interface Field {
  readonly columns: readonly (keyof RequestRow)[]
  read(row: Partial<RequestRow>): Json
}

/** A list row's members, in order. */
const LIST: Readonly<Record<string, Field>> = {
  request_id: field(['public_id'], row => (row.public_id ?? 0).toString(16).padStart(12, '0')),
  status_code: plain('status_code'),
  model_requested: plain('model_requested'),
  model_resolved: plain('model_resolved'),
  is_streaming: flag('is_streaming'),
  ttft_ms: plain('ttft_ms'),
  // Older rows may lack the total time. The upstream time replaces it.
  total_latency_ms: field(['total_latency_ms', 'duration_ms'], row => row.total_latency_ms ?? row.duration_ms ?? 0),
  input_tokens: count('input_tokens'),
  output_tokens: count('output_tokens'),
  cache_read_tokens: count('cache_read_tokens'),
  error_code: plain('error_code'),
  error_message: plain('error_message'),
  created_at: field(['created_at'], row => toIso(row.created_at ?? 0)),
  request_tag: field(['request_tags'], row => row.request_tags?.split(',')[0] ?? null),
  request_tags: field(['request_tags'], row => row.request_tags?.split(',') ?? null),
}

/** The members of the single lookup. */
const LOOKUP: Readonly<Record<string, Field>> = {
  ...LIST,
  output_tps: plain('output_tps'),
  duration_ms: plain('duration_ms'),
  finish_reason: plain('finish_reason'),
  matched_stop_token_id: plain('matched_stop_token_id'),
  stall_count: plain('stall_count'),
  path: plain('path'),
  method: plain('method'),
  temperature: plain('temperature'),
  top_p: plain('top_p'),
  tool_count: plain('tool_count'),
  transport_status_code: plain('transport_status_code'),
  stream_error_status_code: plain('stream_error_status_code'),
  stream_error_type: plain('stream_error_type'),
  usage_present: flag('usage_present'),
  usage_parse_error: plain('usage_parse_error'),
}

export interface Projection {
  readonly columns: readonly (keyof RequestRow)[]
  toJson(row: Partial<RequestRow>): JsonObject
}

export const LIST_PROJECTION = projection(LIST)
export const LOOKUP_PROJECTION = projection(LOOKUP)

function projection(fields: Readonly<Record<string, Field>>): Projection {
  const entries = Object.entries(fields)
  return {
    columns: [...new Set(entries.flatMap(([, { columns }]) => columns))],
    toJson: row => Object.fromEntries(entries.map(([name, { read }]) => [name, read(row)])),
  }
}

function field(columns: readonly (keyof RequestRow)[], read: Field['read']): Field {
  return { columns, read }
}

function plain(column: keyof RequestRow): Field {
  return field([column], row => row[column] ?? null)
}

function flag(column: keyof RequestRow): Field {
  return field([column], row => Boolean(row[column]))
}

/** An integer, 0 if it is not known. `usage_present` distinguishes 0 from an unknown count. */
function count(column: 'input_tokens' | 'output_tokens' | 'cache_read_tokens'): Field {
  return field([column], row => row[column] ?? 0)
}
