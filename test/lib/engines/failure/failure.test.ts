import type { IncomingHttpHeaders } from 'node:http'
import { expect } from 'chai'
import type { Json } from '../../../../lib/base/json.ts'
import { PROFILES } from '../../../../lib/config/profile.ts'
import { WireDecoder } from '../../../../lib/engines/decode/decoder.ts'
import {
  type BackendFailure,
  backendFailure,
  brokenReply,
  connectFailure,
  ErrorResponse,
  timeoutFailure,
} from '../../../../lib/engines/failure/failure.ts'
import { reasonInWords } from '../../../../lib/engines/failure/failure-reason.ts'
import { chatRequest, model, Recorder } from '../../../support/canonical.ts'
import { LLAMA_SERVER } from '../../../support/recorded.ts'

const MODEL = model({}, { max_model_len: 100, max_concurrency: 8 })
const LARGE = model({}, { id: 'large', max_model_len: 200 })
const CONTEXT = { model: MODEL, profile: PROFILES.vllm, models: () => [MODEL, LARGE] }

function answered(status: number, body: Json, headers: IncomingHttpHeaders = {}): BackendFailure {
  const bodyText = typeof body === 'string' ? body : JSON.stringify(body)
  return backendFailure({ status, headers, bodyText }, CONTEXT)
}

function inBand(data: Json): BackendFailure {
  const failed = new WireDecoder(CONTEXT, chatRequest(), new Recorder()).event(data)
  if (failed === undefined) throw new Error('not an error')
  return failed
}

const said = (message: string, more: Record<string, Json> = {}): Json => ({ error: { message, ...more } })
const summary = ({ error, retry, penalise }: BackendFailure) => [error.code, error.status, retry, penalise]
const HTML = '<html><body><h1>502 Bad Gateway</h1>nginx at gpu-7.internal</body></html>'
const WAIT = { 'retry-after': '1', 'ratelimit-limit': '8', 'ratelimit-remaining': '0', 'ratelimit-reset': '1' }

