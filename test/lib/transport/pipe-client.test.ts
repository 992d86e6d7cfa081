import type { EventEmitter } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { expect } from 'chai'
import { outgoingJson } from '../../../lib/body/index.ts'
import { PipeClient, PipeServer } from '../../../lib/transport/pipe-client.ts'
import type { ResponseHandler, TransportError } from '../../../lib/transport/transport.ts'
import { backendConfig } from '../../support/backend-config.ts'
import { eventually } from '../../support/gateway.ts'

class Heard implements ResponseHandler {
  status = 0
  text = ''
  ended = false
  error: TransportError | undefined
  onHead(status: number): void {
    this.status = status
  }
  onData(chunk: Buffer): void {
    this.text += chunk
  }
  onEnd(): void {
    this.ended = true
  }
  onError(error: TransportError): void {
    this.error = error
  }
}

describe('pipe/pipe-client', () => {
  let server: Server
  let client: PipeClient
  let shared: PipeServer
  let script: (req: IncomingMessage, res: ServerResponse) => void
  const sockets = new Set<Socket>()
  const paths: string[] = []

  beforeEach(async () => {
    paths.length = 0
    server = createServer((req, res) => {
      paths.push(req.url ?? '')
      req.resume().on('end', () => script(req, res))
    })
    server.on('connection', socket => {
      sockets.add(socket)
      socket.on('close', () => sockets.delete(socket))
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    shared = new PipeServer(origin, 500)
    client = new PipeClient(backendConfig({ url: `${origin}/v1` }), shared)
  })

  afterEach(async () => {
    shared.close()
    await eventually(() => sockets.size === 0, 'every connection is closed')
    server.close()
  })

  function send(path = '/embeddings') {
    const heard = new Heard()
    const call = client.send({ method: 'POST', path, body: outgoingJson('{"a":1}') }, heard)
    return { heard, call }
  }

  const isOver = (heard: Heard) => eventually(() => heard.ended || heard.error !== undefined, 'the response is over')

  it('keeps a connection for the next request, and knows the paths beside the version prefix', async () => {
    script = (_req, res) => void res.end('ok')
    for (const path of ['/embeddings', '/classify']) {
      const { heard } = send(path)
      await isOver(heard)
      expect([heard.status, heard.text, heard.error]).deep.equal([200, 'ok', undefined])
    }
    expect(paths).deep.equal(['/v1/embeddings', '/classify'])
    expect(sockets.size).equal(1)
  })

  it('sends no header that the proxy would add, and sets none of its timeouts', async () => {
    const heads: string[][] = []
    script = (req, res) => {
      heads.push(req.rawHeaders)
      res.end('ok')
    }
    // The proxy reports a request that it is about to send, after it has set what it sets.
    const watched: number[] = []
    shared.line.proxy.on('proxyReq', outgoing => watched.push(outgoing.listenerCount('timeout')))
    await isOver(send().heard)
    await isOver(send().heard)
    expect(heads).length(2)
    for (const names of heads.map(head => head.filter((_, i) => i % 2 === 0).map(name => name.toLowerCase()))) {
      expect(names.toSorted()).deep.equal(
        ['accept-encoding', 'connection', 'content-length', 'content-type', 'host', 'user-agent'].toSorted(),
      )
    }
    // `proxyTimeout` would end a backend that takes its time, which belongs to the exchange. `timeout` would throw: what the
    // proxy takes for the client has no such method.
    expect(watched).deep.equal([0, 0])
  })

  it('leaves no listener on what requests share', async () => {
    script = (_req, res) => void res.end('ok')
    const {
      kept: { agent },
      fresh,
      proxy,
    } = shared.line
    const listeners = () => {
      const kept = Object.values(agent.freeSockets).flatMap(free => free ?? [])
      const shareds: readonly EventEmitter[] = [agent, fresh.agent, proxy, ...kept]
      return shareds.map(one => one.eventNames().reduce((sum, name) => sum + one.listenerCount(name), 0))
    }
    const ask = async (times: number) => {
      for (let i = 0; i < times; i++) await isOver(send().heard)
      await eventually(() => Object.values(agent.freeSockets).flat().length === 1)
      return listeners()
    }
    const before = await ask(3)
    expect(before).length(4)
    expect(await ask(200)).deep.equal(before)
    expect(paths).length(203)
    expect(sockets.size).equal(1)
  })

  it('tells what can go wrong apart', async () => {
    script = (_req, res) => void res.socket?.resetAndDestroy()
    const reset = send().heard
    await isOver(reset)
    expect(reset.error?.kind).equal('reset')
    script = (_req, res) => {
      res.write('half')
      setTimeout(() => res.socket?.end(), 10)
    }
    const cut = send().heard
    await isOver(cut)
    expect([cut.status, cut.text, cut.error?.kind]).deep.equal([200, 'half', 'broken'])
    const nowhere = new PipeServer('http://127.0.0.1:1', 500)
    const nobody = new PipeClient(backendConfig({ url: 'http://127.0.0.1:1/v1' }), nowhere)
    const refused = new Heard()
    nobody.send({ method: 'POST', path: '/x', body: null }, refused)
    await isOver(refused)
    expect(refused.error?.kind).equal('connect')
    nowhere.close()
  })

  it('closes the connection of a cancelled request, in every phase, and reports nothing more', async () => {
    script = () => {}
    const waiting = send()
    await eventually(() => paths.length === 1)
    waiting.call.cancel()
    await eventually(() => sockets.size === 0)
    script = (_req, res) => void res.write('half')
    const reading = send()
    await eventually(() => reading.heard.text === 'half')
    reading.call.cancel()
    await eventually(() => sockets.size === 0)
    send().call.cancel()
    expect([waiting.heard.error, reading.heard.error]).deep.equal([undefined, undefined])
  })

  it('stops and resumes reading', async () => {
    script = (_req, res) => {
      res.write('one')
      setTimeout(() => res.end('two'), 20)
    }
    const { heard, call } = send()
    await eventually(() => heard.text === 'one')
    call.pause()
    await new Promise(resolve => setTimeout(resolve, 100))
    expect(heard.text).equal('one')
    call.resume()
    await isOver(heard)
    expect(heard.text).equal('onetwo')
  })

  it('expands a compressed body, and reports one that is not what it says', async () => {
    script = (_req, res) => void res.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('plain'))
    const good = send().heard
    await isOver(good)
    expect([good.text, good.error]).deep.equal(['plain', undefined])
    script = (_req, res) => void res.writeHead(200, { 'content-encoding': 'gzip' }).end('no gzip')
    const bad = send().heard
    await isOver(bad)
    expect(bad.error?.kind).equal('broken')
  })

  it('reports what its handler throws', async () => {
    script = (_req, res) => void res.end('ok')
    const heard = new Heard()
    heard.onData = () => {
      throw new Error('full')
    }
    client.send({ method: 'POST', path: '/embeddings', body: null }, heard)
    await isOver(heard)
    expect(heard.error?.message).equal('full')
  })
})
