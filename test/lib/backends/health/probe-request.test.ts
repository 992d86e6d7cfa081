import type { RequestListener } from 'node:http'
import { expect } from 'chai'
import { probeTimeouts, type RequestKind, sendProbe } from '../../../../lib/backends/health/probe-request.ts'
import type { JsonObject } from '../../../../lib/base/json.ts'
import { backendConfig } from '../../../support/backend-config.ts'
import { model } from '../../../support/canonical.ts'
import { deadAddress } from '../../../support/stub.ts'
import { UpstreamBench } from '../../../support/upstream.ts'

const CHAT = { path: '/chat/completions', stream: false }

describe('backends/health/probe-request', () => {
  const bench = new UpstreamBench()
  beforeEach(() => {
    bench.seen.length = 0
  })
  afterEach(() => bench.close())

  const probe = (
    url: string,
    request: RequestKind = CHAT,
    kind: ReturnType<typeof model>['kind'] = 'chat',
    replyMs = 2000,
  ) =>
    sendProbe(
      model({}, { kind }),
      backendConfig({ url: `${url}/v1`, api_key: 'k' }),
      request,
      { connectMs: 500, replyMs },
      new AbortController().signal,
    )

  const answering = (status: number, body: JsonObject | string, type = 'application/json'): RequestListener => {
    return (_req, res) => {
      res.writeHead(status, { 'content-type': type })
      res.end(typeof body === 'string' ? body : JSON.stringify(body))
    }
  }
  const choice = (finish_reason: string) => ({
    choices: [{ index: 0, message: { role: 'assistant', content: 'H' }, finish_reason }],
  })
  const event = (data: JsonObject) => `data: ${JSON.stringify(data)}\n\n`
  const chunks = (finish: string | null) =>
    `${event({ choices: [{ index: 0, delta: { content: 'H' }, finish_reason: finish }] })}data: [DONE]\n\n`

  it('requests one token, like the failed request, with the key of the backend', async () => {
    const url = await bench.server(answering(200, choice('length')))
    expect(await probe(url)).equal('ok')
    const [{ line, body, rawHeaders }] = bench.seen as [(typeof bench.seen)[number]]
    expect(line).equal('POST /v1/chat/completions HTTP/1.1')
    expect(JSON.parse(body)).include({ model: 'upstream-model', max_tokens: 1, stream: false })
    expect(rawHeaders).include('Bearer k')
    await probe(url, { ...CHAT, stream: true })
    expect(JSON.parse(bench.seen[1]!.body)).include({ stream: true })
    await probe(url, { path: '/completions', stream: false })
    expect(bench.seen[2]!.line).equal('POST /v1/completions HTTP/1.1')
    expect(JSON.parse(bench.seen[2]!.body)).include({ prompt: 'Hello', max_tokens: 1 })
  })

  it('sends one input to byte pipes', async () => {
    const url = await bench.server(answering(200, { usage: {} }))
    const asked = [
      ['embedding', '/embeddings', 'POST /v1/embeddings'],
      ['rerank', '/rerank', 'POST /v1/rerank'],
      ['score', '/score', 'POST /v1/score'],
      ['classify', '/classify', 'POST /classify'],
    ] as const
    for (const [kind, path, expected] of asked) {
      expect(await probe(url, { path, stream: false }, kind)).equal('ok')
      const { line, body } = bench.seen.at(-1)!
      expect(line).equal(`${expected} HTTP/1.1`)
      expect(JSON.parse(body)).include({ model: 'upstream-model' })
      expect(body.match(/Hello/g)).lengthOf(/rerank|score/.test(path) ? 2 : 1)
    }
    const empty = await bench.server((_req, res) => res.end())
    expect(await probe(empty, { path: '/embeddings', stream: false }, 'embedding')).equal('failed')
  })

  it('lists the models if a request would need a file', async () => {
    const url = await bench.server(answering(200, { data: [] }))
    expect(await probe(url, { path: '/audio/transcriptions', stream: false }, 'embedding')).equal('ok')
    expect(bench.seen[0]!.line).equal('GET /v1/models HTTP/1.1')
  })

  const good: Readonly<Record<string, RequestListener>> = {
    'a token': answering(200, choice('length')),
    'a stream of one': answering(200, chunks('length'), 'text/event-stream'),
    'a refusal': answering(400, { error: { message: 'no chat template' } }),
    'a full queue': answering(503, { error: { message: 'The request queue is full.' } }),
    overload: answering(429, ''),
  }
  for (const [name, script] of Object.entries(good))
    it(`succeeds with ${name}`, async () => {
      expect(await probe(await bench.server(script))).equal('ok')
    })

  const bad: Readonly<Record<string, RequestListener>> = {
    'an error': answering(500, { error: { message: 'x' } }),
    'a wrong key': answering(401, ''),
    'a missing model': answering(404, ''),
    'the finish reason `error`': answering(200, choice('error')),
    'a stream without finish reason': answering(200, chunks(null), 'text/event-stream'),
    'an error inside a stream': answering(200, event({ error: { message: 'x', code: 500 } }), 'text/event-stream'),
    'an event that is not JSON': answering(200, 'data: {\n\n', 'text/event-stream'),
    'a reply that is not JSON': answering(200, '<html>', 'text/html'),
    'a reset': req => void req.socket.resetAndDestroy(),
    'a broken reply': (_req, res) => {
      res.writeHead(200, { 'content-length': 100 }).write('{')
      setTimeout(() => res.destroy(), 10)
    },
    silence: () => {},
  }
  for (const [name, script] of Object.entries(bad))
    it(`fails by ${name}`, async () => {
      expect(await probe(await bench.server(script), CHAT, 'chat', 200)).equal('failed')
    })

  it('reports a server that cannot be reached', async () => {
    expect(await probe(await deadAddress())).equal('unreachable')
  })

  it('rejects if it is aborted', async () => {
    const url = await bench.server(() => {})
    const abort = new AbortController()
    const sent = sendProbe(model(), backendConfig({ url }), CHAT, { connectMs: 500, replyMs: 5000 }, abort.signal)
    abort.abort()
    expect(await sent.catch((error: Error) => error.name)).equal('AbortError')
  })

  it('waits as long as requests of clients, and at most a minute', () => {
    const timeouts = { connect_ms: 7, first_byte_ms: 600_000 }
    expect(probeTimeouts(timeouts)).deep.equal({ connectMs: 7, replyMs: 60_000 })
    expect(probeTimeouts({ ...timeouts, first_byte_ms: 200 }).replyMs).equal(200)
  })
})
