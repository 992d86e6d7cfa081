import { expect } from 'chai'
import { JsonBody } from '../../../lib/body/index.ts'
import type { Exchange } from '../../../lib/core/exchange.ts'
import { finish, run } from '../../../lib/core/hooks.ts'
import type { Outcome } from '../../../lib/core/plugin.ts'
import { type AttemptFacts, failure, GatewayError, type JsonObject, type RequestRecord } from '../../../lib/plugin.ts'
import { MEMBER_NAMES } from '../../../lib/store/record.ts'
import { play, testServices } from '../../../lib/testing.ts'
import {
  batchLine,
  charge,
  chat,
  clientSampling,
  key,
  requestTags,
  target,
  usage,
  zdr,
} from '../../../plugins/slots.ts'
import records from '../../../plugins/telemetry/records/index.ts'
import { chatRequest, model, targetOf, textRequest, tool } from '../../support/canonical.ts'
import { ManualClock } from '../../support/clock.ts'
import { notedExchange, type Place } from '../../support/exchange.ts'
import { keyOf } from '../../support/key.ts'
import { usageOf } from '../../support/reply-usage.ts'

const ATTEMPT: AttemptFacts = {
  ...{ model: 'm', engine: 'vllm', backend: 'http://a/v1', startedMs: 1.2, firstTokenMs: null, endedMs: 5.4 },
  ...{ status: 500, outcome: 'failed', reason: 'status 500: Not Found', usage: null, choice: null },
}

const CANARY = 'the-prompt-says-this'

const KEY = keyOf({}, { id: 'k2', user: 'bob@acme.test', kind: 'dedicated', endpoints: ['acme-1.test'] })

/** The record of an exchange of 500 ms. If `before` sends it to a backend, that takes 400 ms. */
async function recorded(
  place: Place,
  before: (exchange: Exchange, askBackend: () => void) => void,
  outcome: Outcome = 'done',
  error?: GatewayError,
): Promise<{ readonly record: RequestRecord | undefined; readonly exchange: Exchange }> {
  const kept: RequestRecord[] = []
  const clock = new ManualClock()
  const hooks = await records.setup({}, testServices(kept))
  const { exchange } = notedExchange({ ...place, clock, hooks: [hooks] })
  void run(exchange.chain.headers, exchange)
  clock.advance(50)
  before(exchange, () => {
    exchange.upstream.startedMono = clock.monotonic()
    clock.advance(400)
    exchange.upstream.endedMono = clock.monotonic()
  })
  clock.advance(500 - (clock.monotonic() - exchange.startedMono))
  finish(exchange, outcome, error)
  expect(kept.length).below(2)
  return { record: kept[0], exchange }
}

/** Common members of the records in these tests: an exchange that was refused after authentication. */
const NOTHING = {
  created_at: 1_750_000_001_000_000,
  surface: 'dedicated',
  endpoint: 'acme-1.test',
  account_id: KEY.account.id,
  user_id: 'bob@acme.test',
  key_id: 'k2',
  method: 'POST',
  path: '/v1/chat/completions',
  model_requested: null,
  model_resolved: null,
  status_code: 200,
  is_streaming: false,
  ttft_ms: null,
  total_latency_ms: 500,
  duration_ms: null,
  input_tokens: null,
  output_tokens: null,
  cache_read_tokens: null,
  reasoning_tokens: null,
  output_tps: null,
  finish_reason: null,
  matched_stop_token_id: null,
  stall_count: 0,
  temperature: null,
  top_p: null,
  tool_count: 0,
  transport_status_code: null,
  stream_error_status_code: null,
  stream_error_type: null,
  usage_present: false,
  usage_parse_error: null,
  error_code: null,
  error_message: null,
  request_tags: null,
  zdr: false,
  dispatched: false,
  cost_microcents: null,
  backend: null,
  attempts: 0,
  queue_ms: null,
  first_byte_ms: null,
  engine_queue_ms: null,
  upstream_status: null,
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
} as const

