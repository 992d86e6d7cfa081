import { readFileSync } from 'node:fs'
import http from 'node:http'
import https from 'node:https'
import net from 'node:net'
import { mock } from 'node:test'
import tls from 'node:tls'
import { expect } from 'chai'
import { outgoingJson } from '../../../lib/body/index.ts'
import { fullPort } from '../../support/full-port.ts'
import { eventually } from '../../support/gateway.ts'
import { deadAddress } from '../../support/stub.ts'
import { UpstreamBench } from '../../support/upstream.ts'

const fixture = (name: string) => readFileSync(new URL(`../../fixtures/tls/${name}`, import.meta.url), 'utf8')
const TLS = { cert: fixture('cert.pem'), key: fixture('key.pem') }

describe('transport/client', () => {
  let bench: UpstreamBench
  beforeEach(() => {
    bench = new UpstreamBench()
  })
  afterEach(() => bench.close())

  const headersOf = (rawHeaders: readonly string[]) =>
    Object.fromEntries(rawHeaders.flatMap((name, i) => (i % 2 === 0 ? [[name.toLowerCase(), rawHeaders[i + 1]]] : [])))

  describe('what is sent', () => {
    it('is exactly these headers', async () => {
      const url = await bench.server()
      const config = { api_key: 'sk-backend', headers: { 'X-Team': 'a', 'User-Agent': 'own' } }
      await bench.answered(bench.client(`${url}/v1`, config))
      const { line, rawHeaders, body } = bench.seen[0]!
      expect(line).equal('POST /v1/chat/completions HTTP/1.1')
      const headers = headersOf(rawHeaders)
      expect(headers).deep.equal({
        host: new URL(url).host,
        connection: 'keep-alive',
        'content-type': 'application/json',
        'accept-encoding': 'identity',
        'user-agent': 'own',
        via: '1.1 sluiceway',
        authorization: 'Bearer sk-backend',
        'x-team': 'a',
        'content-length': '2',
        'x-request-id': '0123456789ab',
      })
      expect(rawHeaders.length, 'no header comes twice').equal(2 * Object.keys(headers).length)
      expect(body).equal('{}')
    })

    it('has no body headers without a body', async () => {
      const url = await bench.server()
      await bench.answered(bench.client(url), { method: 'GET', path: '/models', body: null, requestId: undefined })
      const { line, rawHeaders } = bench.seen[0]!
      expect(line).equal('GET /models HTTP/1.1')
      expect(headersOf(rawHeaders)).deep.equal({
        host: new URL(url).host,
        connection: 'keep-alive',
        'accept-encoding': 'identity',
        'user-agent': 'sluiceway',
        via: '1.1 sluiceway',
      })
    })

    it('has no credentials if the backend needs none', async () => {
      await bench.answered(bench.client(await bench.server()))
      expect(headersOf(bench.seen[0]!.rawHeaders)).not.have.property('authorization')
    })

    it('has the length of its body as content-length, and no transfer encoding', async () => {
      const client = bench.client(await bench.server())
      for (const length of [0, 10_000, 300_000]) {
        const text = `{"text":"é🎉${'x'.repeat(length)}"}`
        await bench.answered(client, { body: outgoingJson(text) })
        const { rawHeaders, body } = bench.seen.at(-1)!
        expect(body === text, String(length)).equal(true)
        const headers = headersOf(rawHeaders)
        expect(headers['content-length']).equal(String(Buffer.byteLength(text)))
        expect(headers).not.have.property('transfer-encoding')
      }
      expect(bench.connections).equal(1)
    })

    it('has its path appended to the base URL, with or without a slash at its end', async () => {
      const url = await bench.server()
      for (const base of [url, `${url}/`, `${url}/v1/`, `${url}/a/b`]) await bench.answered(bench.client(base))
      expect(bench.seen.map(({ line }) => line.split(' ')[1])).deep.equal([
        '/chat/completions',
        '/chat/completions',
        '/v1/chat/completions',
        '/a/b/chat/completions',
      ])
    })
  })

  it('is written at the end of the tick, also over a reused connection', async () => {
    const client = bench.client(await bench.server())
    await bench.answered(client)
    const writes = mock.method(net.Socket.prototype, 'write')
    try {
      const { heard } = bench.send(client)
      expect(writes.mock.callCount()).equal(0)
      await new Promise(resolve => setImmediate(resolve))
      expect(writes.mock.callCount()).above(0)
      await eventually(() => heard.isOver, 'the response')
      expect(bench.connections).equal(1)
    } finally {
      writes.mock.restore()
    }
  })

  it('passes on the response whatever its status, and follows no redirect', async () => {
    const url = await bench.server((_req, res) => res.writeHead(307, { location: '/elsewhere' }).end('moved'))
    expect(await bench.answered(bench.client(url))).equal('307 moved')
    expect(bench.seen).length(1)
  })

  describe('a backend that cannot be reached', () => {
    it('is reported as connect if the port is closed', async () => {
      const { events, error } = await bench.outcome(bench.client(await deadAddress()))
      expect(events).deep.equal(['connect'])
      expect(error!.cause).include({ code: 'ECONNREFUSED' })
    })

    it('is reported as connect-timeout if nothing answers', async () => {
      const full = await fullPort()
      try {
        const started = performance.now()
        const { events } = await bench.outcome(bench.client(`http://127.0.0.1:${full.port}`, {}, 200))
        expect(events).deep.equal(['connect-timeout'])
        expect(performance.now() - started).least(190)
      } finally {
        await full.close()
      }
    })

    it('is reported as connect-timeout if the TLS handshake is not answered', async () => {
      const silent = net.createServer(socket => socket.resume().on('error', () => {}))
      const { events } = await bench.outcome(bench.client(await bench.listen(silent, 'https'), {}, 100))
      expect(events).deep.equal(['connect-timeout'])
      expect(bench.connections).equal(1)
      await eventually(() => bench.sockets.size === 0, 'the close')
    })

    it('is reported as reset if the connection breaks before the head, by a reset or by an orderly close', async () => {
      for (const end of ['resetAndDestroy', 'end'] as const) {
        const url = await bench.server(req => void req.socket[end]())
        const { events } = await bench.outcome(bench.client(url))
        expect(events, end).deep.equal(['reset'])
      }
      expect(bench.seen, 'requests').length(2)
    })

    it('is reported as reset if it does not speak HTTP, or sends too large a head', async () => {
      const large = `HTTP/1.1 200 OK\r\nx-large: ${'x'.repeat(20_000)}\r\n\r\n`
      for (const bytes of ['SSH-2.0-OpenSSH\r\n', large]) {
        const { events } = await bench.outcome(bench.client(await bench.raw(bytes)))
        expect(events, bytes.slice(0, 20)).deep.equal(['reset'])
      }
    })

    it('is reported once if it answers early and closes', async () => {
      const url = await bench.listen(
        http.createServer((req, res) => {
          res.writeHead(413, { connection: 'close' }).end('too much')
          res.on('finish', () => req.socket.destroy())
        }),
      )
      const heard = await bench.outcome(bench.client(url), { body: outgoingJson('x'.repeat(20_000_000)) })
      await new Promise(resolve => setTimeout(resolve, 50))
      expect(heard.events.filter(event => event !== 'head')).length(1)
    })

    it('does not throw for a header that cannot be sent: the handler is called after send() has returned', async () => {
      const client = bench.client(await bench.server(), { api_key: 'a\nb' })
      const { heard } = bench.send(client)
      expect(heard.events).deep.equal([])
      await eventually(() => heard.isOver, 'an outcome')
      expect(heard.events).deep.equal(['connect'])
      expect(bench.connections).equal(0)
    })
  })

  describe('a backend behind TLS', () => {
    const trusted = tls.getCACertificates('default')
    afterEach(() => tls.setDefaultCACertificates(trusted))

    const server = () =>
      bench.listen(
        https.createServer(
          TLS,
          bench.noting((_req, res) => res.end('secret')),
        ),
        'https',
      )

    it('is called by its name over HTTP/1.1 if its certificate is trusted', async () => {
      const url = await server()
      tls.setDefaultCACertificates([...trusted, TLS.cert])
      const client = bench.client(url.replace('127.0.0.1', 'localhost'))
      for (let i = 0; i < 2; i++) expect(await bench.answered(client)).equal('200 secret')
      expect(bench.seen[0]!.line).equal('POST /chat/completions HTTP/1.1')
      expect(bench.connections).equal(1)
    })

    it('is sent nothing if it is not', async () => {
      const { events, error } = await bench.outcome(bench.client(await server()))
      expect(events).deep.equal(['connect'])
      expect((error!.cause as NodeJS.ErrnoException).code).match(/SELF_SIGNED|UNABLE_TO_VERIFY/)
      expect(bench.seen).deep.equal([])
    })
  })

  describe('close()', () => {
    it('closes idle connections and those in use', async () => {
      const url = await bench.server((req, res) => {
        if (bench.seen.length < 3) res.end('{}')
        else void req
      })
      const client = bench.client(url)
      await Promise.all([bench.answered(client), bench.answered(client)])
      expect(bench.sockets.size).equal(2)
      const { heard } = bench.send(client)
      await eventually(() => bench.seen.length === 3, 'the third request')
      client.close()
      await eventually(() => bench.sockets.size === 0 && heard.isOver, 'the close')
      expect(heard.events).deep.equal(['reset'])
    })
  })
})
