import { expect } from 'chai'
import type { JsonObject } from '../../../lib/base/json.ts'
import {
  reply,
  type Script,
  type ScriptedBackend,
  scriptedBackend,
  startStream,
  status,
} from '../../support/backend.ts'
import { eventually, type TestConfig, type TestGateway, testGateway } from '../../support/gateway.ts'
import { deadAddress } from '../../support/stub.ts'

const messages = [{ role: 'user', content: 'hi' }]
const body = { model: 'm', messages }
const messagesBody = { model: 'm', max_tokens: 8000, messages }

/** The error of vLLM if the prompt fits, but max_tokens does not. */
const tooManyTokens = (room: number) =>
  status(400, {
    error: {
      message: `'max_tokens' or 'max_completion_tokens' is too large: 8000. This model's maximum context length is 8192 tokens and your request has ${8192 - room} input tokens (8000 > 8192 - ${8192 - room}).`,
      type: 'BadRequestError',
      param: 'max_tokens',
      code: 400,
    },
  })

/** The error of newer versions of vLLM, which do not count the whole prompt. */
const tooManyForSome = status(400, {
  error: {
    message:
      "This model's maximum context length is 8192 tokens. However, you requested 8000 output tokens and your prompt contains at least 193 input tokens, for a total of at least 8193 tokens.",
    type: 'BadRequestError',
    param: 'input_tokens',
    code: 400,
  },
})

const full: Script = status(429, { error: { message: 'slow down', type: 'x' } })