describe('backend failures', () => {
  it('of a real llama-server are distinguished', () => {
    const { too_long, bad_grammar, bad_system, no_vision, loading, unauthorized } = LLAMA_SERVER
    const told = ({ status, body }: { status: number; body: Json }) => summary(answered(status, body))
    expect(told(too_long)).deep.equal(['context_length_exceeded', 400, 'no', false])
    // A broken image must not count against the backend, with any status of its refusal.
    for (const refused of [bad_grammar, bad_system, no_vision])
      expect(told(refused)).deep.equal(['model_request_rejected', 400, 'no', false])
    expect(told(loading)).deep.equal(['backend_http_error', 502, 'elsewhere', true])
    expect(answered(loading.status, loading.body).unavailable).equal(true)
    expect(told(unauthorized)).deep.equal(['backend_http_error', 502, 'elsewhere', true])
    expect(answered(bad_system.status, bad_system.body).error.message).equal(
      "Model 'm' refused the request: System message must be at the beginning.",
    )
  })

  describe('overload', () => {
    it('is a 429 with the Retry-After of the backend', () => {
      for (const status of [429, 529]) {
        const failed = answered(status, said('Slow down'), { 'retry-after': '20' })
        expect(summary(failed)).deep.equal(['backend_overloaded', 429, 'elsewhere', false])
        expect(failed.error.details.headers).include({ 'retry-after': '20', 'ratelimit-reset': '20' })
      }
    })

    it('always carries the four headers', () => {
      expect(answered(429, '').error.details.headers).deep.equal(WAIT)
    })

    it('is distinguished from a full queue by its status', () => {
      expect(answered(429, said('The request queue is full.')).error.code).equal('backend_overloaded')
    })
  })

  describe('a full queue', () => {
    const texts = [
      'The request queue is full.',
      'The request is aborted by a higher priority request.',
      'QueueOverflowError',
      'The engine is currently busy and cannot accept new requests.',
      'The engine has reached its prefill token backlog limit.',
    ]

    for (const text of texts) {
      it(`is backend_at_capacity under 503: ${text}`, () => {
        for (const body of [said(text, { code: 503 }), { object: 'error', message: text, code: 503 }, text]) {
          const failed = answered(503, body)
          expect(summary(failed)).deep.equal(['backend_at_capacity', 429, 'elsewhere', false])
          expect(failed.error.details.headers).deep.equal(WAIT)
        }
      })

      it(`and inside a 200: ${text}`, () => {
        for (const code of [503, 500, null]) {
          expect(summary(inBand(said(text, { code })))).deep.equal(['backend_at_capacity', 429, 'elsewhere', false])
        }
      })
    }

    it('passes Retry-After on', () => {
      const failed = answered(503, said('queue full'), { 'retry-after': '4' })
      expect(failed.error.details.headers).include({ 'retry-after': '4' })
    })

    it('is recognised by patterns of the configuration, in upper and lower case', () => {
      const profile = { ...PROFILES.vllm, queue_full_patterns: ['No Free Slot'] }
      const answer = { status: 503, headers: {}, bodyText: JSON.stringify(said('Error: no free SLOT.')) }
      expect(backendFailure(answer, { ...CONTEXT, profile }).error.code).equal('backend_at_capacity')
    })

    it('does not have status 500', () => {
      expect(answered(500, said('The request queue is full.')).error.code).equal('backend_http_error')
    })
  })

  it('out of service: another backend, else 502, or none healthy when none is left', () => {
    for (const failed of [
      answered(503, said('Loading model')),
      answered(503, HTML),
      inBand(said('Loading', { code: 503 })),
    ]) {
      expect(summary(failed)).deep.equal(['backend_http_error', 502, 'elsewhere', true])
      expect(failed.unavailable).equal(true)
    }
    expect(answered(500, '')).not.have.property('unavailable')
  })

  describe('a prompt that is too long', () => {
    const text = "This model's maximum context length is 80 tokens and your request has 95 input tokens"

    it('is context_length_exceeded, in every envelope', () => {
      const failures = [
        answered(400, said(text)),
        answered(422, said(text)),
        answered(413, said(text)),
        answered(400, { object: 'error', message: text }),
        answered(400, said('x', { type: 'exceed_context_size_error', n_prompt_tokens: 95, n_ctx: 80 })),
        inBand(said(text, { code: 400 })),
        inBand(said(text)),
        inBand(said('x', { code: 'context_length_exceeded' })),
      ]
      for (const failed of failures) {
        expect(summary(failed)).deep.equal(['context_length_exceeded', 400, 'no', false])
        expect(failed.error.details.extra).include({ model: 'm' })
        expect(failed.error.details.extra?.suggested_models).deep.equal([{ id: 'large', context_length: 200 }])
      }
      expect(failures[0]?.error.details.extra).include({ context_length_limit: 80 })
      expect(failures[0]).not.have.property('fittingMaxTokens')
    })

    it('has the max_tokens that fits if only max_tokens is too large', () => {
      const fits = "This model's maximum context length is 80 tokens and your request has 30 input tokens"
      expect(answered(400, said(fits)).fittingMaxTokens).equal(50)
      const beyond = 'max_tokens=90 cannot be greater than max_model_len=max_total_tokens=80. Please request fewer.'
      expect(summary(answered(400, said(beyond)))).deep.equal(['context_length_exceeded', 400, 'no', false])
      expect(answered(400, said(beyond)).fittingMaxTokens).equal('rest')
    })

    const wordings = [
      'The decoder prompt (length 95) is longer than the maximum model length of 80. Make sure that it fits.',
      'The decoder prompt (length 80) plus the number of requested output tokens (at least 1) is longer than the maximum model length of 80.',
      'Input length (95 tokens) exceeds the maximum allowed length (74 tokens). Use a shorter input.',
      'Multimodal prompt is too long after expanding multimodal tokens. After expanding len(x)=30 => 95 >= 74.',
      'Multimodal prompt is too long. Check server logs for details.',
      'max_completion_tokens is too large: 90.This model supports at most 80 completion tokens.',
      "Requested token count exceeds the model's maximum context length of 80 tokens.",
      "The input (95 tokens) is longer than the model's context length (80 tokens).",
      "Input length (95) exceeds model's maximum context length (80).",
      'the request exceeds the available context size. try increasing the context size or enable context shift',
    ]
    for (const wording of wordings) {
      it(`is recognised by: ${wording}`, () => {
        for (const failed of [answered(400, { object: 'error', message: wording, code: 400 }), inBand(said(wording))])
          expect(summary(failed)).deep.equal(['context_length_exceeded', 400, 'no', false])
      })
    }

    it('is not guessed from a 500', () => {
      expect(answered(500, said(text)).error.code).equal('backend_http_error')
    })
  })

  // llama-server: common/chat.cpp and tools/server of 2026-08.
  describe('a refusal that llama-server reports as 500', () => {
    const refusals: Readonly<Record<string, string>> = {
      'Jinja Exception: Conversation roles must alternate user and assistant':
        "Model 'm' refused the request: Conversation roles must alternate user and assistant",
      'failed to process image': "Model 'm' refused the request: failed to process image",
      'Failed to load image or audio file': "Model 'm' refused the request: Failed to load image or audio file",
    }
    for (const [text, message] of Object.entries(refusals)) {
      it(`is the request's: ${text}`, () => {
        const body = said(text, { code: 500, type: 'server_error' })
        for (const failed of [answered(500, body), inBand(body)]) {
          expect(summary(failed)).deep.equal(['model_request_rejected', 400, 'no', false])
          expect(failed.error.message).equal(message)
        }
      })
    }

    it('is context_length_exceeded for a conversation that has become too long', () => {
      const body = said('Context size has been exceeded.', { code: 500, type: 'server_error' })
      for (const failed of [answered(500, body), inBand(body)]) {
        expect(summary(failed)).deep.equal(['context_length_exceeded', 400, 'no', false])
        expect(failed).not.have.property('fittingMaxTokens')
      }
    })

    it('is context_length_exceeded for an input of an embedding that exceeds the physical batch', () => {
      for (const text of [
        'input (596 tokens) is too large to process. increase the physical batch size (current batch size: 512)',
        'input is too large to process. increase the physical batch size',
      ]) {
        const failed = answered(500, said(text, { code: 500, type: 'server_error' }))
        expect(summary(failed)).deep.equal(['context_length_exceeded', 400, 'no', false])
      }
    })
  })

  // SGLang multimodal/processors/base_processor.py: 500 before 0.5.19, and 400 since.
  it("an image that SGLang cannot load is the request's, and no part of it is in the error", () => {
    const what = 'An exception occurred while loading IMAGE data at index 0: Error while loading data '
    const old = `${what}ImageData(url='data:image/png;base64,AQAAsecretAQAA', detail='auto'): cannot identify image file`
    const cut = `${what}ImageData(url='data:image/png;base64,AQAAsecret...: Could not decode image: secret.png`
    for (const failed of [
      answered(500, { object: 'error', message: `Internal server error: ${old}`, code: 500 }),
      answered(400, { object: 'error', message: cut, code: 400 }),
    ]) {
      expect(summary(failed)).deep.equal(['model_request_rejected', 400, 'no', false])
      expect(failed.error.message).match(/An exception occurred while loading IMAGE data at index 0/)
      expect(failed.error.message + reasonInWords(failed.reason!, false, [])).not.match(/AQAA|secret/)
    }
  })

  it('so is an image whose bytes fill the error, and a text with the marker of an image', () => {
    const what = 'Internal server error: An exception occurred while loading'
    const long = `${what} IMAGE data at index 0: Error while loading data ImageData(url='data:image/png;base64,${'AQAA'.repeat(2e4)}`
    const whole = JSON.stringify({ object: 'error', message: long, type: 'InternalServerError', code: 500 })
    const failed = answered(500, whole.slice(0, 64 * 1024))
    expect(summary(failed)).deep.equal(['model_request_rejected', 400, 'no', false])
    expect(failed.error.message)
      .match(/loading IMAGE data at index 0/)
      .not.match(/AQAA/)
    const marked = (more: string) =>
      answered(500, { message: `${what} multimodal data: ${more}`, type: 'InternalServerError', code: 500 })
    expect(summary(marked(''))).deep.equal(['model_request_rejected', 400, 'no', false])
    expect(summary(marked('CUDA out of memory'))).deep.equal(['backend_http_error', 502, 'no', true])
  })

  // SGLang managers/scheduler.py: both end a request with 503.
  it('distinguishes a request that waited too long from one that ran too long', () => {
    for (const tell of [
      (text: string) => answered(503, said(text)),
      (text: string) => inBand(said(text, { code: 503 })),
    ]) {
      expect(summary(tell('Request waiting timeout reached.'))).deep.equal([
        'backend_at_capacity',
        429,
        'elsewhere',
        false,
      ])
      expect(summary(tell('Request running timeout reached.'))).deep.equal(['backend_timeout', 504, 'no', true])
    }
  })

  it("a missing model of a llama-server that routes is the operator's fault", () => {
    for (const text of ["model 'm' not found", 'model is not loaded', 'model name=m is not found']) {
      const failed = answered(400, said(text, { type: 'invalid_request_error' }))
      expect(summary(failed)).deep.equal(['backend_http_error', 502, 'elsewhere', true])
    }
    expect(summary(answered(400, said("tool 'x' not found")))[0]).equal('model_request_rejected')
  })

  describe('a refusal that can be understood', () => {
    it('is model_request_rejected with the reason', () => {
      const reason = 'temperature must be non-negative, got -1.'
      for (const failed of [
        answered(400, said(reason)),
        answered(422, said(reason)),
        inBand(said(reason, { code: 400 })),
      ]) {
        expect(summary(failed)).deep.equal(['model_request_rejected', 400, 'no', false])
        expect(failed.error.message).equal(`Model 'm' refused the request: ${reason}`)
      }
    })

    it('contains nothing of the request or the machine', () => {
      const text = 'Bad value "my secret" in /srv/vllm/api.py at http://10.0.0.7:8000 {"prompt": "my secret"}'
      const { message } = answered(400, said(text)).error
      for (const word of ['secret', 'srv', 'vllm', '10.0.0']) expect(message).not.include(word)
      expect(answered(400, said('"my secret"')).error.message).equal("Model 'm' refused the request.")
    })

    it("has the first problem of the engine's validation, with the member", () => {
      const printed = (loc: string) =>
        `1 validation error:\n  {'type': 'too_long', 'loc': ${loc}, 'msg': 'List should have at most 4 items', 'input': ['my secret']}`
      for (const failed of [
        answered(400, said(printed("'body.stop'"), { type: 'Bad Request', param: 'body.stop' })),
        answered(400, { object: 'error', message: printed("('body', 'stop')"), code: 400, param: null }),
        answered(422, {
          detail: [{ type: 'too_long', loc: ['body', 'stop'], msg: 'List should have at most 4 items' }],
        }),
      ]) {
        expect(failed.error.message).equal("Model 'm' refused the request: 'stop': List should have at most 4 items")
        expect(failed.error.details.param).equal('stop')
      }
    })

    it('names the parameter if it is one of the API', () => {
      expect(answered(400, said('Bad', { param: 'max_tokens' })).error.details.param).equal('max_tokens')
      expect(answered(400, said('Bad', { param: 'messages.0.content' })).error.details.param).equal('messages')
      expect(answered(400, said('Bad', { param: 'tools[1].function.name' })).error.details.param).equal('tools')
      expect(answered(400, said('Bad', { param: 'my secret' })).error.details.param).equal(undefined)
    })
  })

  it('a refusal that cannot be understood is a 502, and no failure for the circuit breaker', () => {
    for (const failed of [
      answered(400, ''),
      answered(422, HTML),
      answered(400, '[]'),
      answered(400, said('')),
      answered(413, said('Too big')),
    ]) {
      expect(summary(failed)).deep.equal(['backend_http_error', 502, 'no', false])
    }
  })

  it('a mistake of the operator is not reported as one of the client', () => {
    for (const status of [401, 403, 404]) {
      const failed = answered(status, said('Invalid API key sk-123456789'))
      expect(summary(failed)).deep.equal(['backend_http_error', 502, 'elsewhere', true])
      expect(failed.error.message).equal("The backend of model 'm' gave no usable answer.")
    }
  })

  it('anything else is a 502 with the model', () => {
    for (const status of [302, 405, 418, 500, 501, 504, 599]) {
      const failed = answered(status, status % 2 === 0 ? HTML : said('EngineDeadError'))
      expect(summary(failed)).deep.equal(['backend_http_error', 502, 'no', true])
      expect(failed.error.details.extra).deep.equal({ model: 'm' })
    }
    for (const failed of [inBand(said('EngineDeadError', { code: 500 })), inBand(said('x')), inBand({ error: {} })]) {
      expect(summary(failed)).deep.equal(['backend_http_error', 502, 'no', true])
    }
  })

  it('a proxy that cannot reach its engine is retried at another backend', () => {
    expect(summary(answered(502, HTML))).deep.equal(['backend_http_error', 502, 'elsewhere', true])
  })

  it('no connection is a 502, a timeout a 504 with the model', () => {
    const cause = new Error('connect ECONNREFUSED 10.0.0.7:8000')
    const lost = connectFailure(MODEL, cause)
    expect(summary(lost)).deep.equal(['backend_connect_error', 502, 'elsewhere', true])
    expect(lost.error.details.cause).equal(cause)
    expect(lost.error.message).not.include('10.0.0.7')
    const silent = timeoutFailure(MODEL)
    expect(summary(silent)).deep.equal(['backend_timeout', 504, 'no', true])
    expect(silent.error.details.extra).deep.equal({ model: 'm' })
    expect(summary(brokenReply(MODEL, 'no choices'))).deep.equal(['backend_http_error', 502, 'no', true])
  })

  it('keeps no text of the backend in the cause', () => {
    const failed = answered(500, said('my secret'))
    expect(JSON.stringify(failed.error.details.cause)).equal('{"status":500}')
  })
})

