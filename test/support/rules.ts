/**
 * A gateway with a model for every kind of rule, and requests to it with the backend's request and the client's
 * response.
 */
import { expect } from 'chai'
import type { JsonObject } from '../../lib/base/json.ts'
import { reply, type Script, type ScriptedBackend, scriptedBackend } from './backend.ts'
import { ACCOUNT, KEY, type TestGateway, testGateway } from './gateway.ts'

/** Key of an account whose policy is zero data retention. */
export const ZDR_KEY = 'service_zdr_secret'

export const SCHEMA: JsonObject = { type: 'object', properties: { a: { type: 'string' } } }
export const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** Schemas with references, and the schema for the backend; undefined: refused. */
export const REFERENCES: readonly (readonly [what: string, schema: JsonObject, sent: JsonObject | undefined])[] = [
  [
    'in $defs',
    { type: 'object', properties: { a: { $ref: '#/$defs/text' } }, $defs: { text: { type: 'string' } } },
    SCHEMA,
  ],
  [
    'in definitions',
    { type: 'object', properties: { a: { $ref: '#/definitions/text' } }, definitions: { text: { type: 'string' } } },
    SCHEMA,
  ],
  ['that is remote', { type: 'object', properties: { a: { $ref: 'https://example.com/a.json' } } }, undefined],
  ['to a file', { type: 'object', properties: { a: { $ref: 'file:///etc/hostname' } } }, undefined],
  ['that leads nowhere', { type: 'object', properties: { a: { $ref: '#/$defs/none' } } }, undefined],
  [
    'that is recursive',
    {
      type: 'object',
      properties: { a: { $ref: '#/$defs/tree' } },
      $defs: { tree: { type: 'object', properties: { child: { $ref: '#/$defs/tree' } } } },
    },
    undefined,
  ],
]

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The body, if it is JSON. */
  readonly json: JsonObject
  /** `error` of the envelope; empty if there is none. */
  readonly error: JsonObject
  /** The body that the backend was sent; undefined: it was not called. */
  readonly sent: JsonObject | undefined
}

export interface Question {
  readonly headers?: Record<string, string>
  readonly script?: Script
}

export interface Rules {
  readonly gateway: TestGateway
  readonly backend: ScriptedBackend
  ask(path: string, body: JsonObject | string, question?: Question): Promise<Answer>
  close(): Promise<void>
}

/** Call in a describe: all tests use one gateway. `more`: members of its configuration. */
export function useRules(more: JsonObject = {}): () => Rules {
  let rules: Rules | undefined
  before(async () => {
    rules = await rulesGateway(more)
  })
  after(() => rules?.close())
  return () => {
    if (rules === undefined) throw new Error('The gateway is there in hooks and tests only.')
    return rules
  }
}

/**
 * Models: `m` has every capability, like `sglang`, `llama` and `plain-openai` on those engines. `always` always
 * reasons. `fixed` has fixed sampling and no n. `plain` has no capability. `whole-tools` cannot stream tools.
 * `partition` supports regex only on its ZDR backend. The key may not use `secret`. `big` is for suggestions.
 */