const onEndpoint = { surface: 'dedicated' } as const

// Every member of docs/api/endpoint-requests.md#record and docs/api/endpoint-request.md#record
describe('records', () => {
  it('have every member, and no other', async () => {
    const { record } = await recorded(onEndpoint, exchange => exchange.set(key, KEY))
    expect(Object.keys(record!).sort()).deep.equal([...MEMBER_NAMES].sort())
  })

  it('have the id that the client chose, as the client was shown it', async () => {
    const { record } = await recorded({ headers: { 'x-request-id': 'abc-1' } }, exchange => exchange.set(key, keyOf()))
    expect(record?.client_request_id).equal('client_abc-1')
  })

  it('have a hash of the session, never its name, and none under zero data retention', async () => {
    const sessionFor = async (session: string | undefined, required: 'policy' | null = null) => {
      const { record } = await recorded(onEndpoint, exchange => {
        exchange.set(key, KEY)
        exchange.set(zdr, required)
        exchange.set(target, { ...targetOf(model()), session })
      })
      return record?.session
    }
    expect(await sessionFor('a-b-c')).match(/^[0-9a-f]{16}$/)
    expect(await sessionFor('a-b-c')).equal(await sessionFor('a-b-c'))
    expect(await sessionFor('a-b-d')).not.equal(await sessionFor('a-b-c'))
    expect([await sessionFor(undefined), await sessionFor('a-b-c', 'policy')]).deep.equal([null, null])
  })

  it('of a stream that went well', async () => {
    const { record, exchange } = await recorded(onEndpoint, (exchange, askBackend) => {
      exchange.set(key, KEY)
      exchange.set(zdr, 'header')
      exchange.set(requestTags, ['nightly', 'batch'])
      exchange.set(chat, chatRequest({ model: 'alias', stream: true, tools: [tool(), tool({ name: 'b' })] }))
      exchange.set(clientSampling, { temperature: 0.2, top_p: 0.9 })
      exchange.set(target, targetOf(model()))
      exchange.set(
        usage,
        usageOf({
          inputTokens: 1000,
          outputTokens: 21,
          cacheReadTokens: 640,
          reasoningTokens: 8,
          firstTokenMs: 150.6,
          lastTokenMs: 350.6,
          stalls: 2,
          finish: 'stop',
          matchedStopTokenId: 128_009,
          usagePresent: true,
        }),
      )
      exchange.set(charge, {
        account: KEY.account.id,
        pricing: { input: 1, cached_input: 1, output: 1 },
        reserved: 9000,
        available: 10_000,
        microcents: 1021,
      })
      exchange.status = 200
      exchange.streaming = true
      exchange.upstream.status = 200
      askBackend()
    })
    expect(record).deep.equal({
      ...NOTHING,
      upstream_status: 200,
      id: exchange.id,
      model_requested: 'alias',
      model_resolved: 'm',
      is_streaming: true,
      ttft_ms: 151,
      duration_ms: 400,
      input_tokens: 1000,
      output_tokens: 21,
      cache_read_tokens: 640,
      reasoning_tokens: 8,
      // 20 tokens after the first in 200 ms.
      output_tps: 100,
      finish_reason: 'stop',
      matched_stop_token_id: 128_009,
      stall_count: 2,
      temperature: 0.2,
      top_p: 0.9,
      tool_count: 2,
      usage_present: true,
      request_tags: ['nightly', 'batch'],
      zdr: true,
      dispatched: true,
      cost_microcents: 1021,
    })
  })

  it('of a JSON reply have no first token, and the pace of the whole', async () => {
    const { record } = await recorded({ route: 'completions' }, (exchange, askBackend) => {
      exchange.set(key, keyOf())
      exchange.set(chat, textRequest({ sampling: { temperature: 1 } }))
      exchange.set(target, targetOf(model()))
      exchange.set(usage, usageOf({ outputTokens: 20, firstTokenMs: 440, lastTokenMs: 440, usagePresent: true }))
      exchange.status = 200
      exchange.upstream.status = 200
      askBackend()
    })
    expect(record).include({
      surface: 'gateway',
      endpoint: null,
      path: '/v1/completions',
      is_streaming: false,
      ttft_ms: null,
      output_tps: 50,
      tool_count: 0,
      temperature: 1,
      top_p: null,
    })
  })

  it('have the rate of the whole reply if all tokens arrived in one chunk', async () => {
    const { record } = await recorded({}, (exchange, askBackend) => {
      exchange.set(key, keyOf())
      exchange.set(chat, chatRequest({ stream: true }))
      exchange.set(usage, usageOf({ outputTokens: 20, firstTokenMs: 440, lastTokenMs: 440.03, usagePresent: true }))
      exchange.streaming = true
      askBackend()
    })
    // Not 19 tokens in 0.03 ms.
    expect(record?.output_tps).equal(50)
  })

  it('have no pace without tokens, with one token, and without a count', async () => {
    for (const outputTokens of [null, 0, 1]) {
      const { record } = await recorded({}, (exchange, askBackend) => {
        exchange.set(key, keyOf())
        exchange.set(chat, chatRequest({ stream: true }))
        exchange.set(usage, usageOf({ outputTokens, firstTokenMs: 100, lastTokenMs: 200 }))
        exchange.streaming = true
        askBackend()
      })
      expect(record?.output_tps).equal(null)
    }
  })

  it('of a request that could not be read', async () => {
    const error = failure('invalid_json_request', { problem: 'The body is not valid JSON.' })
    const { record, exchange } = await recorded(
      onEndpoint,
      exchange => {
        exchange.set(key, KEY)
        exchange.status = 400
      },
      'failed',
      error,
    )
    expect(record).deep.equal({
      ...NOTHING,
      id: exchange.id,
      status_code: 400,
      error_code: 'invalid_json_request',
      error_message: 'The body is not valid JSON.',
    })
  })

  it('of a request that a rule refused', async () => {
    const error = failure('unsupported_feature', { model: 'm', feature: 'n greater than 1' }, { param: 'n' })
    const { record } = await recorded(
      onEndpoint,
      exchange => {
        exchange.set(key, KEY)
        exchange.set(chat, chatRequest({ stream: true, sampling: { top_p: 0.5 } }))
        exchange.set(target, targetOf(model()))
        exchange.status = 400
      },
      'failed',
      error,
    )
    expect(record).include({
      status_code: 400,
      error_code: 'unsupported_feature',
      error_message: "Model 'm' does not support n greater than 1.",
      model_requested: 'm',
      model_resolved: 'm',
      // A stream was requested, which failed before its first token.
      is_streaming: true,
      ttft_ms: null,
      top_p: 0.5,
      dispatched: true,
      duration_ms: null,
      transport_status_code: null,
      usage_present: false,
    })
  })

  it('of a refused body have the model that it names', async () => {
    const named = async (body: JsonObject) => {
      const { records: kept } = await play(records, { given: [[key, KEY]], body })
      return kept[0]!.model_requested
    }
    expect(await named({ model: 'alias', messages: 'no list' })).equal('alias')
    expect(await named({ model: 'x'.repeat(300) })).equal('x'.repeat(256))
    for (const body of [{}, { model: 7 }, { model: null }]) expect(await named(body)).equal(null)
  })

  it('of an unknown model have its shortened name', async () => {
    const { record } = await recorded(
      {},
      exchange => {
        exchange.set(key, keyOf())
        exchange.set(chat, chatRequest({ model: 'x'.repeat(5000) }))
      },
      'failed',
      failure('model_not_found', { model: 'x', available: 'm' }),
    )
    expect(record?.model_requested).equal('x'.repeat(256))
    expect(record).include({ model_resolved: null, dispatched: false })
  })

  it('have the attempts, with the tokens of each', async () => {
    const counted = { promptTokens: 9, completionTokens: 3, cachedTokens: 8, reasoningTokens: null }
    const { record } = await recorded({}, exchange => {
      exchange.set(key, keyOf())
      const ok = { ...ATTEMPT, outcome: 'ok', reason: null } as const
      const choice = { reason: 'prefix', predictedMs: 2.4, cachedTokens: 7.3 } as const
      exchange.upstream.attempts.push(
        ATTEMPT,
        { ...ATTEMPT, outcome: 'timeout', reason: null },
        { ...ok, usage: counted, firstTokenMs: 3.9, status: 200, choice },
      )
    })
    const failed = {
      ...{ backend: 'http://a/v1', model: 'm', tokens: null, prompt_tokens: null, ms: 4, started_ms: 1, status: 500 },
      ...{ first_token_ms: null, routed: null, predicted_ms: null, predicted_cached_tokens: null, cached_tokens: null },
    }
    expect(record?.attempt_list).deep.equal([
      { ...failed, reason: 'status 500: Not Found' },
      { ...failed, reason: 'timeout' },
      {
        ...{ ...failed, reason: null, status: 200, tokens: 3, prompt_tokens: 9, first_token_ms: 3 },
        ...{ routed: 'prefix', predicted_ms: 2, predicted_cached_tokens: 7, cached_tokens: 8 },
      },
    ])
  })

  it('have the tokens of a reply that passed as bytes', async () => {
    const { record } = await recorded({}, exchange => {
      exchange.set(key, keyOf())
      exchange.set(usage, usageOf({ inputTokens: 7, outputTokens: 0, usagePresent: true }))
      exchange.upstream.attempts.push({ ...ATTEMPT, outcome: 'ok', reason: null })
    })
    expect(record?.attempt_list?.[0]).include({ tokens: 0, prompt_tokens: 7 })
  })

  it('of a refusal by the backend have its status', async () => {
    const error = failure('backend_http_error', { model: 'm' })
    const { record } = await recorded(
      {},
      (exchange, askBackend) => {
        exchange.set(key, keyOf())
        exchange.set(chat, chatRequest())
        exchange.set(target, targetOf(model()))
        exchange.status = 502
        exchange.upstream.status = 500
        exchange.upstream.error = 'status 500: Not Found'
        exchange.upstream.backend = 'http://10.0.0.1/v1'
        exchange.upstream.attempts.push({ ...ATTEMPT, outcome: 'timeout', reason: null }, ATTEMPT)
        exchange.upstream.queueMs = 3.4
        askBackend()
        exchange.upstream.headMono = exchange.upstream.startedMono + 20.2
      },
      'failed',
      error,
    )
    expect(record).include({
      status_code: 502,
      backend: 'http://10.0.0.1/v1',
      attempts: 2,
      queue_ms: 3,
      first_byte_ms: 20,
      engine_queue_ms: null,
      upstream_status: 500,
      upstream_error: 'status 500: Not Found',
      transport_status_code: 500,
      error_code: 'backend_http_error',
      stream_error_status_code: null,
      stream_error_type: null,
    })
  })

  // docs/DESIGN.md#records
  it('of a failed stream have the 200 and the failure', async () => {
    const { record } = await recorded(
      {},
      (exchange, askBackend) => {
        exchange.set(key, keyOf())
        exchange.set(chat, chatRequest({ stream: true }))
        exchange.set(target, targetOf(model()))
        exchange.set(usage, usageOf({ firstTokenMs: 100, lastTokenMs: 200, outputTokens: 3, usageParseError: 'odd' }))
        exchange.status = 200
        exchange.streaming = true
        exchange.upstream.status = 200
        exchange.brokeMidStream = true
        askBackend()
      },
      'failed',
      failure('backend_timeout', { model: 'm' }),
    )
    expect(record).include({
      status_code: 200,
      is_streaming: true,
      ttft_ms: 100,
      stream_error_status_code: 504,
      stream_error_type: 'backend_timeout',
      error_code: 'backend_timeout',
      output_tokens: 3,
      finish_reason: null,
      usage_present: false,
      usage_parse_error: 'odd',
    })
  })

  it('of a disconnected client are a 499, with the usage so far', async () => {
    const { record } = await recorded(
      {},
      (exchange, askBackend) => {
        exchange.set(key, keyOf())
        exchange.set(chat, chatRequest({ stream: true }))
        exchange.set(target, targetOf(model()))
        exchange.set(usage, usageOf({ inputTokens: 10, outputTokens: 3, firstTokenMs: 100, lastTokenMs: 200 }))
        exchange.status = 200
        exchange.streaming = true
        askBackend()
      },
      'client_gone',
    )
    expect(record).include({
      status_code: 499,
      input_tokens: 10,
      output_tokens: 3,
      error_code: null,
      stream_error_status_code: null,
      duration_ms: 400,
    })
  })

  it('have sampling as the client sent it, or as far as known', async () => {
    const withoutSlot = await recorded({}, exchange => {
      exchange.set(key, keyOf())
      exchange.set(chat, chatRequest({ sampling: { temperature: 0.3 } }))
    })
    expect(withoutSlot.record).include({ temperature: 0.3 })
    const removed = await recorded({}, exchange => {
      exchange.set(key, keyOf())
      exchange.set(chat, chatRequest({ sampling: {} }))
      exchange.set(clientSampling, { temperature: 0, top_p: 0 })
    })
    expect(removed.record).include({ temperature: 0, top_p: 0 })
  })

  it('may belong to a key without a user, and are not stored without a key', async () => {
    const legacy = keyOf({}, { user: undefined })
    expect((await recorded({}, exchange => exchange.set(key, legacy))).record).include({ user_id: null, key_id: 'k1' })
    expect((await recorded({}, () => {}, 'failed', failure('missing_api_key', {}))).record).equal(undefined)
  })

  it('contain no content', async () => {
    const { record } = await recorded(
      { headers: { authorization: CANARY } },
      exchange => {
        exchange.requestBody = new JsonBody({ messages: [{ role: 'user', content: CANARY }] })
        exchange.set(key, keyOf())
        exchange.set(
          chat,
          chatRequest({
            messages: [{ role: 'user', content: CANARY }],
            tools: [tool({ name: CANARY, description: CANARY })],
            stop: [CANARY],
          }),
        )
      },
      'failed',
      failure('internal_error', {}, { cause: new Error(CANARY), extra: { text: CANARY } }),
    )
    expect(JSON.stringify(record)).not.contain(CANARY)
  })

  it('of a line of a batch are handed to the batch, not to the journal', async () => {
    const kept: RequestRecord[] = []
    const line = { batch: 'batch_1', line: 3, priceFactor: 0.5, keep: (one: RequestRecord) => void kept.push(one) }
    const given = [[key, KEY] as const, [batchLine, line] as const]
    const { records: appended, exchange } = await play(records, { surface: 'batch', given })
    expect(appended).deep.equal([])
    const own = { id: exchange.id, surface: 'batch', batch_id: 'batch_1', batch_line: 3 }
    expect(kept).length(1)
    expect(kept[0]).include(own)
  })

  it('that cannot be kept make the gateway refuse requests', async () => {
    const sink = { healthy: false, append: () => {} }
    const hooks = await records.setup({}, testServices([], { records: sink }))
    const { exchange } = notedExchange({ hooks: [hooks] })
    let thrown: unknown
    try {
      void run(exchange.chain.headers, exchange)
    } catch (error) {
      thrown = error
    }
    expect(thrown).instanceOf(GatewayError).and.include({ code: 'internal_error', status: 503 })
    expect((thrown as GatewayError).details.headers).deep.equal({ 'retry-after': '5' })
  })
})