describe('dispatch/dispatch', () => {
  let first: ScriptedBackend
  let second: ScriptedBackend
  let gateway: TestGateway | undefined

  before(async () => {
    first = await scriptedBackend()
    second = await scriptedBackend()
  })

  beforeEach(() => {
    for (const backend of [first, second]) {
      backend.script = reply()
      backend.requests.length = 0
    }
  })

  afterEach(async () => {
    await gateway?.close()
    gateway = undefined
  })

  after(async () => {
    await first?.close()
    await second?.close()
  })

  const backendAt = (url: string, more: JsonObject = {}): JsonObject => ({
    url,
    model: 'upstream-m',
    engine: 'vllm',
    ...more,
  })

  /** The first backend has a million times the weight, so it is always tried first. */
  const firstThenSecond = () => [backendAt(first.url, { weight: 1_000_000 }), backendAt(second.url)]

  async function start(model: JsonObject, more: JsonObject = {}): Promise<TestGateway> {
    const config: TestConfig = { backends: [], model, more }
    gateway = await testGateway(config)
    return gateway
  }

  async function send(path = '/v1/chat/completions', sent: JsonObject = body) {
    const response = await gateway!.post(path, sent)
    const json = (await response.json()) as { readonly error?: { readonly code: string; readonly model?: string } }
    return { status: response.status, code: json.error?.code, error: json.error, headers: response.headers }
  }

  const asked = () => [first.requests.length, second.requests.length]

  it('releases its lease if the engine does not support the request', async () => {
    const capabilities = { reasoning: true, chat_completions: { grammar: true } }
    await start({ backends: [backendAt(first.url, { engine: 'llama.cpp', max_concurrency: 1 })], capabilities })
    const both = { response_format: { type: 'grammar', grammar: 'root ::= "x"' }, reasoning_effort: 'high' }
    expect(await send(undefined, { ...body, ...both })).include({ status: 400, code: 'unsupported_feature' })
    expect(asked()).deep.equal([0, 0])
    expect(await gateway!.metric('sluiceway_backend_requests_in_flight')).equal(0)
    expect(await send()).include({ status: 200 })
  })

  describe('tries another backend', () => {
    const elsewhere: Readonly<Record<string, Script>> = {
      'a connection that breaks before the head': (_res, _request, req) => void req.socket.resetAndDestroy(),
      'an overloaded backend': full,
      'a full queue': status(503, { error: { message: 'The request queue is full.', type: 'x' } }),
      'a backend out of service': status(503, 'starting'),
      'a dead backend behind its proxy': status(502, '<html>Bad Gateway</html>'),
      'a wrong key': status(401, { error: { message: 'no', type: 'x' } }),
      'a model that is not there': status(404, { error: { message: 'no', type: 'x' } }),
    }
    for (const [name, script] of Object.entries(elsewhere)) {
      it(`after ${name}`, async () => {
        await start({ backends: firstThenSecond() })
        first.script = script
        expect(await send()).include({ status: 200 })
        expect(asked()).deep.equal([1, 1])
        expect(second.requests[0]!.body).deep.equal(first.requests[0]!.body)
        expect(await gateway!.metric('sluiceway_retries_total')).equal(1)
      })
    }

    it('when no connection can be opened', async () => {
      await start({ backends: [backendAt(`${await deadAddress()}/v1`, { weight: 1_000_000 }), backendAt(second.url)] })
      expect(await send()).include({ status: 200 })
    })

    it('each backend once', async () => {
      await start({ backends: firstThenSecond() })
      first.script = second.script = full
      expect(await send()).include({ status: 429, code: 'backend_overloaded' })
      expect(asked()).deep.equal([1, 1])
    })
  })

  describe('does not try another backend after', () => {
    const here: Readonly<Record<string, readonly [Script, number, string]>> = {
      'a refusal': [
        status(400, { error: { message: 'temperature must be non-negative', type: 'x' } }),
        400,
        'model_request_rejected',
      ],
      'a failure inside the backend: the tokens would be paid for twice': [
        status(500, { error: { message: 'engine', type: 'x' } }),
        502,
        'backend_http_error',
      ],
      'a timeout': [() => {}, 504, 'backend_timeout'],
      'a reply that broke in the middle': [
        res => {
          res.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 }).write('{"choices":')
          setTimeout(() => res.destroy(), 20)
        },
        502,
        'backend_http_error',
      ],
    }
    for (const [name, [script, expected, code]] of Object.entries(here)) {
      it(name, async () => {
        await start({ backends: firstThenSecond() }, { timeouts: { first_byte_ms: 1000 } })
        first.script = script
        expect(await send()).include({ status: expected, code })
        expect(asked()).deep.equal([1, 0])
      })
    }

    const preempted = { error: { message: 'request was preempted', code: 503 } }
    /** An event stream that ends with an in-band error. */
    const failsAfter =
      (...events: readonly JsonObject[]): Script =>
      res => {
        res.writeHead(200, { 'content-type': 'text/event-stream' })
        for (const event of [...events, preempted]) res.write(`data: ${JSON.stringify(event)}\n\n`)
        res.end()
      }
    const delta = (content: JsonObject) => ({ choices: [{ index: 0, delta: content, finish_reason: null }] })
    const call = { index: 0, id: 'call_1', type: 'function', function: { name: 'f', arguments: '{' } }

    it('content, even if the reply is one JSON body', async () => {
      await start({ backends: firstThenSecond() })
      for (const event of [
        delta({ role: 'assistant', content: 'He' }),
        delta({ reasoning_content: 'Hm' }),
        delta({ tool_calls: [call] }),
        { choices: [], usage: { prompt_tokens: 9, completion_tokens: 1, total_tokens: 10 } },
      ]) {
        first.requests.length = 0
        first.script = failsAfter(event)
        const { status } = await send()
        expect([status, ...asked()], JSON.stringify(event)).deep.equal([502, 1, 0])
      }
    })

    it('content, but does after an event without content', async () => {
      await start({ backends: firstThenSecond() })
      first.script = failsAfter(delta({ role: 'assistant', content: '' }))
      expect(await send()).include({ status: 200 })
      expect(asked()).deep.equal([1, 1])
    })

    it('an exhausted retry budget', async () => {
      await start({ backends: firstThenSecond() })
      first.script = full
      const started = performance.now()
      let retried = 0
      while ((await send()).status === 200) retried++
      // Ten at the start, a tenth per request, and one per second.
      const most = 10 + 0.1 * (retried + 1) + (performance.now() - started) / 1000
      expect(retried).within(10, most)
      expect(asked()).deep.equal([retried + 1, retried])
      expect(await gateway!.metric('sluiceway_retries_total')).equal(retried)
    })
  })

  describe('without a backend', () => {
    it('refuses with no_healthy_backends if the last one reported to be out of service', async () => {
      await start({ backends: firstThenSecond() })
      first.script = second.script = status(503, 'starting')
      expect((await send()).error).include({ code: 'no_healthy_backends', model: 'm' })
    })

    it('refuses with no_healthy_backends if none can be reached', async () => {
      await start({ backends: [backendAt(`${await deadAddress()}/v1`)] })
      for (let i = 0; i < 5; i++) expect(await send()).include({ status: 502, code: 'backend_connect_error' })
      const { status: last, error } = await send()
      expect(last).equal(503)
      expect(error).include({ code: 'no_healthy_backends', model: 'm' })
      expect(await gateway!.metric('sluiceway_backend_up')).equal(0)
    })

    it('sends no request with zero data retention to the others', async () => {
      await start({ backends: [backendAt(first.url, { weight: 1_000_000 }), backendAt(second.url, { zdr: true })] })
      const response = await gateway!.post('/v1/chat/completions', body, { headers: { 'service-zdr': 'required' } })
      expect(response.status).equal(200)
      second.script = full
      const refused = await gateway!.post('/v1/chat/completions', body, { headers: { 'service-zdr': 'required' } })
      expect(refused.status).equal(429)
      expect(asked()).deep.equal([0, 2])
    })
  })

  it('isolates an account with zero data retention in the prefix cache, if the engine supports it', async () => {
    const zdr = { headers: { 'service-zdr': 'required' } }
    const salts = () => first.requests.splice(0).map(({ body }) => body.cache_salt)
    for (const [engine, isolated] of [
      ['vllm', true],
      ['sglang', true],
      ['llama.cpp', false],
      ['openai', false],
    ] as const) {
      await start({ backends: [backendAt(first.url, { engine, zdr: true })] })
      for (const init of [zdr, zdr, {}])
        expect((await gateway!.post('/v1/chat/completions', body, init)).status).equal(200)
      const [salt, again, without] = salts()
      expect(without, engine).equal(undefined)
      expect(again, engine).equal(salt)
      if (isolated) expect(salt, engine).match(/^[0-9a-f]{32}$/)
      else expect(salt, engine).equal(undefined)
      await gateway!.close()
      gateway = undefined
    }
    await start({ backends: [backendAt(first.url)] }, { cache_isolation: 'account' })
    expect(await send()).include({ status: 200 })
    expect(salts()[0]).match(/^[0-9a-f]{32}$/)
  })

  describe('a reasoning effort that an older version refuses', () => {
    const older: Script = (res, request, req) => {
      const { reasoning_effort: effort } = request.body
      const known = effort === undefined || ['low', 'medium', 'high'].includes(String(effort))
      const message = `1 validation error:\n  {'type': 'literal_error', 'loc': ('body', 'reasoning_effort'), 'msg': "Input should be 'low', 'medium' or 'high'", 'input': '${effort}'}`
      const refusal = status(400, { object: 'error', message, code: 400 })
      return (known ? reply() : refusal)(res, request, req)
    }
    const efforts = () => first.requests.map(({ body }) => body.reasoning_effort)

    it('is replaced by the strongest one that the engine names, once per backend', async () => {
      await start({ backends: [backendAt(first.url, { engine: 'sglang' })], capabilities: { reasoning: true } })
      first.script = older
      for (const effort of ['max', 'max', 'low'])
        expect(await send(undefined, { ...body, reasoning_effort: effort })).include({ status: 200 })
      expect(efforts()).deep.equal(['max', 'high', 'high', 'low'])
      expect(await gateway!.metric('sluiceway_retries_total')).equal(0)
    })

    it('can be detected by several requests at once', async () => {
      await start({ backends: [backendAt(first.url, { engine: 'sglang' })], capabilities: { reasoning: true } })
      first.script = older
      const sent = [1, 2, 3].map(() => send(undefined, { ...body, reasoning_effort: 'max' }))
      for (const { status } of await Promise.all(sent)) expect(status).equal(200)
    })

    it('refuses the request if another one does not help', async () => {
      await start({ backends: [backendAt(first.url, { engine: 'sglang' })], capabilities: { reasoning: true } })
      const message = "reasoning_effort: Input should be 'low' or 'high'"
      first.script = status(400, { object: 'error', message, code: 400 })
      expect(await send(undefined, { ...body, reasoning_effort: 'max' })).include({ code: 'model_request_rejected' })
      expect(efforts()).deep.equal(['max', 'high'])
      expect(await send(undefined, { ...body, reasoning_effort: 'max' })).include({ code: 'model_request_rejected' })
      expect(efforts()).deep.equal(['max', 'high', 'high'])
    })
  })

  // docs/DESIGN.md#max_tokens
  describe('a max_tokens that is larger than the rest of the window', () => {
    it('is lowered to the rest, once, if the route clamps', async () => {
      await start({ backends: [backendAt(first.url)] })
      first.script = (res, request, req) =>
        (first.requests.length === 1 ? tooManyTokens(192) : reply())(res, request, req)
      expect(await send('/v1/messages', messagesBody)).include({ status: 200 })
      expect(first.requests.map(({ body }) => body.max_tokens)).deep.equal([8000, 192])
      first.requests.length = 0
      first.script = tooManyTokens(192)
      const refused = await send('/v1/messages', messagesBody)
      expect(refused).include({ status: 400, code: 'context_length_exceeded' })
      expect(first.requests.length).equal(2)
    })

    it('is omitted if only the backend knows the rest', async () => {
      await start({ backends: [backendAt(first.url)] })
      first.script = (res, request, req) =>
        (request.body.max_tokens === undefined ? reply() : tooManyForSome)(res, request, req)
      expect(await send('/v1/messages', messagesBody)).include({ status: 200 })
      expect(first.requests.map(({ body }) => body.max_tokens)).deep.equal([8000, undefined])
      first.script = tooManyForSome
      const refused = await send('/v1/messages', messagesBody)
      expect(refused).include({ status: 400, code: 'context_length_exceeded' })
      expect(first.requests.length).equal(4)
    })

    it('is never omitted from a text completion: engines would generate 16 tokens', async () => {
      await start({ backends: [backendAt(first.url)] }, { clamp_max_tokens: ['completions'] })
      first.script = tooManyForSome
      const refused = await send('/v1/completions', { model: 'm', prompt: 'hi', max_tokens: 8000 })
      expect(refused).include({ status: 400, code: 'context_length_exceeded' })
      expect(first.requests.length).equal(1)
    })

    it('costs no retry', async () => {
      await start({ backends: [backendAt(first.url)] })
      first.script = (res, request, req) =>
        (first.requests.length % 2 === 1 ? tooManyTokens(192) : reply())(res, request, req)
      for (let i = 0; i < 15; i++) expect(await send('/v1/messages', messagesBody)).include({ status: 200 })
      expect(await gateway!.metric('sluiceway_retries_total')).equal(0)
    })

    it('is lowered at the backend that reported it, also after another one was tried', async () => {
      await start({ backends: [backendAt(first.url), backendAt(second.url)] })
      const onlyRest: Script = (res, request, req) =>
        (request.body.max_tokens === 8000 ? tooManyTokens(192) : reply())(res, request, req)
      first.script = second.script = onlyRest
      const SENT = 20
      for (let i = 0; i < SENT; i++) expect(await send('/v1/messages', messagesBody)).include({ status: 200 })
      for (const { requests } of [first, second])
        expect(requests.map(({ body }) => body.max_tokens)).deep.equal(
          Array.from(requests, (_, i) => (i % 2 === 0 ? 8000 : 192)),
        )
      expect(asked()[0]! + asked()[1]!).equal(2 * SENT)
      expect(await gateway!.metric('sluiceway_retries_total')).equal(0)
      // After the second backend, no other is left for a retry.
      await gateway!.close()
      await start({ backends: firstThenSecond() })
      first.script = full
      expect(await send('/v1/messages', messagesBody)).include({ status: 200 })
      expect(await gateway!.metric('sluiceway_retries_total')).equal(1)
    })

    it('is refused on other routes', async () => {
      await start({ backends: [backendAt(first.url)] })
      first.script = tooManyTokens(192)
      expect(await send('/v1/chat/completions', { ...body, max_tokens: 8000 })).include({
        status: 400,
        code: 'context_length_exceeded',
      })
      expect(first.requests.length).equal(1)
    })
  })

  describe('capacity', () => {
    /** Starts a request. The backend answers it when `release` is called. */
    async function held(backend: ScriptedBackend) {
      const before = backend.requests.length
      let release = () => {}
      backend.script = (res, request, req) => {
        release = () => void reply()(res, request, req)
      }
      const pending = send()
      await eventually(() => backend.requests.length > before, 'the held request')
      backend.script = reply()
      return { pending, release: () => release() }
    }

    it('of a model is shared by all routes, and released', async () => {
      await start({ backends: [backendAt(first.url)], max_concurrency: 1 })
      const { pending, release } = await held(first)
      const refused = await send('/v1/messages', messagesBody)
      expect(refused.status).equal(429)
      expect(refused.error).include({ code: 'backend_at_capacity' })
      expect(Object.fromEntries(refused.headers)).include({
        'retry-after': '1',
        'ratelimit-limit': '1',
        'ratelimit-remaining': '0',
        'ratelimit-reset': '1',
      })
      release()
      expect(await pending).include({ status: 200 })
      expect(await send()).include({ status: 200 })
    })

    it('of a backend is limited, and others serve the rest', async () => {
      await start({
        backends: [backendAt(first.url, { weight: 1_000_000, max_concurrency: 1 }), backendAt(second.url)],
      })
      const { pending, release } = await held(first)
      expect(await send()).include({ status: 200 })
      expect(asked()).deep.equal([1, 1])
      release()
      await pending
      expect(await send()).include({ status: 200 })
      expect(asked()).deep.equal([2, 1])
    })

    it('refuses requests if every backend is full', async () => {
      await start({ backends: [backendAt(first.url, { max_concurrency: 1 })] })
      const { pending, release } = await held(first)
      expect(await send()).include({ status: 429, code: 'backend_at_capacity' })
      release()
      await pending
    })

    it('is released if a client disconnects', async () => {
      await start({ backends: [backendAt(first.url)], max_concurrency: 1 })
      first.script = res => startStream(res)
      const abort = new AbortController()
      const pending = gateway!.post('/v1/chat/completions', { ...body, stream: true }, { signal: abort.signal })
      await eventually(() => first.requests.length === 1)
      abort.abort()
      await pending.catch(() => {})
      first.script = reply()
      await eventually(async () => (await send()).status === 200, 'a free place')
    })
  })

  it('distributes requests by weight', async () => {
    await start({ backends: firstThenSecond() })
    for (let i = 0; i < 20; i++) await send()
    expect(asked()).deep.equal([20, 0])
  })

  it('sends a large text to the backend byte for byte, on every route', async () => {
    await start({ backends: [backendAt(first.url)], max_model_len: 10_000_000 })
    const content = '"quoted" \\ é 🎉\n'.repeat(50_000)
    const long = [{ role: 'user', content }]
    expect(await send('/v1/chat/completions', { model: 'm', messages: long })).include({ status: 200 })
    expect(await send('/v1/messages', { model: 'm', max_tokens: 10, messages: long })).include({ status: 200 })
    expect(await send('/v1/responses', { model: 'm', input: content })).include({ status: 200 })
    for (const { body: sent, headers, bytes } of first.requests) {
      const [message] = sent.messages as { readonly content: string | readonly { readonly text: string }[] }[]
      const text = typeof message!.content === 'string' ? message!.content : message!.content[0]!.text
      expect(text === content).equal(true)
      expect(headers['content-length']).equal(String(bytes.length))
    }
    expect(await send('/v1/completions', { model: 'm', prompt: content }))
      .property('status')
      .oneOf([200, 502])
    expect(first.requests.at(-1)!.body.prompt === content).equal(true)
  })
})
