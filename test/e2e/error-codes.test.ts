import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import type { JsonObject } from '../../lib/base/json.ts'
import { defaultChain } from '../../lib/config/default-chain.ts'
import { ERRORS, type ErrorCode } from '../../lib/errors/errors.ts'
import { reply, type Script, type ScriptedBackend, scriptedBackend, status } from '../support/backend.ts'
import { answersIn, RawConnection, rawExchange } from '../support/connection.ts'
import { ACCOUNT, eventually, KEY, serverlessAccount, type TestGateway, testGateway } from '../support/gateway.ts'
import { PIXEL } from '../support/rules.ts'

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly json: JsonObject
}

interface World {
  readonly gateway: TestGateway
  readonly backend: ScriptedBackend
}

/** A request that is refused with the code. Default: a valid chat to model `m`. */
interface Request {
  readonly method?: string
  readonly path?: string
  /** Members that replace those of the valid chat. A string is sent unchanged. null: no body. */
  readonly body?: JsonObject | string | null
  readonly headers?: Readonly<Record<string, string>>
  /** null: no credentials. */
  readonly key?: string | null
  /** The backend's reply. */
  readonly backend?: Script
}

/** Sends several requests. */
type Scene = (world: World) => Promise<Answer>

const HOST = 'acme-1.test'
const DEDICATED_KEY = 'service_dedicated_secret'
const LEGACY_KEY = 'service_legacy_secret'
const ONE_AT_A_TIME_KEY = 'service_one_secret'
const ONE_A_DAY_KEY = 'service_day_secret'
const PREPAID_KEY = 'service_prepaid_secret'
const MEMORY_KEY = 'service_memory_secret'

const responses = (body: JsonObject): Request => ({
  path: '/v1/responses',
  body: { input: 'hi', messages: undefined, ...body },
})
const tool = (members: JsonObject = {}): JsonObject => ({
  type: 'function',
  function: { name: 'f', parameters: { type: 'object', properties: {} }, ...members },
})
const toolMessage = (members: JsonObject): Request => ({
  body: {
    messages: [
      { role: 'user', content: 'hi' },
      { role: 'tool', content: 'done', ...members },
    ],
  },
})
const image = (source: JsonObject): JsonObject => ({
  messages: [{ role: 'user', content: [{ type: 'image_url', image_url: source }] }],
})
const batchRequest = (custom_id: string): JsonObject => ({
  custom_id,
  params: { model: 'm', max_tokens: 5, messages: [{ role: 'user', content: 'hi' }] },
})
const refused = (message: string) => ({ error: { message } })

