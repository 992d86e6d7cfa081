import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import net from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import type { JsonObject } from '../../../lib/base/json.ts'
import { defaultChain } from '../../../lib/config/default-chain.ts'
import { reply, type ScriptedBackend, scriptedBackend, startStream } from '../../support/backend.ts'
import { answersIn, RawConnection, rawExchange } from '../../support/connection.ts'
import { eventually, KEY, type TestGateway, testGateway } from '../../support/gateway.ts'

/** Two plugins that record every hook. The upper one executes the header `x-do`. */
const PLUGINS = `
import { fail } from '${new URL('../../../lib/errors/errors.ts', import.meta.url).href}'
export const seen = []
export const waiting = []
export const sent = []
const acts = {
  'refuse': () => fail('http_403', { problem: 'No.' }),
  'throw': () => { throw new TypeError('/secret/plugin.ts') },
  'set a bad value': exchange => exchange.setHeader('x-note', 'Zürich → Genève'),
  'set two lines': exchange => exchange.setHeader('x-note', 'a\\r\\nb'),
  'set a bad name': exchange => exchange.setHeader('x note', 'a'),
  'reply with a bad status': exchange => exchange.reply(1000, {}),
  'reply with a bad type': exchange => exchange.reply(200, 'a', 'text/→'),
  'reply with a bad body': exchange => exchange.reply(200, { n: 1n }),
  'refuse with bad headers': () => fail('http_403', { problem: 'No.' }, { headers: { 'x-note': '→' } }),
  'refuse with a bad body': () => fail('http_403', { problem: 'No.' }, { extra: { n: 1n } }),
  'reply': exchange => exchange.reply(200, { answered: true }),
  'text': exchange => exchange.reply(203, 'plain', 'text/plain'),
  'wait': () => new Promise(resolve => waiting.push(resolve)),
  'wait and refuse': async () => { await new Promise(resolve => waiting.push(resolve)); fail('http_403', { problem: 'No.' }) },
  'wait until it is gone': exchange => new Promise(resolve => exchange.signal.addEventListener('abort', resolve)),
  'hold': exchange => exchange.holdUntil(new Promise(resolve => waiting.push(resolve))),
  'hold and refuse': exchange => exchange.holdUntil(acts['wait and refuse']()),
}
const does = (exchange, hook) => {
  for (const one of String(exchange.headers['x-do'] ?? '').split('; ')) {
    const [where, act] = one.split(': ')
    if (where === hook) return acts[act](exchange)
  }
}
const hooks = (name, act) => ({
  onHeaders(exchange) { seen.push(name + ' headers'); return act(exchange, 'headers') },
  onBody(exchange) { seen.push(name + ' body'); return act(exchange, 'body') },
  onSend(exchange) { seen.push(name + ' response ' + exchange.status); return act(exchange, 'send') },
  onFinish(exchange) { seen.push([name, 'finish', exchange.status, exchange.outcome].join(' ')) },
})
export const upper = { name: 'upper', summary: '', setup: () => hooks('upper', does) }
const noteSent = { onFinish(exchange) { sent.push(exchange.requestSent) } }
export const sends = { name: 'sends', summary: '', setup: () => noteSent }
export const lower = { name: 'lower', summary: '', setup: () => hooks('lower', () => {}) }
`

const body = { model: 'm', messages: [{ role: 'user', content: 'hi' }] }

