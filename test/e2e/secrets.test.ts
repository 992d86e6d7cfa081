import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import net from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import type { JsonObject } from '../../lib/base/json.ts'
import { type Script, type ScriptedBackend, scriptedBackend, sendEvent, startStream } from '../support/backend.ts'
import { Cli } from '../support/cli.ts'
import { configFile } from '../support/gateway.ts'
import { SURFACES, saidTo, streamEvent, wholeReply } from '../support/surfaces.ts'

/** Words without any other use. An occurrence is a leak. */
const CANARY = 'Zanzibar'
const canary = (what: string) => `${CANARY}${what}`
const KEY = `service_${canary('Key')}_8c1f`
const BACKEND_KEY = canary('BackendKey')

/** Replies of a backend that repeat the whole request. */
const ANSWERS: Readonly<Record<string, (echo: string) => Script>> = {
  good: () => (res, request) => {
    const text = `so: ${canary('Reply')}`
    if (request.body.stream !== true) return void res.end(JSON.stringify(wholeReply(request, text)))
    startStream(res)
    sendEvent(res, streamEvent(request, text))
    sendEvent(res, streamEvent(request, undefined, 'stop'))
    res.end('data: [DONE]\n\n')
  },
  'tool call':
    () =>
    (res, { body }) => {
      const call = {
        index: 0,
        id: 'c1',
        type: 'function',
        function: { name: 'f', arguments: `{"a":"${canary('Reply')}` },
      }
      const choice = { index: 0, finish_reason: 'tool_calls' }
      if (body.stream !== true) {
        return void res.end(
          JSON.stringify({ choices: [{ ...choice, message: { role: 'assistant', tool_calls: [call] } }] }),
        )
      }
      startStream(res)
      sendEvent(res, { choices: [{ ...choice, delta: { tool_calls: [call] } }] })
      res.end('data: [DONE]\n\n')
    },
  ...Object.fromEntries(
    [400, 401, 403, 404, 413, 422, 429, 500, 502, 503].map(status => [
      `status ${status}`,
      (echo: string): Script =>
        res => {
          res.writeHead(status, { 'content-type': 'application/json', 'x-debug': 'x' })
          res.end(
            JSON.stringify({
              error: {
                message: `${canary('Reply')} refused: ${echo}`,
                type: canary('Type'),
                param: canary('Param'),
                code: status,
              },
            }),
          )
        },
    ]),
  ),
  'a validation dump': echo => res => {
    res.writeHead(422)
    res.end(
      JSON.stringify({
        detail: [{ loc: ['body', 'messages', 0, 'content'], msg: `value is not valid: ${echo}`, input: echo }],
      }),
    )
  },
  'a context error': echo => res => {
    res.writeHead(400)
    res.end(
      JSON.stringify({
        error: {
          message: `This model's maximum context length is 10 tokens. Your prompt '${echo}' has 20 ${canary('Reply')}`,
          type: 'BadRequestError',
        },
      }),
    )
  },
  'an HTML page': echo => res =>
    void res.writeHead(500, { 'content-type': 'text/html' }).end(`<h1>${echo} ${canary('Reply')}</h1>`),
  'an error in a stream': echo => res => {
    startStream(res)
    sendEvent(res, { error: { message: `queue is full: ${echo} ${canary('Reply')}`, code: 503 } })
    res.end()
  },
  'a break in the middle': echo => (res, request) => {
    startStream(res)
    sendEvent(res, streamEvent(request, 'so'))
    sendEvent(res, { error: { message: `died of ${echo} ${canary('Reply')}`, code: 500 } })
    res.end()
  },
  'no JSON': echo => res => void res.end(`{"choices": ${echo} ${canary('Reply')}`),
  'no JSON in a stream': echo => (res, request) => {
    startStream(res)
    sendEvent(res, streamEvent(request, 'so'))
    res.end(`data: {"choices": ${echo} ${canary('Reply')}\n\n`)
  },
  'bad usage': () => (res, request) =>
    void res.end(JSON.stringify({ ...wholeReply(request, 'x'), usage: { prompt_tokens: canary('Reply') } })),
  'a strange finish': () => (res, request) =>
    void res.end(JSON.stringify(wholeReply(request, 'x')).replace('"stop"', `"${canary('Reply')}"`)),
  'no HTTP': echo => (_res, _request, req) => void req.socket.end(`${canary('Reply')} ${echo}\r\n`),
  'a reset': () => (_res, _request, req) => void req.socket.resetAndDestroy(),
  silence: () => () => {},
}

