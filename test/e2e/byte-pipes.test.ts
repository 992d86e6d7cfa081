/** Byte pipes over real sockets. */

import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { expect } from 'chai'
import OpenAI from 'openai'
import type { JsonObject } from '../../lib/base/json.ts'
import { type Script, type ScriptedBackend, scriptedBackend, status } from '../support/backend.ts'
import { eventually, KEY, type TestGateway, testGateway } from '../support/gateway.ts'
import { closeSimulators, type Running, simulatorWith } from '../support/simulator.ts'

const KINDS = { embedding: 'e', rerank: 'r', score: 's', classify: 'c', chat: 'm' }

/** One model per kind, all on the same backends. */
function modelsOn(backends: readonly JsonObject[], more: JsonObject = {}): JsonObject[] {
  return Object.entries(KINDS).map(([kind, id]) => ({ id, kind, backends: [...backends], ...more }))
}

const on = (url: string, more: JsonObject = {}): JsonObject => ({ url, model: 'up', engine: 'vllm', ...more })

const ROUTES: readonly { path: string; body: JsonObject }[] = [
  { path: '/v1/embeddings', body: { model: 'e', input: 'one two' } },
  { path: '/v1/rerank', body: { model: 'r', query: 'q', documents: ['a', 'b'] } },
  { path: '/v2/rerank', body: { model: 'r', query: 'q', documents: ['a', 'b'], top_n: 1 } },
  { path: '/v1/score', body: { model: 's', text_1: 'a', text_2: ['b', 'c'] } },
  { path: '/v1/classify', body: { model: 'c', input: ['good', 'bad'] } },
]

const EMBEDDING = { object: 'list', data: [], model: 'up', usage: { prompt_tokens: 7, total_tokens: 7 } }

const embedding: Script = res => {
  res.writeHead(200, { 'content-type': 'application/json', 'set-cookie': 'a=b', 'x-inner': 'host-17' })
  res.end(JSON.stringify(EMBEDDING))
}

