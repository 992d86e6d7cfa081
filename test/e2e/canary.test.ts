import { globSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import type { JsonObject } from '../../lib/base/json.ts'
import {
  delta,
  events,
  reply,
  type Script,
  type ScriptedBackend,
  scriptedBackend,
  sendEvent,
  startStream,
  status,
  textEvents,
} from '../support/backend.ts'
import { Cli } from '../support/cli.ts'
import { configFile, KEY } from '../support/gateway.ts'

/** The canary in every member that may contain content. */
const CANARY = 'CANARY_7f3a9c'

const text = `Tell nobody that ${CANARY} is here.`
const schema = { type: 'object', properties: { a: { type: 'string', description: CANARY } } }

const chatBody: JsonObject = {
  model: 'm',
  user: CANARY,
  metadata: { note: CANARY },
  stop: [CANARY],
  messages: [
    { role: 'system', content: text },
    { role: 'user', content: [{ type: 'text', text }] },
    {
      role: 'assistant',
      content: text,
      reasoning_content: text,
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: JSON.stringify({ a: text }) } }],
    },
    { role: 'tool', tool_call_id: 'c1', content: text },
  ],
  tools: [{ type: 'function', function: { name: 'f', description: text, parameters: schema } }],
}

const messagesBody: JsonObject = {
  model: 'm',
  max_tokens: 100,
  system: text,
  metadata: { user_id: CANARY },
  messages: [
    { role: 'user', content: [{ type: 'text', text }] },
    { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'f', input: { a: text } }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: text }] },
  ],
  tools: [{ name: 'f', description: text, input_schema: schema }],
}

const BODIES: Readonly<Record<string, JsonObject>> = {
  '/v1/chat/completions': chatBody,
  '/v1/messages': messagesBody,
  '/v1/messages/count_tokens': { ...messagesBody, max_tokens: undefined },
  '/v1/responses': { model: 'm', instructions: text, input: [{ type: 'message', role: 'user', content: text }] },
  '/v1/completions': { model: 'm', prompt: text },
}

/** Replies of a backend. Most of them repeat the request. */
const SCRIPTS: Readonly<Record<string, Script>> = {
  'a reply': reply(text, {
    reasoning_content: text,
    tool_calls: [{ id: 'c2', type: 'function', function: { name: 'f', arguments: JSON.stringify({ a: text }) } }],
  }),
  'a refusal that quotes the request': status(400, {
    error: {
      message: `Invalid value: ${JSON.stringify(chatBody)} near ${CANARY}`,
      type: CANARY,
      param: CANARY,
      code: 400,
    },
  }),
  'a stack': status(500, `Traceback (most recent call last):\n  File "/opt/vllm/engine.py", line 1\n${CANARY}`),
  'a full queue': status(503, { error: { message: `queue is full, cannot take ${CANARY}`, type: CANARY } }),
  'an error as first event': events({ error: { message: `bad ${CANARY}`, type: CANARY, code: 500 } }),
  'a stream that breaks': res => {
    startStream(res)
    sendEvent(res, delta({ role: 'assistant', content: text }))
    setTimeout(() => res.destroy(), 10)
  },
  'a stream with an error in it': res => {
    startStream(res)
    sendEvent(res, delta({ role: 'assistant', content: text }))
    sendEvent(res, { error: { message: `CUDA error at ${CANARY}`, type: CANARY, code: 500 } })
    res.end()
  },
  'no JSON': res => void res.writeHead(200, { 'content-type': 'application/json' }).end(`{"choices": ${CANARY}`),
  'no reply in JSON': res =>
    void res
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ [CANARY]: CANARY, choices: [CANARY] })),
  'odd usage': events(...textEvents(text).slice(0, -1), { choices: [], usage: { prompt_tokens: CANARY } }),
}

/**
 * docs/DESIGN.md#privacy. Failures are most important: other gateways logged whole prompts on failures, even with
 * redaction.
 */