describe('secrets of one client', () => {
  let backend: ScriptedBackend
  let directory: string
  let gateway: Cli
  let url: string
  let adminUrl: string
  /** Bodies of all error responses. */
  const refusals: { what: string; text: string }[] = []

  before(async () => {
    backend = await scriptedBackend((res, request, req) => {
      const [kind] = saidTo(request).split('|')
      const echo = JSON.stringify(request.body)
      return (ANSWERS[kind!] ?? ANSWERS.good!)(echo)(res, request, req)
    })
    directory = mkdtempSync(join(tmpdir(), 'sluiceway-'))
    const target = { url: backend.url, model: 'up', engine: 'vllm', zdr: true, api_key: BACKEND_KEY }
    const config = configFile(directory, {
      backends: [],
      model: {
        // About one per request, because a backend that always fails is ejected.
        backends: Array.from({ length: 40 }, (_, i) => ({ ...target, url: `${backend.url}${'/'.repeat(i)}` })),
        capabilities: {
          vision: true,
          tools: true,
          messages: { vision: true },
          chat_completions: { regex: true, structured_outputs: true, tools: true, streaming_tools: true },
        },
      },
      account: { keys: [{ id: 'k1', user: 'alice@test', kind: 'serverless', secret: KEY }] },
      more: {
        log: { level: 'trace' },
        timeouts: { first_byte_ms: 1500, connect_ms: 1500, headers_ms: 2000, request_ms: 2000 },
        image_fetch: { allow: ['127.0.0.0/8'] },
      },
    })
    const file = join(directory, 'config.json')
    writeFileSync(file, JSON.stringify(config))
    gateway = new Cli(['serve', '--config', file], { cwd: directory })
    url = (await gateway.match(/Gateway {2}(http:\S+)\/v1/))[1]!
    adminUrl = (await gateway.match(/Admin {4}(http:\/\/\S+) /))[1]!
  })

  after(async () => {
    gateway?.child.kill('SIGKILL')
    await gateway?.ended
    await backend?.close()
    rmSync(directory, { recursive: true, force: true })
  })

  const send = async (path: string, body: JsonObject | string, headers: Record<string, string> = {}, key = KEY) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      body: text,
    })
    const answer = await response.text()
    // For a broken stream, only the error.
    const failure = response.ok ? (/"error":\{.*/.exec(answer)?.[0] ?? '') : answer
    refusals.push({ what: `${path} ${response.status} ${text.slice(0, 200)}`, text: failure })
    return { status: response.status, answer }
  }

  it('occur in replies of every kind, on every route, with and without ZDR', async () => {
    const statuses = new Set<number>()
    for (const zdr of [false, true]) {
      for (const { path, body } of SURFACES) {
        for (const kind of Object.keys(ANSWERS)) {
          for (const stream of [true, false]) {
            const headers = zdr ? { 'service-zdr': 'required' } : {}
            const { status } = await send(path, body(`${kind}|${canary('Prompt')} €"'`, stream), headers)
            statuses.add(status)
          }
        }
      }
    }
    // Each of them was sent.
    expect([...statuses]).include.members([200, 400, 429, 502, 504])
    expect(
      backend.requests.filter(({ headers }) => headers.authorization === `Bearer ${BACKEND_KEY}`).length,
    ).greaterThan(200)
  })

  it('occur in refusals of every kind', async () => {
    const c = canary('Body')
    const long = c.repeat(100_000)
    const messages = [{ role: 'user', content: c }]
    const tools = [
      {
        type: 'function',
        name: 'f',
        function: { name: 'f', description: c, parameters: { type: 'object', properties: {}, const: c } },
      },
    ]
    const bodies: (JsonObject | string)[] = [
      `{"messages": [${c}]}`,
      `{"messages": "${c}`,
      c,
      `"${c}"`,
      `["${c}"]`,
      { model: 'm', messages: c, input: 5, prompt: { a: c } },
      { model: 'm', messages: [c], input: [c], prompt: [[c]] },
      {
        model: 'm',
        messages: [{ role: c, content: c }],
        input: [{ type: 'message', role: c, content: c }],
        prompt: [c, 1],
      },
      {
        model: 'm',
        messages: [{ role: 'user', content: [{ type: 'text', text: [c] }] }],
        input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: [c] }] }],
      },
      { model: 'm', messages, input: c, prompt: c, temperature: c, max_tokens: c, max_output_tokens: c },
      { model: 'm', messages, input: c, prompt: c, unknown_member: c, max_tokens: 5 },
      {
        model: 'm',
        messages,
        input: c,
        prompt: c,
        stop: [[c]],
        stop_sequences: [[c]],
        metadata: c,
        user: c,
        max_tokens: 5,
      },
      { model: 'm', messages, input: c, prompt: c, tools: [c], max_tokens: 5 },
      { model: 'm', messages, input: c, prompt: c, tools: [...tools, ...tools], max_tokens: 5 },
      {
        model: 'm',
        messages,
        input: c,
        max_tokens: 5,
        tools: [
          {
            type: 'function',
            name: 'f',
            description: c,
            parameters: c,
            function: { name: 'f', parameters: { $ref: `https://x.test/${c}` } },
          },
        ],
      },
      {
        model: 'm',
        messages,
        input: c,
        prompt: c,
        max_tokens: 5,
        response_format: { type: 'json_schema', json_schema: { name: 'x', schema: { $ref: `#/$defs/${c}` } } },
        text: { format: { type: 'json_schema', name: 'x', schema: { $ref: c } } },
      },
      {
        model: 'm',
        messages,
        input: c,
        prompt: c,
        regex: c,
        grammar: c,
        response_format: { type: 'grammar', grammar: c },
        max_tokens: 5,
      },
      {
        model: 'm',
        messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: `http://127.0.0.1:1/${c}` } }] }],
        max_tokens: 5,
      },
      {
        model: 'm',
        messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: `${backend.url}/${c}` } }] }],
        max_tokens: 5,
      },
      {
        model: 'm',
        messages: [
          { role: 'user', content: [{ type: 'image', source: { type: 'url', url: `http://${c}.invalid/x` } }] },
        ],
        max_tokens: 5,
      },
      {
        model: 'm',
        messages: [
          { role: 'user', content: [{ type: 'image_url', image_url: { url: `data:image/png;base64,${c}!` } }] },
        ],
        max_tokens: 5,
      },
      {
        model: 'm',
        messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { file_id: c } }] }],
        max_tokens: 5,
      },
      { model: 'm', messages: [{ role: 'user', content: [{ type: 'document', source: c }] }], max_tokens: 5 },
      { model: 'm', previous_response_id: c, input: c },
      { model: 'm', input: [{ type: 'item_reference', id: c }] },
      { model: 'none', messages, input: c, prompt: c, max_tokens: 5 },
      {
        model: 'm',
        messages: [{ role: 'user', content: long }, { role: 'nobody' }],
        input: [{ type: 'message', role: 'x', content: long }],
        prompt: [long, 5],
        max_tokens: 5,
      },
      `{"messages": "${long}`,
    ]
    const paths = [...SURFACES.map(({ path }) => path), '/v1/messages/count_tokens']
    for (const path of paths) {
      for (const body of bodies) {
        const { status } = await send(path, body)
        expect(status, JSON.stringify(body).slice(0, 200)).below(500)
      }
      for (const headers of [
        { 'x-api-key': canary('Header') },
        { 'service-zdr': canary('Header') },
        { cookie: canary('Header') },
      ] as Record<string, string>[]) {
        await send(path, { model: 'm', messages: [], input: c }, headers)
      }
      for (const key of [canary('WrongKey'), `${KEY} `, `${KEY}x`, '']) await send(path, '{}', {}, key)
      await send(`${path}?key=${canary('Query')}&prompt=${canary('Query')}`, '{}')
    }
    for (const authorization of [
      `Basic ${canary('WrongKey')}`,
      canary('WrongKey'),
      `Bearer ${canary('WrongKey')}, Bearer x`,
    ]) {
      await send('/v1/models', '', { authorization })
      const response = await fetch(`${url}/v1/models`, { headers: { authorization } })
      refusals.push({ what: authorization, text: await response.text() })
    }
  })

  it('occur in requests that are cut off or malformed', async () => {
    const port = Number(new URL(url).port)
    const body = JSON.stringify(SURFACES[0]!.body(`silence|${canary('Aborted')}`, true))
    const head = `POST /v1/chat/completions HTTP/1.1\r\nHost: g\r\nAuthorization: Bearer ${KEY}\r\nContent-Length: ${body.length}\r\n`
    for (const bytes of [
      head,
      `${head}\r\n${body.slice(0, -10)}`,
      `${head}\r\n${body}`,
      `${head}X ${canary('Header')}\r\n\r\n`,
      `${head}X: ${canary('Header').repeat(10_000)}\r\n\r\n`,
      `GET /${canary('Path')} HTTP/1.1\r\nHost: ${canary('Host')}\r\n\r\n`,
      `GET /${canary('Path')}?${canary('Query')} HTTP/1.1\r\nHost: a b${canary('Host')}\r\n\r\n`,
      `${canary('Method')} / HTTP/1.1\r\n\r\n`,
      `POST /v1/chat/completions HTTP/1.1\r\nHost: g\r\nAuthorization: Bearer ${KEY}\r\nTransfer-Encoding: chunked\r\n\r\n${canary('Chunk')}`,
    ]) {
      await new Promise<void>(resolve => {
        const socket = net.connect(port, '127.0.0.1')
        socket.on('error', () => {})
        socket.on('close', () => resolve())
        socket.resume()
        socket.write(bytes)
        setTimeout(() => socket.destroy(), 150)
      })
    }
  })

  it('are in no refusal', () => {
    expect(refusals.length).greaterThan(300)
    for (const { what, text } of refusals) expect(text, what).not.match(new RegExp(CANARY, 'i'))
  })

  it('are in no metric', async () => {
    expect(await (await fetch(`${adminUrl}/metrics`)).text())
      .contain('sluiceway_requests_total')
      .and.not.match(new RegExp(CANARY, 'i'))
  })

  it('are neither in the log, nor in the journal, nor in the store, nor in any other file', async () => {
    gateway.child.kill('SIGTERM')
    const { out, err, code } = await gateway.ended
    expect(code, err).equal(0)
    expect(out.split('\n').length).greaterThan(300)
    expect(out + err).not.match(new RegExp(CANARY, 'i'))
    const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter(
      entry => entry.isFile() && entry.name !== 'config.json',
    )
    expect(files.map(({ name }) => name)).include('store.db')
    for (const { parentPath, name } of files) {
      const text = readFileSync(join(parentPath, name), 'latin1')
      const at = text.toLowerCase().indexOf(CANARY.toLowerCase())
      expect(at < 0 ? '' : text.slice(at - 100, at + 100), name).equal('')
    }
  })
})