describe('byte pipes', () => {
  let gateway: TestGateway
  let backend: ScriptedBackend

  /** The facts of the last record. */
  const record = () => gateway.records().at(-1)

  const embed = (init: { signal?: AbortSignal; headers?: Record<string, string> } = {}) =>
    gateway.post('/v1/embeddings', { model: 'e', input: 'x' }, init)

  afterEach(async () => {
    await gateway?.close()
    await backend?.close()
    await closeSimulators()
  })

  describe('in front of the simulated engines', () => {
    let running: Running

    const start = async (engine: 'vllm' | 'sglang' | 'llama.cpp', account: JsonObject = {}) => {
      running = await simulatorWith({ engine, models: [{ id: 'up' }] })
      const models = modelsOn([on(`${running.root}/v1`, { engine })], { pricing: { input: 100, output: 100 } })
      gateway = await testGateway({ backends: [], more: { models }, account })
    }

    it('pass the bytes of every reply, and record the usage', async () => {
      await start('vllm')
      for (const { path, body } of ROUTES) {
        const answer = await gateway.post(path, body)
        const text = await answer.text()
        expect(answer.status, text).equal(200)
        const direct = await running.post(path === '/v1/classify' ? '/classify' : path, { ...body, model: 'up' })
        expect(text, path).equal(direct.text)
        expect(answer.headers.get('content-type')).equal('application/json')
        const usage = direct.json.usage as JsonObject
        expect(record(), path).include({
          path,
          input_tokens: usage.prompt_tokens,
          output_tokens: 0,
          usage_present: true,
          model_requested: body.model,
        })
      }
    })

    it('reach what SGLang and llama.cpp have', async () => {
      await start('sglang')
      const score = { model: 's', query: 'q', items: ['a', 'b'], label_token_ids: [1, 2] }
      const calls = [...ROUTES.filter(({ path }) => path !== '/v1/score'), { path: '/v1/score', body: score }]
      for (const { path, body } of calls) expect((await gateway.post(path, body)).status, path).equal(200)
      await gateway.close()
      await start('llama.cpp')
      for (const { path, body } of ROUTES.slice(0, 3)) expect((await gateway.post(path, body)).status, path).equal(200)
    })

    it('refuse an input beyond the physical batch of llama.cpp, and keep the backend', async () => {
      await start('llama.cpp')
      const input = 'a '.repeat(600)
      for (let i = 0; i < 6; i++) {
        const refused = await gateway.post('/v1/embeddings', { model: 'e', input: [`${i}`, input] })
        expect(refused.status).equal(400)
        const { error } = (await refused.json()) as { error: JsonObject }
        expect(error).include({ code: 'context_length_exceeded', context_length_limit: 512 })
      }
      expect((await gateway.post('/v1/embeddings', { model: 'e', input: 'a' })).status).equal(200)
    })

    it('serve the embeddings of the openai package, by default in base64', async () => {
      await start('vllm')
      const client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: KEY, maxRetries: 0 })
      const texts = ['rivers', 'lakes']
      const packed = await client.embeddings.create({ model: 'e', input: texts, dimensions: 16 })
      const plain = await client.embeddings.create({
        model: 'e',
        input: texts,
        dimensions: 16,
        encoding_format: 'float',
      })
      expect(packed.data.map(({ embedding }) => Array.from(embedding))).deep.equal(plain.data.map(d => d.embedding))
      expect(packed.data[0]!.embedding).length(16)
      expect(packed.usage.prompt_tokens).equal(2)
    })

    it('embed 10,000 texts in batches of 2,048, byte for byte, with usage that adds up and is charged', async () => {
      await start('vllm', { credits_cents: 1000 })
      const texts = Array.from({ length: 10_000 }, (_, i) => `Text ${i} of the corpus, "quoted" – and with ümlauts.`)
      let tokens = 0
      for (let at = 0; at < texts.length; at += 2048) {
        const body = { input: texts.slice(at, at + 2048), encoding_format: 'base64' }
        const answer = await gateway.post('/v1/embeddings', { ...body, model: 'e' })
        const direct = await running.post('/v1/embeddings', { ...body, model: 'up' })
        expect((await answer.text()) === direct.text, `from ${at}`).equal(true)
        const { prompt_tokens } = direct.json.usage as { prompt_tokens: number }
        tokens += prompt_tokens
        expect(record()).include({ input_tokens: prompt_tokens, cost_microcents: prompt_tokens * 100 })
      }
      const label = 'route="embeddings",model="e",surface="gateway",kind="input"'
      expect(await gateway.metric('sluiceway_tokens_total', label)).equal(tokens)
    })

    it('pass large bodies on, whose long texts stay bytes', async () => {
      await start('vllm', { credits_cents: 1000 })
      const text = (i: number) => `"${i}" – `.repeat(8000)
      const many = Array.from({ length: 12 }, (_, i) => text(i))
      const bodies = [
        { path: '/v1/embeddings', body: { model: 'e', input: many } },
        { path: '/v1/embeddings', body: { model: 'e', input: `${'x'.repeat(600_000)}` } },
        { path: '/v1/rerank', body: { model: 'r', query: 'q', documents: many } },
      ]
      for (const { path, body } of bodies) {
        const answer = await gateway.post(path, body)
        const text = await answer.text()
        const direct = await running.post(path, { ...body, model: 'up' })
        if (direct.status === 200) expect(text === direct.text, `${path} ${text.slice(0, 200)}`).equal(true)
        else expect(((JSON.parse(text) as JsonObject).error as JsonObject).code).equal('context_length_exceeded')
      }
    })

    it('accept token ids and lists of them', async () => {
      await start('vllm')
      for (const [input, tokens] of [
        [[1, 2, 3], 3],
        [[[1, 2], [3]], 3],
      ] as const) {
        const answer = await gateway.post('/v1/embeddings', { model: 'e', input: input as unknown as number[] })
        expect(((await answer.json()) as typeof EMBEDDING).usage.prompt_tokens).equal(tokens)
      }
    })

    it('show the kind on the model card', async () => {
      await start('vllm')
      const { data } = (await (await gateway.get('/v1/models')).json()) as {
        data: { id: string; service: JsonObject }[]
      }
      for (const { id, service } of data) expect(KINDS[service.kind as keyof typeof KINDS]).equal(id)
    })
  })

  describe('in front of a scripted backend', () => {
    const start = async (script: Script, more: JsonObject = {}, others: readonly JsonObject[] = []) => {
      backend = await scriptedBackend(script)
      const models = modelsOn([on(backend.url, { api_key: 'inner', weight: 1_000_000 }), ...others])
      gateway = await testGateway({ backends: [], more: { models, ...more } })
    }

    it('send what the client wrote, with the model of the backend, and none of its headers', async () => {
      await start(embedding)
      const headers = { cookie: 'c=1', te: 'trailers', 'x-own': 'y', expect: '100-continue', connection: 'x-own' }
      // Engines fail on half of a surrogate pair.
      const body = JSON.stringify({ model: 'e', input: ['a\ud83d'], user: 'alice', dimensions: null })
      const text = await new Promise<string>((resolve, reject) => {
        const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1')
        let got = ''
        socket.on('data', part => {
          got += part
          if (got.includes('usage')) socket.destroy()
        })
        socket.on('error', reject)
        socket.on('close', () => resolve(got))
        const lines = Object.entries({ host: 'g', authorization: `Bearer ${KEY}`, ...headers }).map(
          ([n, v]) => `${n}: ${v}`,
        )
        socket.write(
          `POST /v1/embeddings HTTP/1.1\r\n${lines.join('\r\n')}\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
        )
      })
      expect(text).match(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n/)
      expect(text).not.match(/set-cookie|x-inner/i)
      const [seen] = backend.requests
      expect(seen!.path).equal('/v1/embeddings')
      expect(seen!.body).deep.equal({ model: 'up', input: ['a\ufffd'] })
      const { host, 'x-request-id': id, ...sent } = seen!.headers
      expect(host).equal(`127.0.0.1:${backend.port}`)
      expect(id).match(/^[0-9a-f]{12}$/)
      expect(sent).deep.equal({
        'accept-encoding': 'identity',
        'user-agent': 'sluiceway',
        via: '1.1 sluiceway',
        'content-type': 'application/json',
        'content-length': String(seen!.bytes.length),
        authorization: 'Bearer inner',
        connection: 'keep-alive',
      })
    })

    it('pass the trace of a client on, and no invalid one', async () => {
      await start(embedding)
      const trace = { traceparent: '01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-x', tracestate: 'a=1' }
      await embed({ headers: trace })
      await embed({ headers: { ...trace, traceparent: `ff${trace.traceparent.slice(2)}` } })
      const [valid, invalid] = backend.requests
      expect(valid!.headers).include(trace)
      expect(invalid!.headers).not.have.any.keys('traceparent', 'tracestate')
    })

    it('refuse models of another kind on every route', async () => {
      await start(embedding)
      const calls = [
        ...ROUTES,
        { path: '/v1/chat/completions', body: { model: 'e', messages: [{ role: 'user', content: 'x' }] } },
      ]
      for (const { path, body } of calls) {
        const wrong = path === '/v1/chat/completions' ? 'e' : 'm'
        const answer = await gateway.post(path, { ...body, model: wrong })
        const { error } = (await answer.json()) as { error: JsonObject }
        expect(answer.status, path).equal(400)
        expect(error, path).include({ code: 'unsupported_feature', param: 'model' })
      }
      expect(backend.requests).length(0)
    })

    it('check bodies by their schemas', async () => {
      await start(embedding)
      const refused = async (path: string, body: JsonObject) => {
        const answer = await gateway.post(path, body)
        const { error } = (await answer.json()) as { error: JsonObject }
        return `${answer.status} ${error.code} ${error.param}`
      }
      const many = Array.from({ length: 2049 }, () => 'x')
      expect(await refused('/v1/embeddings', { model: 'e', input: 'x', nonsense: 1 })).equal(
        '400 unsupported_parameter nonsense',
      )
      expect(await refused('/v1/embeddings', { model: 'e' })).equal('400 invalid_json_request input')
      expect(await refused('/v1/embeddings', { model: 'e', input: many })).match(/^422 schema_validation_failed input/)
      expect(await refused('/v1/rerank', { model: 'r', query: 'q' })).equal('400 invalid_json_request documents')
      expect(await refused('/v1/embeddings', { model: 'no', input: 'x' })).equal('404 model_not_found model')
    })

    it('report errors of the backend in the envelope', async () => {
      await start(
        status(400, { error: { message: 'This model does not support dimensions', type: 'BadRequestError' } }),
      )
      const answer = await embed()
      expect(answer.status).equal(400)
      const { error } = (await answer.json()) as { error: JsonObject }
      expect(error.code).equal('model_request_rejected')
      // From the client's Host header, not from the backend's address.
      expect(String(error.docs_url)).match(new RegExp(`^${gateway.url}/`))
      backend.script = status(500, 'Traceback of /opt/engine.py')
      const failed = await embed()
      expect(failed.status).equal(502)
      expect(await failed.text()).not.contain('engine.py')
    })

    it('try another backend before the first byte, and only then', async () => {
      const other = await scriptedBackend(embedding)
      await start(res => void res.socket?.destroy(), {}, [on(other.url, { weight: 0.001 })])
      expect((await embed()).status).equal(200)
      expect(other.requests[0]!.body).deep.equal(backend.requests[0]!.body)
      backend.script = res => {
        res.writeHead(200, { 'content-type': 'application/json' })
        res.write('{"data":')
        setTimeout(() => res.socket?.destroy(), 20)
      }
      const broken = await embed()
      expect(broken.status).equal(200)
      const failed = await broken.text().then(
        () => false,
        () => true,
      )
      expect(failed).equal(true)
      expect(other.requests).length(1)
      await other.close()
    })

    it('end when the backend closes inside a chunked body, and record that', async () => {
      await start(res => {
        res.writeHead(200, { 'content-type': 'application/json' })
        res.write('{"data":[')
        // A FIN, not a reset: Node emits no error.
        setTimeout(() => res.socket?.end(), 20)
      })
      const answer = await embed()
      expect(
        await answer.text().then(
          () => 'whole',
          () => 'cut',
        ),
      ).equal('cut')
      await eventually(() => record() !== undefined, 'the record')
      expect(record()).include({ stream_error_type: 'backend_http_error', usage_present: false })
    })

    it('pass the length that the backend names, where they do not expand the bytes', async () => {
      const text = JSON.stringify({ ...EMBEDDING, data: 'x'.repeat(200_000) })
      const script = (body: string | Buffer, more: Record<string, string>): Script => {
        return res => {
          res.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length, ...more })
          res.write(body.slice(0, 100))
          setTimeout(() => res.end(body.slice(100)), 20)
        }
      }
      await start(script(text, {}))
      const plain = await embed()
      expect(await plain.text()).equal(text)
      expect(plain.headers.get('content-length')).equal(String(text.length))
      backend.script = script(gzipSync(text), { 'content-encoding': 'gzip' })
      const expanded = await embed()
      expect(await expanded.text()).equal(text)
      expect(expanded.headers.get('content-length')).equal(null)
    })

    it('end by the timeouts of the gateway: for the first byte, and between two', async () => {
      await start(() => {}, { timeouts: { connect_ms: 300, first_byte_ms: 200, idle_ms: 200 } })
      const silent = await embed()
      expect(silent.status).equal(504)
      expect(((await silent.json()) as { error: JsonObject }).error.code).equal('backend_timeout')
      await eventually(() => backend.aborted.length === 1)
      backend.script = res => {
        res.writeHead(200, { 'content-type': 'application/json' })
        res.write('{')
      }
      const stalled = await embed()
      expect(
        await stalled.text().then(
          () => 'whole',
          () => 'cut',
        ),
      ).equal('cut')
      await eventually(() => backend.aborted.length === 2)
    })

    it('close the connection to the backend when the client leaves, in every phase', async () => {
      let begun = 0
      await start(() => void begun++)
      const early = new AbortController()
      const pending = embed({ signal: early.signal }).catch(() => 'left')
      await eventually(() => begun === 1)
      early.abort()
      expect(await pending).equal('left')
      await eventually(() => backend.aborted.length === 1)
      backend.script = res => {
        res.writeHead(200, { 'content-type': 'application/json' })
        res.write('{')
      }
      const late = new AbortController()
      const answer = await embed({ signal: late.signal })
      late.abort()
      await answer.text().catch(() => '')
      await eventually(() => backend.aborted.length === 2)
      await eventually(async () => (await gateway.metric('sluiceway_requests_in_flight')) === 0)
      expect(record()).include({ status_code: 499 })
    })

    it('stop reading from the backend while the client does not read', async () => {
      const block = Buffer.alloc(64 * 1024, 0x20)
      let written = 0
      await start(res => {
        res.writeHead(200, { 'content-type': 'application/json' })
        const more = () => {
          while (written < 200 * 1024 * 1024) {
            written += block.length
            if (!res.write(block)) return void res.once('drain', more)
          }
          res.end()
        }
        more()
      })
      const socket: Socket = connect(Number(new URL(gateway.url).port), '127.0.0.1')
      socket.on('error', () => {})
      const body = '{"model":"e","input":"x"}'
      socket.write(
        `POST /v1/embeddings HTTP/1.1\r\nhost: g\r\nauthorization: Bearer ${KEY}\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
      )
      socket.pause()
      await eventually(() => written > 0)
      let before = -1
      await eventually(async () => {
        const same = written === before
        before = written
        await new Promise(resolve => setTimeout(resolve, 200))
        return same
      })
      // At most the socket buffers of both connections.
      expect(written).below(40 * 1024 * 1024)
      socket.destroy()
      await eventually(() => backend.aborted.length === 1)
    })

    it('expand a body that the backend compresses all the same', async () => {
      await start(res => {
        res.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
        res.end(gzipSync(JSON.stringify(EMBEDDING)))
      })
      expect(await (await embed()).json()).deep.equal(EMBEDDING)
      expect(record()).include({ input_tokens: 7 })
    })

    it('report an empty reply', async () => {
      await start(res => void res.writeHead(200).end())
      expect((await embed()).status).equal(502)
    })

    it('count against the concurrency of their model like a chat', async () => {
      let finish = () => {}
      backend = await scriptedBackend(res => {
        finish = () => void embedding(res, backend.requests[0]!, {} as never)
      })
      const models = modelsOn([on(backend.url)], { max_concurrency: 1 })
      gateway = await testGateway({ backends: [], more: { models } })
      const first = embed()
      await eventually(() => backend.requests.length === 1)
      expect((await embed()).status).equal(429)
      finish()
      expect((await first).status).equal(200)
      backend.script = embedding
      expect((await embed()).status).equal(200)
    })

    it('send no header that names the client, whatever it claims to have forwarded', async () => {
      await start(embedding)
      const headers = {
        'x-forwarded-for': '1.2.3.4',
        'x-forwarded-host': 'evil',
        forwarded: 'for=1.2.3.4',
        via: '1.1 a',
      }
      expect((await embed({ headers })).status).equal(200)
      const sent = Object.keys(backend.requests[0]!.headers)
      expect(sent.filter(name => /forwarded/.test(name))).deep.equal([])
      expect(backend.requests[0]!.headers.via).equal('1.1 sluiceway')
      expect(backend.requests[0]!.headers.authorization).equal('Bearer inner')
    })
  })

  it('send a request again over a new connection where the backend had closed the kept one', async () => {
    let served = 0
    const server: Server = createServer((req, res) => {
      // The gateway's own requests.
      if (req.method === 'GET') return void res.end()
      served++
      req.resume()
      req.on('end', () => {
        res.writeHead(200, { 'content-type': 'application/json' })
        res.end(JSON.stringify(EMBEDDING))
      })
    })
    const requestsOf = new Map<Socket, number>()
    // The connection closes on its second request.
    server.prependListener('request', req => {
      if (req.method === 'GET') return
      const count = (requestsOf.get(req.socket) ?? 0) + 1
      requestsOf.set(req.socket, count)
      if (count === 2) req.socket.destroy()
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    gateway = await testGateway({ backends: [], more: { models: modelsOn([on(`http://127.0.0.1:${port}/v1`)]) } })
    expect((await embed()).status).equal(200)
    expect((await embed()).status).equal(200)
    // The second one was sent twice.
    expect(served).equal(3)
    server.closeAllConnections()
    server.close()
  })
})
