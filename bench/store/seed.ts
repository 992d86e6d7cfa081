/** Inserts a month of requests of one busy dedicated endpoint in the same way as the gateway. */
import { uuidv7 } from '../../lib/base/ids.ts'
import type { RequestRecord } from '../../lib/store/record.ts'
import type { Store } from '../../lib/store/store.ts'
import { pick, type Random } from '../../simulator/random.ts'
import { insertRecords } from '../../test/support/record.ts'

export const ENDPOINT = 'acme.example.com'
export const ACCOUNT = '6f2c1e9a-8d1b-4c57-9a53-0d6b1c1f7e21'
export const USERS = Array.from({ length: 20 }, (_, i) => `user-${i}@acme.test`)
export const DAY = 86_400_000_000
export const DAYS = 30
/** Tags of one request in four, and of one in a hundred thousand. */
export const COMMON_TAG = 'batch'
export const RARE_TAG = 'canary'

const TAGS = ['nightly', 'agents', 'chat', 'eval-a', 'eval-b', 'search'] as const
const MODELS = ['qwen3-32b', 'qwen3-235b'] as const
/** Records per transaction, more than the writer uses, to save time. */
const BATCH = 5000

const FAILURES = [
  { status_code: 429, error_code: 'concurrency_limit_exceeded', dispatched: true },
  { status_code: 400, error_code: 'invalid_json_request', dispatched: false },
  { status_code: 400, error_code: 'context_length_exceeded', dispatched: true },
  { status_code: 502, error_code: 'backend_connect_error', dispatched: true },
] as const

/** Inserts `count` records in order of time, spread over the month before `end` (microseconds since the epoch). */
export async function seed(
  store: Store,
  count: number,
  end: number,
  random: Random,
  make: typeof makeRequest = makeRequest,
): Promise<void> {
  let inserting: Promise<unknown> = Promise.resolve()
  for (let done = 0; done < count; done += BATCH) {
    const records = Array.from({ length: Math.min(BATCH, count - done) }, (_, i) =>
      make(end - DAYS * DAY + timeOf((done + i + random()) / count), random),
    )
    // The next batch is created while this one is inserted.
    await inserting
    inserting = insertRecords(store, records)
  }
  await inserting
}

/** Days have a busy and a quiet half; the peak has nine times the rate of the low. */
function timeOf(share: number): number {
  const swing = (0.8 / (2 * Math.PI * DAYS)) * Math.sin(2 * Math.PI * DAYS * share)
  return Math.floor(Math.max(0, share - swing) * DAYS * DAY)
}

/** A request of the endpoint at this time, in microseconds since the epoch. */
export function makeRequest(created_at: number, random: Random): RequestRecord {
  const failure = random() < 0.02 ? pick(random, FAILURES) : null
  const broke = failure === null && random() < 0.002
  const streaming = random() < 0.8
  const input = 40 + Math.floor(8000 * random() ** 3)
  const output = 1 + Math.floor(1500 * random() ** 2)
  const ttft = 30 + Math.floor(1500 * random() ** 4)
  const duration = ttft + output * 12
  const model = pick(random, MODELS)
  const user = pick(random, USERS)
  return {
    id: uuidv7(Math.floor(created_at / 1000)),
    created_at,
    surface: 'dedicated',
    endpoint: ENDPOINT,
    account_id: ACCOUNT,
    user_id: user,
    key_id: `${user}-key-${Math.floor(random() * 6)}`,
    method: 'POST',
    path: '/v1/chat/completions',
    model_requested: model,
    model_resolved: model,
    status_code: failure?.status_code ?? 200,
    is_streaming: streaming,
    ttft_ms: streaming && failure === null ? ttft : null,
    total_latency_ms: failure === null ? duration + 3 : 4,
    duration_ms: failure === null ? duration : null,
    input_tokens: failure === null ? input : null,
    output_tokens: failure === null ? output : null,
    cache_read_tokens: failure === null ? Math.ceil(input * (0.02 + 0.98 * random())) : null,
    reasoning_tokens: null,
    output_tps: failure === null ? 83.3 : null,
    finish_reason: failure === null && !broke ? 'stop' : null,
    matched_stop_token_id: null,
    stall_count: random() < 0.01 ? 1 : 0,
    temperature: 0.7,
    top_p: 0.95,
    tool_count: Math.floor(random() * 4),
    transport_status_code: failure === null ? 200 : null,
    stream_error_status_code: broke ? 502 : null,
    stream_error_type: broke ? 'backend_error' : null,
    usage_present: failure === null,
    usage_parse_error: null,
    error_code: failure?.error_code ?? null,
    error_message: failure === null ? null : 'The request could not be answered.',
    request_tags: tagsOf(random),
    zdr: false,
    dispatched: failure?.dispatched ?? true,
    cost_microcents: null,
    backend: `http://10.0.0.${Math.floor(random() * 8)}:8000/v1`,
    attempts: failure === null ? 1 : 0,
    queue_ms: failure === null ? 0 : null,
    first_byte_ms: failure === null ? 40 : null,
    engine_queue_ms: null,
    upstream_status: failure === null ? 200 : null,
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
  }
}

function tagsOf(random: Random): readonly string[] | null {
  const tags: string[] = []
  if (random() < 0.25) tags.push(COMMON_TAG)
  if (random() < 0.00001) tags.push(RARE_TAG)
  if (random() < 0.4) tags.push(pick(random, TAGS))
  return tags.length === 0 ? null : tags
}
