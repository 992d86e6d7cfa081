import { expect } from 'chai'
import { LIST_PROJECTION, LOOKUP_PROJECTION } from '../../../../lib/store/queries/projection.ts'

const LIST = [
  'request_id',
  'status_code',
  'model_requested',
  'model_resolved',
  'is_streaming',
  'ttft_ms',
  'total_latency_ms',
  'input_tokens',
  'output_tokens',
  'cache_read_tokens',
  'error_code',
  'error_message',
  'created_at',
  'request_tag',
  'request_tags',
]
const LOOKUP_ONLY = [
  'output_tps',
  'duration_ms',
  'finish_reason',
  'matched_stop_token_id',
  'stall_count',
  'path',
  'method',
  'temperature',
  'top_p',
  'tool_count',
  'transport_status_code',
  'stream_error_status_code',
  'stream_error_type',
  'usage_present',
  'usage_parse_error',
]

describe('projections of a request record (docs/api/endpoint-requests.md#record)', () => {
  it('have exactly their documented members', () => {
    expect(Object.keys(LIST_PROJECTION.toJson({}))).deep.equal(LIST)
    expect(Object.keys(LOOKUP_PROJECTION.toJson({}))).deep.equal([...LIST, ...LOOKUP_ONLY])
  })

  it('select the columns of their members', () => {
    expect(LIST_PROJECTION.columns).include.members(['public_id', 'created_at', 'request_tags', 'duration_ms'])
    expect(LIST_PROJECTION.columns).not.include.members(['account_id', 'user_id', 'key_id'])
  })

  it('show the public id as 12 hex digits', () => {
    expect(LIST_PROJECTION.toJson({ public_id: 0xab }).request_id).equal('0000000000ab')
  })

  it('show the upstream time if an older row lacks the total time', () => {
    expect(LOOKUP_PROJECTION.toJson({ total_latency_ms: null, duration_ms: 70 }).total_latency_ms).equal(70)
    expect(LOOKUP_PROJECTION.toJson({ total_latency_ms: 0, duration_ms: 70 }).total_latency_ms).equal(0)
  })

  it('show the list of tags and the first tag, or null', () => {
    const { request_tag, request_tags } = LIST_PROJECTION.toJson({ request_tags: 'a,b' })
    expect([request_tag, request_tags]).deep.equal(['a', ['a', 'b']])
    const one = LIST_PROJECTION.toJson({ request_tags: 'a' })
    expect([one.request_tag, one.request_tags]).deep.equal(['a', ['a']])
    const none = LIST_PROJECTION.toJson({ request_tags: null })
    expect([none.request_tag, none.request_tags]).deep.equal([null, null])
  })

  it('show counts as integers and flags as booleans', () => {
    const shown = LOOKUP_PROJECTION.toJson({ input_tokens: null, is_streaming: 1, usage_present: 0 })
    expect([shown.input_tokens, shown.is_streaming, shown.usage_present]).deep.equal([0, true, false])
  })
})