async function rulesGateway(more: JsonObject): Promise<Rules> {
  const backend = await scriptedBackend()
  const on = (engine: string, members: JsonObject = {}) => [
    { url: backend.url, model: `up-${engine}`, engine, ...members },
  ]
  const chat = {
    n: true,
    grammar: true,
    regex: true,
    structured_outputs: true,
    tools: true,
    preserve_thinking: true,
    echo: true,
    suffix: true,
  }
  const all = { vision: true, tools: true, reasoning: true, reasoning_effort: { default: 'medium' } }
  const able = { ...all, chat_completions: chat }
  // An older vLLM, which supports every member of text completions.
  const profile = { text_members: ['echo', 'suffix', 'best_of'] }
  const models = [
    {
      id: 'm',
      aliases: ['alias'],
      max_model_len: 8192,
      capabilities: able,
      backends: on('vllm', { zdr: true, profile }),
    },
    { id: 'sglang', capabilities: able, backends: on('sglang') },
    { id: 'llama', capabilities: { ...all, chat_completions: { ...chat, regex: false } }, backends: on('llama.cpp') },
    { id: 'plain-openai', capabilities: able, backends: on('openai') },
    { id: 'always', capabilities: { ...able, reasoning: 'always' }, backends: on('vllm') },
    {
      id: 'fixed',
      sampling: 'fixed',
      capabilities: { ...all, chat_completions: { ...chat, n: false } },
      backends: on('vllm'),
    },
    {
      id: 'plain',
      capabilities: { chat_completions: { structured_outputs: false, echo: false, suffix: false } },
      backends: on('vllm'),
    },
    {
      id: 'whole-tools',
      capabilities: { tools: true, chat_completions: { streaming_tools: false } },
      backends: on('vllm'),
    },
    {
      id: 'partition',
      capabilities: { chat_completions: { regex: false, n: true }, zdr: { regex: true, n: false } },
      backends: [...on('vllm'), ...on('vllm', { model: 'up-zdr', zdr: true })],
    },
    { id: 'secret', backends: on('vllm') },
    { id: 'big', max_model_len: 32768, backends: on('vllm') },
  ]
  const account = (id: string, secret: string, members: JsonObject): JsonObject => ({
    id,
    name: id,
    kind: 'serverless',
    members: [{ user: `${secret}@test`, role: 'owner' }],
    keys: [{ id: secret, user: `${secret}@test`, kind: 'serverless', secret }],
    ...members,
  })
  const gateway = await testGateway({
    backends: [],
    more: {
      models,
      accounts: [
        account(ACCOUNT, KEY, { models: models.map(({ id }) => id).filter(id => id !== 'secret') }),
        account(ACCOUNT.replace('21', '22'), ZDR_KEY, { models: ['*'], zdr_required: true }),
      ],
      ...more,
    },
  })
  return {
    gateway,
    backend,
    async ask(path, body, { headers = {}, script = reply() } = {}) {
      backend.requests.length = 0
      backend.script = script
      const response = await gateway.post(path, body, { headers })
      const text = await response.text()
      const json = text.startsWith('{') ? (JSON.parse(text) as JsonObject) : {}
      const error = (json.error ?? {}) as JsonObject
      return {
        status: response.status,
        headers: response.headers,
        text,
        json,
        error,
        sent: backend.requests.at(-1)?.body,
      }
    },
    async close() {
      await gateway.close()
      await backend.close()
    },
  }
}

/** The request was refused like this, and no backend was called. */
function expectRefusal(answer: Answer, status: number, code: string, param?: string): void {
  expect({ status: answer.status, code: answer.error.code, param: answer.error.param }).deep.equal({
    status,
    code,
    param,
  })
  expect(answer.sent, 'what the backend was sent').equal(undefined)
}

/** Requests to one route; the members of a request override `base`. */
export function questions(rules: () => Rules, path: string, base: JsonObject) {
  const ask = (body: JsonObject, question?: Question): Promise<Answer> =>
    rules().ask(path, { ...base, ...body }, question)
  return {
    ask,
    /** Expects that the request is refused like this, and that no backend is called. */
    async refused(body: JsonObject, status: number, code: string, param?: string, question?: Question) {
      expectRefusal(await ask(body, question), status, code, param)
    },
    /** These members of the backend's request, if present. */
    async sent(body: JsonObject, ...names: readonly string[]): Promise<JsonObject> {
      const { sent, text } = await ask(body)
      if (sent === undefined) throw new Error(`The backend was not asked: ${text}`)
      return Object.fromEntries(names.filter(name => name in sent).map(name => [name, sent[name]]))
    },
    /** Data of the events of a streamed reply. The name of each event must be its type. */
    async streamed(body: JsonObject, question: Question): Promise<JsonObject[]> {
      const { text } = await ask({ ...body, stream: true }, question)
      const frames = text
        .trimEnd()
        .split('\n\n')
        .filter(frame => frame.startsWith('event: '))
      return frames.map(frame => {
        const [event = '', data = ''] = frame.split('\n')
        const parsed = JSON.parse(data.replace('data: ', '')) as JsonObject
        expect(`event: ${parsed.type}`).equal(event)
        return parsed
      })
    },
    /** The messages of the backend's request. */
    async sentMessages(body: JsonObject): Promise<JsonObject[]> {
      const { sent, text } = await ask(body)
      if (sent === undefined) throw new Error(`The backend was not asked: ${text}`)
      return sent.messages as JsonObject[]
    },
  }
}