/** One row per code of the error table. The compiler checks that none is missing. */
const RAISED: Readonly<Record<ErrorCode, Request | Scene>> = {
  // invalid_request_error
  invalid_json_request: { body: '{' },
  schema_validation_failed: { body: { temperature: 'hot' } },
  unsupported_parameter: responses({ previous_response_id: 'resp_1' }),
  unsupported_feature: { body: { model: 'plain', n: 2 } },
  unsupported_response_format: {
    body: { model: 'plain', response_format: { type: 'grammar', grammar: 'root ::= "a"' } },
  },
  unsupported_regex: { body: { model: 'plain', regex: 'a+' } },
  unsupported_tool_type: { body: { tools: [{ type: 'web_search' }] } },
  unsupported_input_item: responses({ input: [{ role: 'user', content: 'hi' }] }),
  tool_schema_invalid: { body: { tools: [tool({ parameters: { type: 'string' } })] } },
  tool_choice_unknown_tool: { body: { tools: [tool()], tool_choice: { type: 'function', function: { name: 'g' } } } },
  invalid_tool: responses({ tools: [{ type: 'code_interpreter' }] }),
  duplicate_tool_name: { body: { tools: [tool(), tool()] } },
  missing_tool_name: { path: '/v1/messages', body: { max_tokens: 5, tools: [{ input_schema: { type: 'object' } }] } },
  orphan_tool_message: toolMessage({ tool_call_id: 'call_1' }),
  missing_tool_call_id: toolMessage({}),
  json_schema_refs_unsupported: {
    body: {
      tools: [tool({ parameters: { type: 'object', properties: { a: { $ref: 'https://example.com/a.json' } } } })],
    },
  },
  context_length_exceeded: { body: { messages: [{ role: 'user', content: 'word '.repeat(9000) }] } },
  model_not_found: { body: { model: 'none' } },
  model_not_allowed: { body: { model: 'secret' } },
  invalid_zdr_header: { headers: { 'service-zdr': 'maybe' } },
  invalid_request_tag: { headers: { host: HOST, 'service-request-tag': 'Not A Tag' }, key: DEDICATED_KEY },
  model_zdr_not_supported: { headers: { 'service-zdr': 'required' } },
  file_id_not_allowed_with_zdr: {
    body: { model: 'zdr', ...image({ file_id: 'file-1' }) },
    headers: { 'service-zdr': 'required' },
  },
  request_body_too_large: { body: { messages: [{ role: 'user', content: 'a'.repeat(200_000) }] } },
  model_request_rejected: { backend: status(400, refused('logit_bias has a token that is out of range')) },
  http_400: { method: 'GET', path: '/v1/usage/me?period=2d', body: null },
  http_404: { method: 'GET', path: '/v1/none', body: null },
  http_405: { method: 'GET', path: '/v1/chat/completions', body: null },
  http_408: async ({ gateway }) => only(await rawExchange(gateway.url, 'GET /v1/models HTTP/1.1\r\nHost: g\r\n')),
  http_415: { headers: { 'content-encoding': 'deflate' } },
  http_417: { headers: { expect: 'tea' } },
  http_426: {
    method: 'GET',
    path: '/v1/responses',
    body: null,
    headers: { connection: 'upgrade', upgrade: 'websocket' },
  },
  http_431: { headers: { 'x-long': 'a'.repeat(40_000) } },
  // authentication_error, permission_error
  missing_api_key: { key: null },
  invalid_api_key: { key: 'service_unknown' },
  http_401: {
    method: 'GET',
    path: '/v1/serverless/keys',
    body: null,
    key: null,
    headers: { cookie: 'service_session=ended' },
  },
  http_403: { headers: { host: HOST } },
  files_require_user_key: { path: '/v1/files', body: PIXEL, key: LEGACY_KEY },
  // rate_limit_error
  concurrency_limit_exceeded: async world => {
    let answerFirst = () => {}
    world.backend.script = (...call) => {
      answerFirst = () => void reply()(...call)
    }
    const first = ask(world, { key: ONE_AT_A_TIME_KEY })
    await eventually(() => world.backend.requests.length > 0, 'the first request at the backend')
    const second = await ask(world, { key: ONE_AT_A_TIME_KEY })
    answerFirst()
    expect((await first).status).equal(200)
    return second
  },
  request_quota_exceeded: async world => {
    expect((await ask(world, { key: ONE_A_DAY_KEY })).status).equal(200)
    return ask(world, { key: ONE_A_DAY_KEY })
  },
  rate_limit_exceeded: async world => {
    const list = { method: 'GET', path: '/v1/endpoints', body: null, key: DEDICATED_KEY }
    expect((await ask(world, list)).status).equal(200)
    return ask(world, list)
  },
  request_memory_exceeded: world => whileMemoryIsHeld(world, MEMORY_KEY),
  batch_limit_exceeded: {
    path: '/v1/messages/batches',
    body: { model: undefined, messages: undefined, requests: [batchRequest('a'), batchRequest('b')] },
  },
  backend_at_capacity: { backend: status(503, refused('The request queue is full')) },
  backend_overloaded: { backend: status(429, refused('Too many requests')) },
  insufficient_credits: { key: PREPAID_KEY, body: { model: 'priced' } },
  // routing_error, server_error, internal_error
  no_healthy_backends: { backend: status(503, refused('starting')) },
  backend_timeout: { backend: () => {} },
  backend_connect_error: { body: { model: 'unreachable' } },
  backend_http_error: { backend: status(500, '<h1>Internal Server Error</h1>') },
  gateway_overloaded: world => whileMemoryIsHeld(world, KEY),
  shutting_down: async world => {
    const gateway = await testGateway({ backends: [world.backend.url], more: { drain_seconds: 0.1 } })
    world.backend.script = () => {}
    const answer = ask({ ...world, gateway }, {})
    await eventually(() => world.backend.requests.length > 0, 'the request at the backend')
    await gateway.close()
    return answer
  },
  internal_error: { headers: { 'x-fault': 'yes' } },
}