describe('engines/failure/error-response', () => {
  it('has status, headers and text, in any pieces', () => {
    const response = new ErrorResponse(429, { 'retry-after': '1' })
    for (const byte of Buffer.from('{"é":1}')) expect(response.add(Buffer.of(byte))).equal(true)
    expect(response.received).deep.equal({ status: 429, headers: { 'retry-after': '1' }, bodyText: '{"é":1}' })
  })

  it('keeps 64 KiB of a body', () => {
    const response = new ErrorResponse(500, {})
    for (let i = 0; i < 64; i++) expect(response.add(Buffer.alloc(1024, 'x'))).equal(true)
    expect(response.add(Buffer.alloc(1, 'y'))).equal(false)
    expect(response.received.bodyText).equal('x'.repeat(64 * 1024))
  })
})

describe('accepted reasoning efforts', () => {
  const named = (message: string, more?: Record<string, Json>) => answered(400, said(message, more)).acceptedEfforts

  it('are those that the engine lists, weakest first', () => {
    const cases: readonly (readonly [string, readonly string[]])[] = [
      [
        "1 validation error:\n  {'type': 'literal_error', 'loc': ('body', 'reasoning_effort'), 'msg': \"Input should be 'low', 'medium' or 'high'\", 'input': 'max', 'ctx': {'expected': \"'low', 'medium' or 'high'\"}}",
        ['low', 'medium', 'high'],
      ],
      [
        "1 validation error:\n  {'type': 'literal_error', 'loc': 'body.reasoning_effort', 'msg': \"Input should be 'none', 'minimal', 'low', 'medium', 'high', 'xhigh' or 'max'\", 'input': 'x'}",
        ['none', 'low', 'medium', 'high', 'xhigh', 'max'],
      ],
      [
        'Unexpected reasoning effort high. Supported types are xhigh (default), medium, and low.',
        ['low', 'medium', 'xhigh'],
      ],
    ]
    for (const [text, efforts] of cases) expect(named(text), text).deep.equal(efforts)
    expect(named('Must be one of low, high', { param: 'body.reasoning_effort' })).deep.equal(['low', 'high'])
  })

  it('are not read from other refusals', () => {
    expect(named('temperature should be low')).equal(undefined)
    expect(named("'high' is no reasoning effort")).equal(undefined)
    expect(named('reasoning_effort should be a string')).equal(undefined)
  })
})
