import { expect } from 'chai'
import type { JsonObject } from '../../../lib/base/json.ts'
import { reply, type Script, type ScriptedBackend, scriptedBackend, status } from '../../support/backend.ts'
import { eventually, type TestGateway, testGateway } from '../../support/gateway.ts'

const body = { model: 'm', messages: [{ role: 'user', content: 'hi' }] }

/** See also dispatch.slow.test.ts for what follows a failed attempt, and test/e2e/pipe.test.ts for broken replies. */
describe('dispatch/attempt', () => {
  let backend: ScriptedBackend
  let gateway: TestGateway

  beforeEach(async () => {
    backend = await scriptedBackend()
    gateway = await testGateway({ backends: [backend.url], more: { timeouts: { first_byte_ms: 1000 } } })
  })

  afterEach(async () => {
    await eventually(async () => (await gateway.metric('sluiceway_backend_requests_in_flight')) === 0, 'no request')
    await gateway?.close()
    await backend?.close()
  })

  async function send(script: Script, sent: JsonObject = body) {
    backend.script = script
    const response = await gateway.post('/v1/chat/completions', sent)
    const text = await response.text()
    return { status: response.status, text, error: (JSON.parse(text) as { error?: JsonObject }).error }
  }

  /** Answers this many requests at the same time, so that as many connections stay open. */
  async function openConnections(count: number): Promise<void> {
    const waiting: (() => void)[] = []
    backend.script = (res, request, req) => {
      waiting.push(() => void reply()(res, request, req))
      if (waiting.length === count) for (const release of waiting) release()
    }
    await Promise.all(
      Array.from({ length: count }, async () => (await gateway.post('/v1/chat/completions', body)).text()),
    )
    backend.requests.length = 0
  }

  it('repeats the request if kept-alive connections were closed unnoticed, for any number of them', async () => {
    await openConnections(6)
    const old = new Set<unknown>()
    const { status: got } = await send((res, request, req) => {
      if (old.size === 0) {
        old.add(req.socket)
        return void req.socket.resetAndDestroy()
      }
      expect(old.has(req.socket)).equal(false)
      void reply()(res, request, req)
    })
    expect(got).equal(200)
    expect(backend.requests).lengthOf(2)
    expect(new Set(backend.requests.map(({ bytes }) => String(bytes))).size).equal(1)
    expect(await gateway.metric('sluiceway_retries_total'), 'these are no retries').equal(0)
  })

  it('on a new connection, and once: the request may have crashed the backend', async () => {
    await openConnections(6)
    const { error } = await send((_res, _request, req) => void req.socket.resetAndDestroy())
    expect(error).include({ code: 'backend_connect_error' })
    expect(backend.requests).lengthOf(2)
    expect(backend.requests[1]!.headers.connection).equal('close')
  })

  it('and only if the connection closed at once', async () => {
    await gateway.close()
    gateway = await testGateway({ backends: [backend.url], more: { timeouts: { first_byte_ms: 5000 } } })
    await openConnections(3)
    const { error } = await send((_res, _request, req) => void setTimeout(() => req.socket.resetAndDestroy(), 1100))
    expect(error).include({ code: 'backend_connect_error' })
    expect(backend.requests).lengthOf(1)
  })

  it('does not repeat a request on a new connection', async () => {
    const { error } = await send((_res, _request, req) => void req.socket.resetAndDestroy())
    expect(error).include({ code: 'backend_connect_error', type: 'routing_error' })
    expect(backend.requests).lengthOf(1)
  })

  it('reads a limited part of an error', async () => {
    const long = { error: { message: `No such ${'x'.repeat(200_000)}`, type: 'x' } }
    const { status: got, text } = await send(status(400, long))
    expect(got).equal(400)
    expect(text.length).below(1000)
    const { error } = await send(status(400, { error: { message: 'No such thing', type: 'x' } }))
    expect(error).include({ code: 'model_request_rejected' })
  })

  it('classifies an error that is cut in the middle by its status', async () => {
    const { error } = await send((res, _request, req) => {
      res.writeHead(429, { 'content-type': 'application/json', 'content-length': 1000 }).write('{"error":')
      setTimeout(() => req.socket.destroy(), 20)
    })
    expect(error).include({ code: 'backend_overloaded' })
  })

  it('limits the wait for the end of an error, and closes its connection', async () => {
    await gateway.close()
    gateway = await testGateway({ backends: [backend.url] })
    const { error } = await send(res => {
      res.writeHead(429, { 'content-type': 'application/json', 'content-length': 1000 }).write('{"error":')
    })
    expect(error).include({ code: 'backend_overloaded' })
    await eventually(() => backend.aborted.length === 1, 'the close')
  })

  it('does not treat a response with another status than 200 as a reply', async () => {
    for (const other of [201, 204, 302, 304]) {
      const { status: got, error } = await send(res => void res.writeHead(other, { location: '/elsewhere' }).end())
      expect([got, error?.code], String(other)).deep.equal([502, 'backend_http_error'])
    }
  })

  it('waits for a silent backend until the timeout', async () => {
    const started = performance.now()
    const { error } = await send(() => {})
    expect(error).include({ code: 'backend_timeout' })
    expect(performance.now() - started).least(990)
    await eventually(() => backend.aborted.length === 1, 'the abort')
  })

  it('counts each attempt by how it ended', async () => {
    const outcomes: Record<string, Script> = {
      ok: reply(),
      refused: status(400, { error: { message: 'No such thing', type: 'x' } }),
      failed: status(500, { error: { message: 'No' } }),
      timeout: () => {},
    }
    for (const [outcome, script] of Object.entries(outcomes)) {
      await send(script)
      const counted = await gateway.metric('sluiceway_backend_requests_total', `outcome="${outcome}"`)
      expect(counted, outcome).least(1)
    }
    expect(await gateway.metric('sluiceway_backend_requests_total', 'outcome="cancelled"')).equal(0)
    const abort = new AbortController()
    backend.script = () => abort.abort()
    await gateway.post('/v1/chat/completions', body, { signal: abort.signal }).catch(() => {})
    const cancelled = () => gateway.metric('sluiceway_backend_requests_total', 'outcome="cancelled"')
    await eventually(async () => (await cancelled()) === 1, 'the count')

    await gateway.close()
    gateway = await testGateway({ backends: ['http://127.0.0.1:1/v1'] })
    await send(reply())
    expect(await gateway.metric('sluiceway_backend_requests_total', 'outcome="unreachable"')).equal(1)
  })

  it('sends the request id to the backend', async () => {
    backend.script = reply()
    const response = await gateway.post('/v1/chat/completions', body)
    await response.text()
    expect(`req_${String(backend.requests.at(-1)!.headers['x-request-id'])}`).equal(
      response.headers.get('x-request-id'),
    )
  })
})
