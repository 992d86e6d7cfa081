import { uuidv7 } from '../../lib/base/ids.ts'
import { insertLines } from '../../lib/store/insertions.ts'
import { encode, toLines } from '../../lib/store/journal-lines.ts'
import type { RequestRecord } from '../../lib/store/record.ts'
import type { Store } from '../../lib/store/store.ts'

/** A streamed chat on the dedicated endpoint `acme.example.com`, with the given members changed. */
export function makeRecord(fields: Partial<RequestRecord> = {}): RequestRecord {
  const created_at = fields.created_at ?? Date.now() * 1000
  return {
    id: uuidv7(Math.floor(created_at / 1000)),
    created_at,
    surface: 'dedicated',
    endpoint: 'acme.example.com',
    account_id: '6f2c1e9a-8d1b-4c57-9a53-0d6b1c1f7e21',
    user_id: 'alice@acme.test',
    key_id: 'k1',
    method: 'POST',
    path: '/v1/chat/completions',
    model_requested: 'qwen3',
    model_resolved: 'qwen3-32b',
    status_code: 200,
    is_streaming: true,
    ttft_ms: 120,
    total_latency_ms: 2400,
    duration_ms: 2390,
    input_tokens: 1000,
    output_tokens: 200,
    cache_read_tokens: 400,
    reasoning_tokens: null,
    output_tps: 87.5,
    finish_reason: 'stop',
    matched_stop_token_id: null,
    stall_count: 0,
    temperature: 0.7,
    top_p: 0.95,
    tool_count: 2,
    transport_status_code: null,
    stream_error_status_code: null,
    stream_error_type: null,
    usage_present: true,
    usage_parse_error: null,
    error_code: null,
    error_message: null,
    request_tags: null,
    zdr: false,
    dispatched: true,
    cost_microcents: null,
    backend: 'http://10.0.0.1:8000/v1',
    attempts: 1,
    queue_ms: 0,
    first_byte_ms: 40,
    engine_queue_ms: 5,
    upstream_status: 200,
    upstream_error: null,
    client_request_id: null,
    client: 'other',
    session: null,
    end_user: null,
    end_user_label: null,
    attempt_list: null,
    unit: null,
    units: null,
    batch_id: null,
    batch_line: null,
    ...fields,
  }
}

/** Inserts records from journal lines, like the gateway. Returns the number of new records. */
export async function insertRecords(store: Store, records: readonly RequestRecord[]): Promise<number> {
  const { inserted } = await insertLines(store, toLines(records.map(encode)))
  return inserted
}
