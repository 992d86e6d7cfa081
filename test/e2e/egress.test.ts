/** Client certificates, names and proxies of backends, for every kind of request to them. */
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:https'
import { type AddressInfo, createServer as createSilentServer } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import type { JsonObject } from '../../lib/base/json.ts'
import { reply, type SeenRequest } from '../support/backend.ts'
import { eventually, type TestGateway, testGateway } from '../support/gateway.ts'
import { type TestProxy, testProxy } from '../support/tunnels.ts'

const file = (name: string) => fileURLToPath(new URL(`../fixtures/tls/${name}`, import.meta.url))
const read = (name: string) => readFileSync(file(name))

/** An address that the certificate does not have. */
const HOST = '127.0.0.2'

const CHAT = { model: 'm', messages: [{ role: 'user', content: 'Hello' }] }

describe('the way to a backend', () => {
  let server: Server
  let proxy: TestProxy
  let gateway: TestGateway
  const paths: string[] = []
  const ports = new Set<number | undefined>()
  const names = new Set<unknown>()

  before(async () => {
    const own = { cert: read('cert.pem'), key: read('key.pem') }
    server = createServer({ ...own, ca: own.cert, requestCert: true, rejectUnauthorized: true }, (req, res) => {
      paths.push(req.url!)
      const parts: Buffer[] = []
      req.on('data', (part: Buffer) => parts.push(part))
      req.on('end', () => {
        if (req.method === 'GET') return void res.end('{"data":[{"id":"up"}]}')
        const body = JSON.parse(Buffer.concat(parts).toString()) as JsonObject
        if (req.url === '/v1/embeddings') {
          res.setHeader('content-type', 'application/json')
          return void res.end('{"object":"list","data":[],"model":"up","usage":{"prompt_tokens":7,"total_tokens":7}}')
        }
        void reply()(res, { body } as SeenRequest, req)
      })
    })
    server.on('secureConnection', (socket: TLSSocket) => {
      ports.add(socket.remotePort)
      names.add(socket.servername)
    })
    await new Promise<void>(resolve => server.listen(0, HOST, resolve))
  })
  beforeEach(async () => {
    paths.length = 0
    ports.clear()
    names.clear()
    proxy = await testProxy()
  })
  afterEach(async () => {
    await gateway.close()
    proxy.close()
  })
  after(() => {
    server.closeAllConnections()
    server.close()
  })

  const start = async (more: JsonObject) => {
    const url = `https://${HOST}:${(server.address() as AddressInfo).port}/v1`
    const backend = { url, model: 'up', engine: 'vllm', ...more }
    const models = [
      { id: 'm', max_model_len: 8192, backends: [backend] },
      { id: 'e', kind: 'embedding', backends: [backend] },
    ]
    gateway = await testGateway({ backends: [], more: { models } })
  }
  const embed = () => gateway.post('/v1/embeddings', { model: 'e', input: 'x' })
  const TLS = { ca: file('cert.pem'), cert: file('cert.pem'), key: file('key.pem'), servername: 'localhost' }

  it('has a client certificate and the configured name', async () => {
    await start({ tls: TLS })
    for (let i = 0; i < 2; i++) {
      expect((await gateway.post('/v1/chat/completions', CHAT)).status).equal(200)
      expect((await embed()).status).equal(200)
    }
    await eventually(() => paths.includes('/v1/models') && paths.includes('/health'), 'the requests of the gateway')
    expect([...names]).deep.equal(['localhost'])
    expect(proxy.asked).deep.equal([])
  })

  it('leads through the proxy, for every request', async () => {
    await start({ tls: TLS, proxy: proxy.url })
    expect((await gateway.post('/v1/chat/completions', CHAT)).status).equal(200)
    expect((await embed()).status).equal(200)
    await eventually(() => paths.includes('/v1/models') && paths.includes('/health'), 'the requests of the gateway')
    expect([...ports].filter(port => !proxy.ports.has(port))).deep.equal([])
    expect(new Set(proxy.asked.map(({ target }) => target))).deep.equal(
      new Set([`${HOST}:${(server.address() as AddressInfo).port}`]),
    )
    expect([...names]).deep.equal(['localhost'])
  })

  it('fails without the certificate, with another name, or with a proxy that refuses', async () => {
    const { servername: _, ...unnamed } = TLS
    for (const more of [{}, { tls: { ca: TLS.ca, servername: 'localhost' } }, { tls: unnamed }]) {
      await start(more)
      for (const response of [await gateway.post('/v1/chat/completions', CHAT), await embed()])
        expect(response.status).within(500, 504)
      await gateway.close()
    }
    expect(paths).deep.equal([])
    proxy.status = 403
    await start({ tls: TLS, proxy: proxy.url })
    for (const response of [await gateway.post('/v1/chat/completions', CHAT), await embed()]) {
      expect(response.status).equal(502)
      expect(await response.json()).nested.include({ 'error.code': 'backend_connect_error' })
    }
    expect(paths).deep.equal([])
  })

  it('fails in time if the server does not finish the TLS handshake behind the proxy', async () => {
    const silent = createSilentServer(() => {})
    await new Promise<void>(resolve => silent.listen(0, HOST, resolve))
    const url = `https://${HOST}:${(silent.address() as AddressInfo).port}/v1`
    const backend = { url, model: 'up', tls: TLS, proxy: proxy.url }
    const models = [
      { id: 'm', backends: [backend] },
      { id: 'e', kind: 'embedding', backends: [backend] },
    ]
    gateway = await testGateway({ backends: [], more: { models, timeouts: { connect_ms: 200 } } })
    try {
      for (const response of await Promise.all([gateway.post('/v1/chat/completions', CHAT), embed()])) {
        expect(response.status).within(502, 504)
        expect(await response.json()).nested.include({ 'error.code': 'backend_connect_error' })
      }
    } finally {
      silent.close()
    }
  })
})
