import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { EventEmitter } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import https from 'node:https'
import net, { type AddressInfo, type Socket } from 'node:net'
import tls from 'node:tls'
import { gzipSync } from 'node:zlib'
import { expect } from 'chai'
import { type OutgoingBody, outgoingJson } from '../../../lib/body/index.ts'
import { PipeClient, PipeServer } from '../../../lib/transport/pipe-client.ts'
import type { UpstreamRequest } from '../../../lib/transport/transport.ts'
import { backendConfig } from '../../support/backend-config.ts'
import { ClientExchanges, listenersOf, type OpenExchange } from '../../support/client-exchanges.ts'
import { fullPort } from '../../support/full-port.ts'
import { eventually } from '../../support/gateway.ts'
import { Heard } from '../../support/upstream.ts'

const fixture = (name: string) => readFileSync(new URL(`../../fixtures/tls/${name}`, import.meta.url), 'utf8')
const TLS = { cert: fixture('cert.pem'), key: fixture('key.pem') }

const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

/** A body whose client sends these bytes and then stalls. */
function stalledBody(first: Buffer) {
  const state = { isClosed: false }
  const pieces = [Promise.resolve({ done: false, value: first }), new Promise<never>(() => {})]
  const iterator = {
    [Symbol.asyncIterator]: () => iterator,
    next: () => pieces.shift()!,
    return() {
      state.isClosed = true
      return Promise.resolve({ done: true as const, value: undefined })
    },
  }
  const arriving = { isRepeatable: false, watch() {} }
  const body: OutgoingBody = { length: undefined, arriving, open: () => iterator }
  return { body, state }
}