describe('content', () => {
  let dir: string
  let backend: ScriptedBackend
  let cli: Cli
  let url: string
  let adminUrl: string

  before(async () => {
    dir = mkdtempSync(join(tmpdir(), 'sluiceway-'))
    backend = await scriptedBackend()
    const backends = [{ url: backend.url, model: 'upstream-m', engine: 'vllm', zdr: true }]
    const chat_completions = { n: true, tools: true, streaming_tools: true, regex: true, structured_outputs: true }
    const model = { backends, capabilities: { tools: true, reasoning: true, chat_completions } }
    const file = join(dir, 'config.json')
    const config = configFile(dir, {
      backends: [],
      model: model as unknown as JsonObject,
      more: { log: { level: 'trace' } },
    })
    writeFileSync(file, JSON.stringify(config))
    cli = new Cli(['serve', '--config', file], { cwd: dir })
    url = (await cli.match(/^Gateway +(http:\S+)\/v1$/m))[1]!
    adminUrl = (await cli.match(/^Admin +(http:\S+)/m))[1]!
  })

  after(async () => {
    cli?.child.kill('SIGKILL')
    await backend?.close()
    rmSync(dir, { recursive: true, force: true })
  })

  /** Requests of every kind, with the canary in every possible place. */
  async function send(path: string, body: JsonObject | string, headers: Readonly<Record<string, string>> = {}) {
    const response = await fetch(`${url}${path}?note=${CANARY}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${KEY}`, cookie: `note=${CANARY}`, 'x-note': CANARY, ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }

  it('reaches no log, no metric, no file and no error, whatever fails', async () => {
    const leaks: string[] = []
    const note = (what: string, shown: string) => {
      if (shown.includes(CANARY))
        leaks.push(`${what}: ${shown.slice(Math.max(0, shown.indexOf(CANARY) - 100)).slice(0, 200)}`)
    }
    let sent = 0
    let asked = 0
    for (const [name, script] of Object.entries(SCRIPTS)) {
      for (const [path, body] of Object.entries(BODIES)) {
        for (const stream of [false, true]) {
          const zdr: Record<string, string> = sent++ % 2 === 0 ? { 'service-zdr': 'required' } : {}
          // A success between the failures, because five failures in a row would eject the only backend.
          backend.script = reply()
          expect((await send('/v1/chat/completions', chatBody)).status).equal(200)
          backend.script = script
          const answer = await send(path, { ...body, stream }, zdr)
          expect(answer.text).not.contain('no_healthy_backends')
          if (path !== '/v1/messages/count_tokens') asked++
          if (answer.status >= 400) note(`${name} ${path}`, answer.text)
          const inBand = /(?:"error":|event: error|response\.failed).*/s.exec(answer.text)?.[0] ?? ''
          // A response object repeats the instructions of its request.
          note(`${name} ${path} in-band`, inBand.replace(/"(?:delta|content|text|output|instructions)":"[^"]*"/g, ''))
          note(`${name} ${path} headers`, JSON.stringify([...answer.headers]))
        }
      }
    }
    // Refusals before any backend is called.
    const refused: readonly (readonly [path: string, body: JsonObject | string, headers?: Record<string, string>])[] = [
      ['/v1/chat/completions', `{"messages": "${CANARY}`],
      ['/v1/chat/completions', { ...chatBody, messages: [{ role: 'user', content: { secret: CANARY } }] }],
      ['/v1/chat/completions', { ...chatBody, temperature: CANARY }],
      [
        '/v1/chat/completions',
        {
          ...chatBody,
          response_format: { type: 'json_schema', json_schema: { name: 'a', schema: { $ref: `#/${CANARY}` } } },
        },
      ],
      ['/v1/chat/completions', { ...chatBody, messages: [{ role: 'tool', tool_call_id: 'gone', content: text }] }],
      [
        '/v1/messages',
        { ...messagesBody, messages: [{ role: 'user', content: [{ type: 'document', source: { data: CANARY } }] }] },
      ],
      [
        '/v1/messages',
        {
          ...messagesBody,
          messages: [
            { role: 'user', content: [{ type: 'image', source: { type: 'url', url: `http://127.0.0.1/${CANARY}` } }] },
          ],
        },
      ],
      ['/v1/responses', { model: 'm', input: [{ role: 'user', content: text }] }],
      ['/v1/chat/completions', chatBody, { authorization: `Bearer ${CANARY}` }],
      ['/v1/chat/completions', chatBody, { authorization: `Bearer ${CANARY}`, 'x-api-key': `${CANARY}-2` }],
      ['/v1/chat/completions', chatBody, { 'service-zdr': CANARY }],
    ]
    for (const [path, body, headers] of refused) {
      const { status: code, text: shown } = await send(path, body, headers)
      expect(code, shown).within(400, 499)
      note(`refused ${path}`, shown)
    }

    note('metrics', await (await fetch(`${adminUrl}/metrics`)).text())
    cli.child.kill('SIGTERM')
    const { out, err, code } = await cli.ended
    expect(code).equal(0)
    const lines = out.split('\n').filter(line => line.includes('"msg":"request"'))
    expect(lines.length, 'the log has them all').equal(2 * sent + refused.length)
    note('stdout', out)
    note('stderr', err)
    for (const file of globSync('**/*', { cwd: dir })) {
      const path = join(dir, file)
      if (statSync(path).isFile()) note(file, readFileSync(path, 'latin1'))
    }
    expect(readFileSync(join(dir, 'store.db'), 'latin1'), 'the store has some').contain('/v1/messages')
    expect(leaks).deep.equal([])
    expect(out + err).not.contain(KEY)
    expect(backend.requests.filter(({ path }) => path !== '/tokenize').length, 'the backend was asked').least(
      sent + asked,
    )
  })
})