/** `x-should-retry` by code where the class of the status does not say it. undefined: no header. */
const SHOULD_RETRY: Partial<Record<ErrorCode, string | undefined>> = {
  http_408: 'true',
  concurrency_limit_exceeded: 'true',
  rate_limit_exceeded: 'true',
  request_memory_exceeded: 'true',
  backend_at_capacity: 'true',
  backend_overloaded: 'true',
  no_healthy_backends: 'true',
  gateway_overloaded: 'true',
  shutting_down: 'true',
  backend_timeout: undefined,
  backend_connect_error: undefined,
  backend_http_error: undefined,
  internal_error: undefined,
}

/** Sends a chat with this key while an upload of another account uses nearly all memory for bodies. */
async function whileMemoryIsHeld(world: World, key: string): Promise<Answer> {
  const gateway = await testGateway({
    backends: [world.backend.url],
    more: {
      memory: { bodies_bytes: 2 ** 20, account_share: 1, wait_ms: 0 },
      accounts: [serverlessAccount(ACCOUNT.replace('21', '30'), KEY), serverlessAccount(ACCOUNT, MEMORY_KEY)],
    } as unknown as JsonObject,
  })
  const upload = new RawConnection(gateway.url)
  try {
    const head = `POST /v1/chat/completions HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${MEMORY_KEY}\r\n`
    upload.write(`${head}content-type: application/json\r\ncontent-length: 466000\r\n\r\n{`)
    await eventually(async () => (await gateway.metric('sluiceway_bodies_used_bytes')) > 0, 'the upload')
    return await ask({ ...world, gateway }, { key })
  } finally {
    upload.socket.destroy()
    await gateway.close()
  }
}

/** The response in the bytes of a connection. */
function only(received: string): Answer {
  const answers = answersIn(received)
  expect(answers).length(1)
  return answers[0]!
}

/** Sends a request with node:http, because fetch does not send some of these headers. */
async function ask({ gateway, backend }: World, request: Request): Promise<Answer> {
  const { method = 'POST', path = '/v1/chat/completions', body = {}, headers = {}, key = KEY } = request
  if (request.backend !== undefined) backend.script = request.backend
  const good = { model: 'm', messages: [{ role: 'user', content: 'hi' }] }
  const text = typeof body === 'string' || body === null ? body : JSON.stringify({ ...good, ...body })
  const sent = http.request(gateway.url + path, {
    method,
    agent: false,
    headers: {
      ...(key === null ? null : { authorization: `Bearer ${key}` }),
      ...(text === null ? null : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
      ...headers,
    },
  })
  return new Promise((resolve, reject) => {
    sent.on('error', reject)
    sent.on('response', response => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('end', () => {
        resolve({
          status: response.statusCode!,
          headers: response.headers,
          json: JSON.parse(Buffer.concat(parts).toString()) as JsonObject,
        })
      })
    })
    sent.end(text ?? undefined)
  })
}