describe('transport/pipe-client', () => {
  let server: Server
  let client: PipeClient
  let shared: PipeServer
  let clients: ClientExchanges
  let script: (req: IncomingMessage, res: ServerResponse) => void
  const sockets = new Set<Socket>()
  const paths: string[] = []

  beforeEach(async () => {
    paths.length = 0
    clients = new ClientExchanges()
    server = createServer((req, res) => {
      paths.push(req.url ?? '')
      req.resume().on('end', () => script(req, res))
    })
    // Only the gateway closes idle connections.
    server.keepAliveTimeout = 600_000
    server.on('connection', socket => {
      sockets.add(socket)
      socket.on('close', () => sockets.delete(socket))
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    shared = new PipeServer(origin, 500)
    client = new PipeClient(backendConfig({ url: `${origin}/v1`, api_key: 'inner' }), shared)
  })

  afterEach(async () => {
    shared.close()
    clients.close()
    await eventually(() => sockets.size === 0, 'every connection is closed')
    server.close()
  })

  /** Sends a request for `given`, or for a new exchange. */
  async function send(more: Partial<UpstreamRequest> = {}, given?: OpenExchange, to = client) {
    const exchange = given ?? (await clients.open())
    const heard = new Heard()
    const request: UpstreamRequest = { method: 'POST', path: '/embeddings', body: outgoingJson('{"a":1}'), ...more }
    const call = to.forExchange(exchange).send(request, heard)
    return { heard, call, exchange }
  }

  const isOver = (heard: Heard) => eventually(() => heard.isOver, 'the response is over')

  /** Sends a request and waits until it is over. */
  async function outcome(...request: Parameters<typeof send>): Promise<Heard> {
    const { heard } = await send(...request)
    await isOver(heard)
    return heard
  }

  it('keeps a connection for the next request, and sends the paths of the profile without the version prefix', async () => {
    script = (_req, res) => void res.end('ok')
    for (const path of ['/embeddings', '/classify']) {
      const heard = await outcome({ path })
      expect([heard.status, heard.text, heard.error]).deep.equal([200, 'ok', undefined])
    }
    expect(paths).deep.equal(['/v1/embeddings', '/classify'])
    expect(sockets.size).equal(1)
  })

  it('ignores the path of the client, in every form', async () => {
    script = (_req, res) => void res.end('ok')
    for (const path of ['/v1/embeddings?key=secret', '//v1/embeddings', 'http://[::::]/v1/embeddings'])
      expect((await outcome({}, await clients.open(path))).text).equal('ok')
    expect(paths).deep.equal(Array(3).fill('/v1/embeddings'))
  })

  describe('the headers of the client', () => {
    const HOSTILE = {
      host: 'gateway.test',
      authorization: 'Bearer secret',
      'x-api-key': 'secret',
      cookie: 'session=secret',
      expect: '100-continue',
      connection: 'close, x-secret',
      te: 'trailers',
      trailer: 'x-secret',
      'x-secret': 'secret',
      'x-forwarded-for': '1.2.3.4',
      traceparent: 'secret',
      'accept-encoding': 'gzip',
    }

    it('are not sent: a backend gets its fixed headers, those of its connection, and the length of the body', async () => {
      const heads: Record<string, unknown>[] = []
      script = (req, res) => {
        heads.push({ ...req.headers, names: req.rawHeaders.length / 2 })
        res.end('ok')
      }
      for (const body of [outgoingJson('{"a":1}'), outgoingJson(JSON.stringify('a'.repeat(500_000)))])
        await outcome({ body, requestId: '0123456789ab' }, await clients.open('/v1/embeddings', HOSTILE))
      const { port } = server.address() as AddressInfo
      const expected = (length: string) => ({
        host: `127.0.0.1:${port}`,
        'accept-encoding': 'identity',
        'user-agent': 'sluiceway',
        'content-type': 'application/json',
        'content-length': length,
        authorization: 'Bearer inner',
        'x-request-id': '0123456789ab',
        connection: 'keep-alive',
        via: '1.1 sluiceway',
        names: 9,
      })
      expect(heads).deep.equal([expected('7'), expected('500002')])
    })

    it('are restored if a header for the backend is invalid, which is reported later', async () => {
      const exchange = await clients.open('/v1/embeddings', HOSTILE)
      const { headers } = exchange.req
      const { heard } = await send({ requestId: 'a\nb' }, exchange)
      expect(exchange.req.headers).equal(headers)
      await isOver(heard)
      expect([heard.events, sockets.size]).deep.equal([['connect'], 0])
    })

    it('are restored as soon as the request has been sent', async () => {
      script = (_req, res) => void res.end('ok')
      const exchange = await clients.open('/v1/embeddings', HOSTILE)
      const { req } = exchange
      const { headers, headersDistinct, rawHeaders } = req
      const { heard } = await send({}, exchange)
      expect(req.headers).equal(headers)
      expect(headers).include({ authorization: 'Bearer secret', expect: '100-continue', host: 'gateway.test' })
      await isOver(heard)
      expect([req.headersDistinct, req.rawHeaders]).deep.equal([headersDistinct, rawHeaders])
    })
  })

  it('sets none of the timeouts of the proxy, on the client or on the backend', async () => {
    script = (_req, res) => void res.end('ok')
    const listeners: number[] = []
    const onStart = (message: unknown) => {
      listeners.push((message as { request: EventEmitter }).request.listenerCount('timeout'))
    }
    const exchange = await clients.open()
    const before = exchange.req.socket.timeout
    subscribe('http.client.request.start', onStart)
    await outcome({}, exchange)
    unsubscribe('http.client.request.start', onStart)
    expect(listeners).deep.equal([0])
    expect(exchange.req.socket.timeout).equal(before)
  })

  it('leaves no listener on shared objects', async () => {
    script = (_req, res) => void res.end('ok')
    const { kept, fresh } = shared
    const listeners = () => {
      const free = Object.values(kept.freeSockets).flatMap(sockets => sockets ?? [])
      const shareds: readonly EventEmitter[] = [kept, fresh, ...free]
      return shareds.map(one => one.eventNames().reduce((sum, name) => sum + one.listenerCount(name), 0))
    }
    const ask = async (times: number) => {
      for (let i = 0; i < times; i++) await outcome()
      await eventually(() => Object.values(kept.freeSockets).flat().length === 1)
      return listeners()
    }
    const before = await ask(3)
    expect(before).length(3)
    expect(await ask(100)).deep.equal(before)
    expect(paths).length(103)
    expect(sockets.size).equal(1)
  })

  it('leaves no listener on an exchange and writes nothing to it, whatever the outcome of its attempts', async () => {
    const exchange = await clients.open()
    const before = listenersOf(exchange)
    script = (_req, res) => void res.socket?.resetAndDestroy()
    for (let i = 0; i < 3; i++) {
      const { heard } = await send({}, exchange)
      expect(listenersOf(exchange)).equal(before)
      await isOver(heard)
      expect(heard.events).deep.equal(['reset'])
    }
    script = () => {}
    const waiting = await send({}, exchange)
    await eventually(() => paths.length === 4)
    waiting.call.cancel()
    script = (_req, res) => void res.end('ok')
    for (let i = 0; i < 20; i++) expect((await outcome({}, exchange)).text).equal('ok')
    expect(listenersOf(exchange)).equal(before)
    const { res } = exchange
    expect([res.headersSent, res.writableEnded, res.getHeaderNames()]).deep.equal([false, false, []])
  })

  it('distinguishes the kinds of failures', async () => {
    script = (_req, res) => void res.socket?.resetAndDestroy()
    const reset = await outcome()
    expect(reset.error?.kind).equal('reset')
    script = (_req, res) => {
      res.write('half')
      setTimeout(() => res.socket?.end(), 10)
    }
    const cut = await outcome()
    expect([cut.status, cut.text, cut.error?.kind]).deep.equal([200, 'half', 'broken'])
    const nowhere = new PipeServer('http://127.0.0.1:1', 500)
    const nobody = new PipeClient(backendConfig({ url: 'http://127.0.0.1:1/v1' }), nowhere)
    const refused = await send({ path: '/x', body: null }, undefined, nobody)
    await isOver(refused.heard)
    expect([refused.heard.error?.kind, refused.call.isSent]).deep.equal(['connect', false])
    nowhere.close()
  })

  describe('a connection that does not open in time', () => {
    async function timedOut(origin: string): Promise<void> {
      const slow = new PipeServer(origin, 150)
      const started = performance.now()
      const { heard, call } = await send({}, undefined, new PipeClient(backendConfig({ url: `${origin}/v1` }), slow))
      await isOver(heard)
      expect(heard.events).deep.equal(['connect-timeout'])
      expect(performance.now() - started).least(140)
      expect(call.isSent).equal(false)
      slow.close()
    }

    it('is not confused with a slow response', async () => {
      script = (_req, res) => void setTimeout(() => res.end('late'), 700)
      expect((await outcome()).text).equal('late')
    })

    it('is closed', async () => {
      const full = await fullPort()
      await timedOut(`http://127.0.0.1:${full.port}`)
      await full.close()
    })

    it('is closed in its TLS handshake too', async () => {
      const accepted = new Set<Socket>()
      const silent = net.createServer(socket => {
        accepted.add(socket)
        socket.on('error', () => {})
        socket.on('close', () => accepted.delete(socket))
        socket.resume()
      })
      await new Promise<void>(resolve => silent.listen(0, '127.0.0.1', resolve))
      await timedOut(`https://127.0.0.1:${(silent.address() as AddressInfo).port}`)
      await eventually(() => accepted.size === 0, 'the connection is closed')
      silent.close()
    })
  })

  describe('a backend with TLS', () => {
    const trusted = tls.getCACertificates('default')
    afterEach(() => tls.setDefaultCACertificates(trusted))

    async function answered(): Promise<{ heard: Heard; isSent: boolean }> {
      const secure = https.createServer(TLS, (req, res) => req.resume().on('end', () => res.end('secret')))
      await new Promise<void>(resolve => secure.listen(0, '127.0.0.1', resolve))
      const origin = `https://localhost:${(secure.address() as AddressInfo).port}`
      const connections = new PipeServer(origin, 2000)
      const to = new PipeClient(backendConfig({ url: origin }), connections)
      const { heard, call } = await send({}, undefined, to)
      await isOver(heard)
      connections.close()
      secure.close()
      return { heard, isSent: call.isSent }
    }

    it('answers if its certificate is trusted', async () => {
      tls.setDefaultCACertificates([...trusted, TLS.cert])
      const { heard, isSent } = await answered()
      expect([heard.events, heard.text, isSent]).deep.equal([['head', 'end'], 'secret', true])
    })

    it('is sent nothing if it is not', async () => {
      const { heard, isSent } = await answered()
      expect([heard.events, isSent]).deep.equal([['connect'], false])
    })
  })

  describe('a kept connection that the backend has closed', () => {
    /** Serves one request, and resets the connection at the next. Returns how many requests have come. */
    function resetSecond(): () => number {
      const served = new Set<Socket>()
      let count = 0
      script = (req, res) => {
        count++
        if (served.has(req.socket)) return void req.socket.resetAndDestroy()
        served.add(req.socket)
        res.end('ok')
      }
      return () => count
    }

    it('is replaced by a fresh one, once, and leaves no listener on the exchange', async () => {
      const count = resetSecond()
      await outcome()
      const exchange = await clients.open()
      const before = listenersOf(exchange)
      const { headers } = exchange.req
      const { heard, call } = await send({}, exchange)
      await isOver(heard)
      expect([heard.events, heard.text, count()]).deep.equal([['head', 'end'], 'ok', 3])
      expect(listenersOf(exchange)).equal(before)
      expect(exchange.req.headers).equal(headers)
      expect(call.isSent).equal(true)
      // The fresh connection is not kept.
      await eventually(() => sockets.size === 0, 'both are closed')
    })

    it('is reported as one that could not be opened if no fresh one can be', async () => {
      script = (_req, res) => void res.end('ok')
      await outcome()
      script = req => {
        server.close()
        req.socket.resetAndDestroy()
      }
      const { heard, call } = await send()
      await isOver(heard)
      expect([heard.events, call.isSent, paths.length]).deep.equal([['connect'], false, 2])
    })

    it('is not replaced after close()', async () => {
      script = (_req, res) => void res.end('ok')
      await outcome()
      script = () => {}
      const { heard } = await send()
      await eventually(() => paths.length === 2)
      shared.close()
      await isOver(heard)
      expect(heard.events).deep.equal(['reset'])
      expect(paths).length(2)
    })

    it('is not used for a body that is still arriving', async () => {
      const count = resetSecond()
      await outcome()
      const { call } = await send({ body: stalledBody(Buffer.from('{}')).body })
      await eventually(() => sockets.size === 2, 'a fresh connection')
      expect(count()).equal(1)
      call.cancel()
      await eventually(() => sockets.size === 1, 'the fresh one is closed')
    })
  })

  describe('a body that is still arriving', () => {
    const FIRST = Buffer.alloc(200_000, 'x')

    it('is sent in chunks, and closed by a response that arrives before its end', async () => {
      const heads: unknown[] = []
      server.removeAllListeners('request')
      server.on('request', (req: IncomingMessage, res: ServerResponse) => {
        const { connection, 'transfer-encoding': encoding, 'content-length': length } = req.headers
        heads.push([connection, encoding, length])
        req.once('data', () => res.end('early'))
      })
      const { body, state } = stalledBody(FIRST)
      const heard = await outcome({ body })
      expect([heard.events, heard.text]).deep.equal([['head', 'end'], 'early'])
      expect(heads).deep.equal([['keep-alive', 'chunked', undefined]])
      await eventually(() => sockets.size === 0 && state.isClosed, 'the connection is closed')
    })

    it('is read no further than the backend reads', async () => {
      server.removeAllListeners('request')
      server.on('request', (req: IncomingMessage) => void req.pause())
      let taken = 0
      const endless: OutgoingBody = {
        length: undefined,
        async *open() {
          for (;;) {
            taken += FIRST.length
            yield FIRST
          }
        },
      }
      const { call } = await send({ body: endless })
      let before = -1
      await eventually(async () => {
        const isSame = taken === before
        before = taken
        await pause(100)
        return isSame
      }, 'a stop')
      // The buffers of both sockets.
      expect(taken).within(FIRST.length, 20_000_000)
      call.cancel()
      // A server that reads nothing does not notice that its client has disconnected.
      for (const socket of sockets) socket.destroy()
    })
  })

  it('closes the connection of a cancelled request, in every phase, and reports nothing more', async () => {
    script = () => {}
    const waiting = await send()
    await eventually(() => paths.length === 1)
    waiting.call.cancel()
    await eventually(() => sockets.size === 0)
    script = (_req, res) => void res.write('half')
    const reading = await send()
    await eventually(() => reading.heard.text === 'half')
    reading.call.cancel()
    await eventually(() => sockets.size === 0)
    const unsent = await send()
    unsent.call.cancel()
    await pause(50)
    expect(paths).length(2)
    expect([waiting, reading, unsent].map(({ heard }) => heard.error)).deep.equal(Array(3).fill(undefined))
  })

  it('keeps the connection of a complete response', async () => {
    script = (_req, res) => void res.end('ok')
    const { heard, call } = await send()
    await isOver(heard)
    call.cancel()
    await outcome()
    expect([paths.length, sockets.size]).deep.equal([2, 1])
  })

  it('stops and resumes reading', async () => {
    script = (_req, res) => {
      res.write('one')
      setTimeout(() => res.end('two'), 20)
    }
    const { heard, call } = await send()
    await eventually(() => heard.text === 'one')
    call.pause()
    await pause(100)
    expect(heard.text).equal('one')
    call.resume()
    await isOver(heard)
    expect(heard.text).equal('onetwo')
  })

  it('decompresses a body, and reports one that does not match its encoding', async () => {
    script = (_req, res) => void res.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('plain'))
    const good = await outcome()
    expect([good.text, good.error]).deep.equal(['plain', undefined])
    script = (_req, res) => void res.writeHead(200, { 'content-encoding': 'gzip' }).end('no gzip')
    const bad = await outcome()
    expect(bad.error?.kind).equal('broken')
  })

  it('reports what its handler throws', async () => {
    script = (_req, res) => void res.end('ok')
    const heard = new Heard()
    heard.onData = () => {
      throw new Error('full')
    }
    client
      .forExchange(await clients.open())
      .send({ method: 'POST', path: '/embeddings', body: outgoingJson('{"a":1}') }, heard)
    await isOver(heard)
    expect(heard.error?.message).equal('full')
  })
})