describe('lifecycle/lifecycle', () => {
  let dir: string
  let backend: ScriptedBackend
  let gateway: TestGateway
  let seen: string[]
  let sent: boolean[]
  let waiting: (() => void)[]

  before(async () => {
    dir = mkdtempSync(join(tmpdir(), 'sluiceway-'))
    writeFileSync(join(dir, 'shared.mjs'), PLUGINS)
    for (const name of ['upper', 'lower', 'sends'])
      writeFileSync(join(dir, `${name}.mjs`), `export { ${name} as default } from './shared.mjs'\n`)
    const shared = (await import(join(dir, 'shared.mjs'))) as {
      seen: string[]
      waiting: (() => void)[]
      sent: boolean[]
    }
    seen = shared.seen
    sent = shared.sent
    waiting = shared.waiting
    backend = await scriptedBackend()
    const plugins = [
      { use: join(dir, 'upper.mjs') },
      ...defaultChain().map(use => ({ use })),
      { use: join(dir, 'lower.mjs') },
    ]
    gateway = await testGateway({ backends: [backend.url], more: { plugins: plugins as unknown as JsonObject[] } })
  })

  beforeEach(() => {
    seen.length = waiting.length = backend.requests.length = 0
    backend.script = reply()
  })

  afterEach(async () => {
    await eventually(async () => (await gateway.metric('sluiceway_requests_in_flight')) === 0, 'no request in flight')
    expect(gateway.gateway.exchanges).equal(0)
  })

  after(async () => {
    await gateway?.close()
    await backend?.close()
    rmSync(dir, { recursive: true, force: true })
  })

  async function send(act?: string, path = '/v1/chat/completions') {
    const response = await gateway.post(path, body, act === undefined ? {} : { headers: { 'x-do': act } })
    const text = await response.text()
    expect(text).not.contain('/secret')
    expect(response.headers.get('x-request-id')).match(/^req_[0-9a-f]{12}$/)
    return { status: response.status, text, type: response.headers.get('content-type') }
  }

  const codeOf = (text: string) => (JSON.parse(text) as { error: { code: string } }).error.code

  it('runs request hooks top to bottom and the others bottom to top, and ends before the last byte', async () => {
    expect((await send()).status).equal(200)
    expect(seen).deep.equal([
      'upper headers',
      'lower headers',
      'upper body',
      'lower body',
      'lower response 200',
      'upper response 200',
      'lower finish 200 done',
      'upper finish 200 done',
    ])
  })

  it('names the part of the core that refuses', async () => {
    const counted = (part: string) => gateway.metric('sluiceway_refusals_total', `{plugin="${part}",`)
    const [router, parser] = [await counted('router'), await counted('body')]
    await send(undefined, '/v1/nothing')
    expect(await counted('router')).equal(router + 1)
    await gateway.post('/v1/chat/completions', '{')
    expect(await counted('body')).equal(parser + 1)
  })

  for (const phase of ['headers', 'body']) {
    const before = phase === 'headers' ? ['upper headers'] : ['upper headers', 'lower headers', 'upper body']

    it(`calls no backend and no hook below if a plugin refuses in its ${phase} hook`, async () => {
      const { status, text } = await send(`${phase}: refuse`)
      expect([status, codeOf(text)]).deep.equal([403, 'http_403'])
      expect(seen).deep.equal([
        ...before,
        'lower response 403',
        'upper response 403',
        'lower finish 403 failed',
        'upper finish 403 failed',
      ])
      expect(backend.requests).deep.equal([])
    })

    it(`calls no backend and no hook below if a plugin replies in its ${phase} hook`, async () => {
      expect(await send(`${phase}: reply`)).deep.equal({
        status: 200,
        text: '{"answered":true}',
        type: 'application/json',
      })
      expect(await send(`${phase}: text`)).deep.equal({ status: 203, text: 'plain', type: 'text/plain' })
      expect(seen.slice(0, before.length + 4)).deep.equal([
        ...before,
        'lower response 200',
        'upper response 200',
        'lower finish 200 done',
        'upper finish 200 done',
      ])
      expect(backend.requests).deep.equal([])
    })

    it(`hides what a plugin throws in its ${phase} hook from the client, and counts it for that plugin`, async () => {
      const label = '{plugin="upper",code="internal_error"}'
      const counted = await gateway.metric('sluiceway_refusals_total', label)
      const { status, text } = await send(`${phase}: throw`)
      expect([status, codeOf(text)]).deep.equal([500, 'internal_error'])
      expect(await gateway.metric('sluiceway_refusals_total', label)).equal(counted + 1)
    })

    for (const act of [
      'set a bad value',
      'set two lines',
      'set a bad name',
      'reply with a bad status',
      'reply with a bad type',
    ])
      it(`responds with internal_error if a plugin tries to ${act} in its ${phase} hook`, async () => {
        const label = '{plugin="upper",code="internal_error"}'
        const counted = await gateway.metric('sluiceway_refusals_total', label)
        const { status, text } = await send(`${phase}: ${act}`)
        expect([status, codeOf(text)]).deep.equal([500, 'internal_error'])
        expect(await gateway.metric('sluiceway_refusals_total', label)).equal(counted + 1)
        expect(seen.slice(-2)).deep.equal(['lower finish 500 failed', 'upper finish 500 failed'])
      })

    it(`responds with internal_error if a reply cannot be JSON in its ${phase} hook`, async () => {
      const { status, text } = await send(`${phase}: reply with a bad body`)
      expect([status, codeOf(text)]).deep.equal([500, 'internal_error'])
    })

    for (const act of ['refuse with bad headers', 'refuse with a bad body'])
      it(`closes the connection and ends the exchange if a plugin tries to ${act} in its ${phase} hook`, async () => {
        expect(await send(`${phase}: ${act}`).catch((error: unknown) => error)).instanceOf(Error)
        expect(seen.slice(-2)).deep.equal(['lower finish 500 failed', 'upper finish 500 failed'])
        expect((await send()).status).equal(200)
      })

    it(`waits for an asynchronous hook in ${phase}`, async () => {
      const pending = send(`${phase}: wait`)
      await eventually(() => waiting.length === 1)
      expect(seen).deep.equal(before)
      waiting[0]!()
      expect((await pending).status).equal(200)
    })

    // If the exchange ended before the hook, a lease that the hook takes afterwards would leak.
    for (const then of ['wait', 'wait and refuse']) {
      it(`ends after a hook that has to ${then} in ${phase} if the client disconnects, and runs no other hook`, async () => {
        const abort = new AbortController()
        const pending = gateway
          .post('/v1/chat/completions', body, { headers: { 'x-do': `${phase}: ${then}` }, signal: abort.signal })
          .catch(() => {})
        await eventually(() => waiting.length === 1)
        abort.abort()
        await pending
        await new Promise(resolve => setTimeout(resolve, 30))
        expect(seen).deep.equal(before)
        expect(gateway.gateway.exchanges, 'a reload or a drain must wait for its onFinish').equal(1)
        waiting[0]!()
        await eventually(() => seen.length > before.length)
        expect(seen.slice(before.length)).deep.equal(['lower finish 499 client_gone', 'upper finish 499 client_gone'])
        expect(backend.requests).deep.equal([])
      })
    }
  }

  it('omits an invalid header that a plugin sets in onSend', async () => {
    for (const act of ['set a bad value', 'set two lines', 'set a bad name'])
      expect((await send(`send: ${act}`)).status).equal(200)
  })

  describe('while a decision is pending', () => {
    const DOWN = ['upper headers', 'lower headers', 'upper body', 'lower body']

    it('continues with the chain, and calls a backend after the decision', async () => {
      const pending = send('headers: hold')
      await eventually(() => seen.length === DOWN.length)
      await new Promise(resolve => setTimeout(resolve, 20))
      expect(seen).deep.equal(DOWN)
      expect(backend.requests).empty
      waiting[0]!()
      expect((await pending).status).equal(200)
    })

    it('refuses with the decision even if a hook below has refused too', async () => {
      const label = '{plugin="upper",code="http_403"}'
      const counted = await gateway.metric('sluiceway_refusals_total', label)
      for (const text of [JSON.stringify(body), '{', '{"model":"none","messages":[]}']) {
        waiting.length = 0
        const headers = { 'x-do': 'headers: hold and refuse', 'content-type': 'application/json' }
        const pending = gateway.post('/v1/chat/completions', text, { headers })
        await eventually(() => waiting.length === 1)
        waiting[0]!()
        const response = await pending
        expect([response.status, codeOf(await response.text())]).deep.equal([403, 'http_403'])
      }
      expect(await gateway.metric('sluiceway_refusals_total', label)).equal(counted + 3)
      expect(backend.requests).empty
    })

    it('refuses with the refusal of a hook below if the decision admits the request', async () => {
      const pending = gateway.post('/v1/chat/completions', '{', { headers: { 'x-do': 'headers: hold' } })
      await eventually(() => waiting.length === 1)
      waiting[0]!()
      expect(codeOf(await (await pending).text())).equal('invalid_json_request')
    })

    for (const act of ['hold', 'hold and refuse']) {
      it(`ends after the decision (${act}) if the client disconnects`, async () => {
        const abort = new AbortController()
        const headers = { 'x-do': `headers: ${act}` }
        const pending = gateway.post('/v1/chat/completions', body, { headers, signal: abort.signal }).catch(() => {})
        await eventually(() => seen.length === DOWN.length)
        abort.abort()
        await pending
        await new Promise(resolve => setTimeout(resolve, 30))
        expect(seen).deep.equal(DOWN)
        waiting[0]!()
        await eventually(() => seen.length > DOWN.length)
        expect(seen.slice(DOWN.length)).deep.equal(['lower finish 499 client_gone', 'upper finish 499 client_gone'])
        expect(backend.requests).empty
      })
    }

    it('ends after the decision if the client disconnects while a hook waits for something else', async () => {
      const abort = new AbortController()
      const headers = { 'x-do': 'headers: hold; body: wait until it is gone' }
      const pending = gateway.post('/v1/chat/completions', body, { headers, signal: abort.signal }).catch(() => {})
      await eventually(() => seen.length === 3)
      abort.abort()
      await pending
      await new Promise(resolve => setTimeout(resolve, 60))
      expect(seen).deep.equal(['upper headers', 'lower headers', 'upper body'])
      waiting[0]!()
      await eventually(() => seen.length > 3)
      expect(seen.slice(3)).deep.equal(['lower finish 499 client_gone', 'upper finish 499 client_gone'])
    })

    it('does not read a long body', async () => {
      const long = { ...body, messages: [{ role: 'user', content: 'x'.repeat(100_000) }] }
      const pending = gateway.post('/v1/chat/completions', long, { headers: { 'x-do': 'headers: hold and refuse' } })
      await eventually(() => waiting.length === 1)
      await new Promise(resolve => setTimeout(resolve, 30))
      expect(seen).deep.equal(['upper headers', 'lower headers'])
      waiting[0]!()
      expect((await pending).status).equal(403)
      expect(seen).not.include('upper body')
    })
  })

  it('ends if the client disconnects while its body is read, while the backend works, or in the middle of a stream', async () => {
    const head = `POST /v1/chat/completions HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${KEY}\r\n`
    const whole = (sent: JsonObject) =>
      `${head}content-length: ${JSON.stringify(sent).length}\r\n\r\n${JSON.stringify(sent)}`
    const cases: readonly (readonly [text: string, script: typeof backend.script, reached: () => boolean])[] = [
      [`${head}content-length: 100\r\n\r\n{"mod`, reply(), () => seen.includes('lower headers')],
      [whole(body), () => {}, () => backend.requests.length === 1],
      [whole({ ...body, stream: true }), startStream, () => backend.requests.length === 1],
    ]
    for (const [text, script, reached] of cases) {
      seen.length = backend.requests.length = 0
      backend.script = script
      const connection = new RawConnection(gateway.url)
      connection.write(text)
      await eventually(reached)
      connection.socket.resetAndDestroy()
      await eventually(() => seen.some(one => one.startsWith('upper finish')))
      expect(seen.slice(-2)).deep.equal(['lower finish 499 client_gone', 'upper finish 499 client_gone'])
      expect(seen.filter(one => one.includes('finish'))).lengthOf(2)
    }
  })

  it('answers a client that half-closes its connection in the middle of its body', async () => {
    const connection = new RawConnection(gateway.url)
    connection.write(
      `POST /v1/chat/completions HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${KEY}\r\ncontent-length: 100\r\n\r\n{"mod`,
    )
    await eventually(() => seen.includes('lower headers'))
    connection.socket.end()
    const [answer] = answersIn(await connection.closed)
    expect(answer).include({ status: 400 })
    expect(seen.at(-1)).equal('upper finish 400 failed')
  })

  it('records whether the request was sent to a backend', async () => {
    let connections = 0
    // A server that accepts connections and never completes a TLS handshake.
    const silent = net.createServer(socket => {
      connections++
      socket.on('error', () => {})
    })
    await new Promise<void>(resolve => silent.listen(0, '127.0.0.1', resolve))
    const { port } = silent.address() as net.AddressInfo
    const plugins = [...defaultChain().map(use => ({ use })), { use: join(dir, 'sends.mjs') }]
    const models = [`https://127.0.0.1:${port}/v1`, backend.url].map((url, i) => ({
      id: ['unreachable', 'm'][i]!,
      backends: [{ url, model: 'up', engine: 'vllm' }],
    }))
    const other = await testGateway({ backends: [], more: { models, plugins: plugins as unknown as JsonObject[] } })
    try {
      for (const [model, reached, expected] of [
        ['unreachable', () => connections > 0, false],
        ['m', () => backend.requests.length > 0, true],
      ] as const) {
        sent.length = 0
        backend.script = () => {}
        const abort = new AbortController()
        const pending = other.post('/v1/chat/completions', { ...body, model }, { signal: abort.signal }).catch(() => {})
        await eventually(reached)
        abort.abort()
        await pending
        await eventually(() => sent.length === 1)
        expect(sent, model).deep.equal([expected])
      }
      sent.length = 0
      backend.script = reply()
      await (await other.post('/v1/chat/completions', body)).text()
      await (await other.post('/v1/chat/completions', '{')).text()
      expect(sent).deep.equal([true, false])
    } finally {
      await other.close()
      silent.close()
    }
  })

  it('does not read the body of a request that is refused by its headers', async () => {
    const connection = new RawConnection(gateway.url)
    connection.write('POST /v1/chat/completions HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1000000\r\n\r\n')
    await connection.until('missing_api_key')
    connection.socket.destroy()
  })

  it('refuses a body that is not a JSON object, is too large, or has an unknown content coding', async () => {
    for (const [sent, headers, status, code] of [
      ['{', {}, 400, 'invalid_json_request'],
      ['', {}, 400, 'invalid_json_request'],
      ['[]', {}, 400, 'invalid_json_request'],
      ['x', { 'content-encoding': 'gzip' }, 400, 'invalid_json_request'],
      ['x', { 'content-encoding': 'deflate' }, 415, 'http_415'],
    ] as const) {
      const response = await gateway.post('/v1/messages', sent, { headers })
      expect(response.status).equal(status)
      expect(await response.json()).nested.include({ type: 'error', 'error.code': code })
    }
    const connection = new RawConnection(gateway.url)
    connection.write(
      `POST /v1/chat/completions HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${KEY}\r\ncontent-length: ${50 * 1024 * 1024 + 1}\r\n\r\n`,
    )
    await connection.until('request_body_too_large')
    expect(connection.received).match(/^HTTP\/1\.1 413 /)
    connection.socket.destroy()
  })

  // docs/api/README.md#request-ids: every response, success or failure, carries x-request-id
  describe('requests that no route serves', () => {
    const asked = async (request: string) => {
      const text = await rawExchange(gateway.url, request)
      const answer = answersIn(text).at(-1)!
      expect(answer.headers['x-request-id'], text).match(/^req_[0-9a-f]{12}$/)
      return answer
    }
    const cases: Readonly<Record<string, readonly [request: string, status: number, code: string]>> = {
      'an unknown path': ['GET /v1/none HTTP/1.1\r\nhost: localhost', 404, 'http_404'],
      'a path with /v1 twice': ['GET /v1/v1/models HTTP/1.1\r\nhost: localhost', 404, 'http_404'],
      'another host': ['GET /v1/models HTTP/1.1\r\nhost: elsewhere.test', 404, 'http_404'],
      'another method': ['PUT /v1/models HTTP/1.1\r\nhost: localhost', 405, 'http_405'],
      'no host': ['GET /v1/models HTTP/1.1', 400, 'http_400'],
      'two hosts': ['GET /v1/models HTTP/1.1\r\nhost: localhost\r\nhost: pass.test', 400, 'http_400'],
      'a WebSocket': ['GET /v1/responses HTTP/1.1\r\nhost: localhost\r\nupgrade: websocket', 426, 'http_426'],
      'an unknown expectation': ['POST /v1/models HTTP/1.1\r\nhost: localhost\r\nexpect: tea', 417, 'http_417'],
    }
    for (const [name, [request, status, code]] of Object.entries(cases)) {
      it(name, async () => {
        const hosts = { more: { hosts: { gateway: ['localhost'] } } }
        const strict = await testGateway({ backends: [backend.url], ...hosts })
        try {
          const text = await rawExchange(strict.url, `${request}\r\nconnection: close\r\n\r\n`)
          const [answer] = answersIn(text)
          expect(answer!.headers['x-request-id']).match(/^req_[0-9a-f]{12}$/)
          expect([answer!.status, answer!.json.error && (answer!.json.error as JsonObject).code]).deep.equal([
            status,
            code,
          ])
        } finally {
          await strict.close()
        }
      })
    }

    it('pass through onSend and onFinish', async () => {
      const { status, headers } = await asked(
        'DELETE /v1/models HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n',
      )
      expect([status, headers.allow]).deep.equal([405, 'GET, HEAD'])
      expect(seen).deep.equal([
        'lower response 405',
        'upper response 405',
        'lower finish 405 failed',
        'upper finish 405 failed',
      ])
    })

    it('are answered in the envelope of the Messages API if the path belongs to it', async () => {
      const { json } = await asked('GET /v1/messages/batches HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n')
      expect(json).nested.include({ type: 'error', 'error.code': 'http_404' })
    })
  })

  it('answers the probe requests of clients', async () => {
    expect((await fetch(gateway.url)).status).equal(200)
    const head = await fetch(gateway.url, { method: 'HEAD' })
    expect([head.status, await head.text()]).deep.equal([200, ''])
    const modelHead = await fetch(`${gateway.url}/v1/models`, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${KEY}` },
    })
    expect([modelHead.status, await modelHead.text()]).deep.equal([200, ''])
    expect(modelHead.headers.get('content-length')).equal(
      String((await (await gateway.get('/v1/models')).text()).length),
    )
    const models = await gateway.get('/v1/models?limit=1000')
    expect(models.status).equal(200)
  })
})