describe('every code of the error table', () => {
  let directory: string
  let backend: ScriptedBackend
  let gateway: TestGateway

  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'sluiceway-'))
    const faulty = join(directory, 'faulty.mjs')
    writeFileSync(
      faulty,
      `export default {
        name: 'faulty', summary: 'Throws where a header says so.', routes: { proxied: true },
        setup: () => ({ onBody({ headers }) { if (headers['x-fault']) throw new TypeError('fault') } }),
      }`,
    )
    backend = await scriptedBackend()
    const on = (members: JsonObject = {}) => [{ url: backend.url, model: 'up', engine: 'vllm', ...members }]
    const chat = { n: true, tools: true, streaming_tools: true }
    const able = { capabilities: { tools: true, vision: true, chat_completions: chat }, max_model_len: 8192 }
    const account = (index: number, secret: string, members: JsonObject = {}, key: JsonObject = {}): JsonObject => ({
      id: ACCOUNT.replace('21', `3${index}`),
      name: secret,
      kind: 'serverless',
      models: ['*'],
      members: [{ user: `${secret}@test`, role: 'owner' }],
      keys: [{ id: secret, kind: 'serverless', user: `${secret}@test`, secret, ...key }],
      ...members,
    })
    gateway = await testGateway({
      backends: [],
      more: {
        plugins: [...defaultChain().map(use => ({ use })), { use: faulty }],
        body_limit_bytes: 100_000,
        batches: { max_queued_requests: 1 },
        timeouts: { first_byte_ms: 1500, headers_ms: 1500, request_ms: 2500 },
        rate_limits_per_minute: { endpoints: 1 },
        models: [
          { id: 'm', ...able, backends: on() },
          { id: 'zdr', ...able, backends: on({ zdr: true }) },
          { id: 'plain', backends: on() },
          { id: 'secret', backends: on() },
          { id: 'priced', pricing: { input: 100, output: 100 }, backends: on() },
          // There is no server on the discard port. The engine has no health check, which would find that out before.
          { id: 'unreachable', backends: on({ url: 'http://127.0.0.1:9/v1', engine: 'openai' }) },
        ],
        endpoints: [{ host: HOST, models: ['m'] }],
        plans: {
          one: { tier: 'free', concurrency: 1 },
          day: { tier: 'free', requests: { limit: 1, window: '1d' } },
        },
        accounts: [
          account(0, KEY, { models: ['m', 'zdr', 'plain', 'unreachable'] }),
          account(1, DEDICATED_KEY, { kind: 'dedicated' }, { kind: 'dedicated', endpoints: [HOST] }),
          account(2, LEGACY_KEY, {}, { user: undefined }),
          account(3, ONE_AT_A_TIME_KEY, { plan: 'one' }),
          account(4, ONE_A_DAY_KEY, { plan: 'day' }),
          account(5, PREPAID_KEY, { credits_cents: 0 }),
        ],
      } as unknown as JsonObject,
    })
  })

  after(async () => {
    await gateway?.close()
    await backend?.close()
    rmSync(directory, { recursive: true, force: true })
  })

  beforeEach(() => {
    backend.requests.length = 0
    backend.script = reply()
  })

  for (const [code, row] of Object.entries(RAISED)) {
    it(`${code} is raised, in the envelope`, async () => {
      const world = { gateway, backend }
      const { status: got, json, headers } = await (typeof row === 'function' ? row(world) : ask(world, row))
      const error = json.error as JsonObject
      const [statusOfTable, type] = ERRORS[code as ErrorCode]
      expect(error, JSON.stringify(json)).include({ code, type })
      expect(got, code).equal(statusOfTable)
      const shouldRetry = code in SHOULD_RETRY ? SHOULD_RETRY[code as ErrorCode] : 'false'
      expect(headers['x-should-retry'], code).equal(shouldRetry)
      expect(error.message).a('string').not.empty
      expect(error.request_id).match(/^(req_)?[0-9a-f]{12}$/)
      expect(error.docs_url).match(new RegExp(`/docs/errors/${code}$`))
    })
  }
})
