import { readFileSync } from 'node:fs'
import http, { type IncomingMessage, type RequestListener } from 'node:http'
import https from 'node:https'
import net, { type AddressInfo, type Socket } from 'node:net'
import type { Writable } from 'node:stream'
import tls from 'node:tls'
import { expect } from 'chai'
import type { BackendConfig } from '../../../lib/config/config.ts'
import { BackendCall, BackendClient } from '../../../lib/upstream/proxy-call.ts'
import { backendConfig } from '../../support/backend-config.ts'
import { fullPort } from '../../support/full-port.ts'
import { eventually } from '../../support/gateway.ts'
import { deadAddress } from '../../support/stub.ts'

const fixture = (name: string) => readFileSync(new URL(`../../fixtures/tls/${name}`, import.meta.url), 'utf8')
const TLS = { cert: fixture('cert.pem'), key: fixture('key.pem') }

/** What a backend was sent. */
interface Seen {
  readonly line: string
  readonly rawHeaders: readonly string[]
  readonly body: string
}

/** What a call came to: the head, or how the backend was lost. */
type Heard =
  | { readonly message: IncomingMessage }
  | { readonly kind: string; readonly reused: boolean; readonly cause: Error }

describe('backend/call', () => {
  const servers: net.Server[] = []
  const clients: BackendClient[] = []
  /** Open connections of all servers. */
  const sockets = new Set<Socket>()
  let seen: Seen[] = []
  let connections = 0

  beforeEach(() => {
    seen = []
    connections = 0
  })

  afterEach(async () => {
    for (const client of clients.splice(0)) client.close()
    for (const server of servers.splice(0)) {
      for (const socket of sockets) socket.destroy()
      await new Promise(resolve => server.close(resolve))
    }
  })

  async function listening(server: net.Server, scheme: 'http' | 'https' = 'http'): Promise<string> {
    servers.push(server)
    server.on('connection', (socket: Socket) => {
      connections++
      sockets.add(socket)
      socket.on('close', () => sockets.delete(socket))
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    return `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  /** Reads the request, notes it, then answers. */
  const noting =
    (answer: RequestListener): RequestListener =>
    (req, res) => {
      const parts: Buffer[] = []
      req.on('data', (part: Buffer) => parts.push(part))
      req.on('end', () => {
        const body = Buffer.concat(parts).toString()
        seen.push({ line: `${req.method} ${req.url} HTTP/${req.httpVersion}`, rawHeaders: req.rawHeaders, body })
        answer(req, res)
      })
    }

  const server = (answer: RequestListener = (_req, res) => res.end('{}')) =>
    listening(http.createServer(noting(answer)))

  function clientOf(url: string, config: Partial<BackendConfig> = {}, connectMs = 2000): BackendClient {
    const client = new BackendClient(backendConfig({ url, ...config }), connectMs)
    clients.push(client)
    return client
  }

  /** Sends one request; `heard` grows with whatever the handler is told. */
  function call(client: BackendClient, text = '{}') {
    const heard: Heard[] = []
    const body = {
      length: Buffer.byteLength(text),
      sendTo: (request: Writable) => void request.end(text),
      open: () => Buffer.from(text),
    }
    const made = new BackendCall(client, '/chat/completions', '0123456789ab', body, {
      onHead: message => void heard.push({ message }),
      onLost: (kind, cause, reused) => void heard.push({ kind, reused, cause }),
    })
    made.send()
    return { call: made, heard }
  }

  async function lost(client: BackendClient, text?: string) {
    const { heard } = call(client, text)
    await eventually(() => heard.length > 0, 'an outcome')
    const [first] = heard
    if (first === undefined || 'message' in first) throw new Error('it was answered')
    return { ...first, times: heard.length }
  }

  async function answered(client: BackendClient, text?: string): Promise<string> {
    const { heard } = call(client, text)
    await eventually(() => heard.length > 0, 'an outcome')
    const [first] = heard
    if (first === undefined || 'kind' in first) throw new Error(`it was lost: ${first?.kind} ${first?.cause.message}`)
    let reply = ''
    for await (const part of first.message) reply += String(part)
    return `${first.message.statusCode} ${reply}`
  }

  describe('what is sent', () => {
    it('is exactly these headers', async () => {
      const url = await server()
      await answered(clientOf(`${url}/v1`, { api_key: 'sk-backend', headers: { 'X-Team': 'a', 'User-Agent': 'own' } }))
      const { line, rawHeaders, body } = seen[0]!
      expect(line).equal('POST /v1/chat/completions HTTP/1.1')
      const headers = Object.fromEntries(
        rawHeaders.flatMap((name, i) => (i % 2 === 0 ? [[name.toLowerCase(), rawHeaders[i + 1]]] : [])),
      )
      expect(headers).deep.equal({
        host: new URL(url).host,
        connection: 'keep-alive',
        'content-type': 'application/json',
        'accept-encoding': 'identity',
        'user-agent': 'own',
        authorization: 'Bearer sk-backend',
        'x-team': 'a',
        'content-length': '2',
        'x-request-id': '0123456789ab',
      })
      expect(rawHeaders.length, 'no header comes twice').equal(2 * Object.keys(headers).length)
      expect(body).equal('{}')
    })

    it('has no credentials where the backend wants none', async () => {
      await answered(clientOf(await server()))
      expect(seen[0]!.rawHeaders.map(name => name.toLowerCase())).not.include('authorization')
    })

    it('is framed by the bytes of the body', async () => {
      const url = await server()
      await answered(clientOf(url), `{"text":"é🎉${'x'.repeat(300_000)}"}`)
      const { rawHeaders, body } = seen[0]!
      expect(body).equal(`{"text":"é🎉${'x'.repeat(300_000)}"}`)
      expect(rawHeaders[rawHeaders.indexOf('content-length') + 1]).equal(String(Buffer.byteLength(body)))
      expect(rawHeaders.map(name => name.toLowerCase())).not.include('transfer-encoding')
    })

    it('goes below the path of the base URL, with or without a slash at its end', async () => {
      const url = await server()
      for (const base of [url, `${url}/`, `${url}/v1/`, `${url}/a/b`]) await answered(clientOf(base))
      expect(seen.map(({ line }) => line.split(' ')[1])).deep.equal([
        '/chat/completions',
        '/chat/completions',
        '/v1/chat/completions',
        '/a/b/chat/completions',
      ])
    })
  })

  it('hands over the answer whatever its status', async () => {
    const url = await server((_req, res) => res.writeHead(503).end('full'))
    expect(await answered(clientOf(url))).equal('503 full')
  })

  it('uses a connection again', async () => {
    const client = clientOf(await server())
    for (let i = 0; i < 3; i++) await answered(client)
    expect(connections).equal(1)
  })

  describe('a backend that is lost', () => {
    it('is told as no connection where the port is closed', async () => {
      expect(await lost(clientOf(await deadAddress()))).deep.include({ kind: 'connect', reused: false, times: 1 })
    })

    it('is told as a connection that took too long where nothing answers', async () => {
      const full = await fullPort()
      try {
        const started = performance.now()
        const { kind, reused, times } = await lost(clientOf(`http://127.0.0.1:${full.port}`, {}, 200))
        expect({ kind, reused, times }).deep.equal({ kind: 'connect-timeout', reused: false, times: 1 })
        expect(performance.now() - started).within(190, 5000)
      } finally {
        await full.close()
      }
    })

    it('is told as a connection that took too long where TLS is not answered', async () => {
      const silent = net.createServer(socket => socket.resume().on('error', () => {}))
      const { kind } = await lost(clientOf(await listening(silent, 'https'), {}, 100))
      expect(kind).equal('connect-timeout')
      expect(connections).equal(1)
      await eventually(() => sockets.size === 0, 'the close')
    })

    it('is told as reset where the connection breaks before the head, by a reset or by an orderly close', async () => {
      for (const end of ['resetAndDestroy', 'end'] as const) {
        const url = await server(req => void req.socket[end]())
        const { kind, reused, times } = await lost(clientOf(url))
        expect({ kind, reused, times }, end).deep.equal({ kind: 'reset', reused: false, times: 1 })
      }
    })

    it('is told as reset where it answers what is no HTTP', async () => {
      const url = await listening(net.createServer(socket => socket.end('SSH-2.0-OpenSSH\r\n').on('error', () => {})))
      expect(await lost(clientOf(url))).include({ kind: 'reset' })
    })

    it('says when the connection had been used before, which may just have died of age', async () => {
      const url = await server((req, res) => (seen.length > 1 ? req.socket.resetAndDestroy() : res.end('{}')))
      const client = clientOf(url)
      await answered(client)
      const { kind, reused } = await lost(client)
      expect({ kind, reused, connections }).deep.equal({ kind: 'reset', reused: true, connections: 1 })
    })

    it('does not answer twice where it answers and breaks off', async () => {
      const url = await listening(
        http.createServer((req, res) => {
          res.writeHead(413, { connection: 'close' }).end('too much')
          res.on('finish', () => req.socket.destroy())
        }),
      )
      const { heard } = call(clientOf(url), 'x'.repeat(20_000_000))
      await eventually(() => heard.length > 0, 'an outcome')
      await new Promise(resolve => setTimeout(resolve, 50))
      expect(heard.length).equal(1)
    })
  })

  describe('letGo()', () => {
    const head = async (heard: readonly Heard[]) => {
      await eventually(() => heard.length > 0, 'an outcome')
      const [first] = heard
      if (first === undefined || 'kind' in first) throw new Error('it was lost')
      return first.message.resume()
    }

    it('closes a connection whose request nobody takes, though it was answered', async () => {
      const url = await listening(
        net.createServer({ pauseOnConnect: true }, socket => {
          setTimeout(() => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}'), 50)
        }),
      )
      const client = clientOf(url)
      const { call: answered, heard } = call(client, 'x'.repeat(20_000_000))
      const message = await head(heard)
      await eventually(() => message.complete, 'the answer')
      answered.letGo(message)
      expect(Object.keys(client.agent.sockets)).length(1)
      await eventually(() => Object.keys(client.agent.sockets).length === 0, 'the close')
    })

    it('spares one that becomes free by itself', async () => {
      const client = clientOf(
        await server((_req, res) => {
          res.write('{')
          setTimeout(() => res.end('}'), 50)
        }),
      )
      const { call: answering, heard } = call(client)
      answering.letGo(await head(heard))
      await new Promise(resolve => setTimeout(resolve, 1200))
      await answered(client)
      expect(connections).equal(1)
    })
  })

  describe('destroy()', () => {
    it('closes the connection at once, whether the head has come or not, and says nothing more', async () => {
      for (const withHead of [false, true]) {
        let closed = false
        const before = seen.length
        const url = await server((_req, res) => {
          if (withHead) res.writeHead(200).write('begun')
          res.on('close', () => {
            closed = true
          })
        })
        const { call: running, heard } = call(clientOf(url))
        await eventually(() => seen.length > before && heard.length === (withHead ? 1 : 0))
        running.destroy()
        await eventually(() => closed, 'the close')
        expect(heard.length).equal(withHead ? 1 : 0)
      }
    })

    it('gives up a connection that is just being opened', async () => {
      const full = await fullPort()
      try {
        const { call: running, heard } = call(clientOf(`http://127.0.0.1:${full.port}`, {}, 100))
        await new Promise(resolve => setTimeout(resolve, 20))
        running.destroy()
        await new Promise(resolve => setTimeout(resolve, 150))
        expect(heard).deep.equal([])
      } finally {
        await full.close()
      }
    })

    it('sends nothing when it comes right behind send()', async () => {
      const client = clientOf(await server())
      const { call: running, heard } = call(client)
      running.destroy()
      await answered(client)
      await new Promise(resolve => setTimeout(resolve, 20))
      expect(seen.length).equal(1)
      expect(heard).deep.equal([])
    })

    it('spares the connection when the answer was complete', async () => {
      const client = clientOf(await server())
      const { call: done, heard } = call(client)
      await eventually(() => heard.length > 0)
      const [first] = heard
      if (first === undefined || 'kind' in first) throw new Error('it was lost')
      first.message.resume()
      await new Promise(resolve => first.message.once('end', resolve))
      await new Promise(setImmediate)
      done.destroy()
      await answered(client)
      expect(connections).equal(1)
    })
  })

  describe('a backend behind TLS', () => {
    const trusted = tls.getCACertificates('default')
    afterEach(() => tls.setDefaultCACertificates(trusted))

    it('is called by its name, if its certificate is trusted', async () => {
      const url = await listening(
        https.createServer(
          TLS,
          noting((_req, res) => res.end('secret')),
        ),
        'https',
      )
      tls.setDefaultCACertificates([...trusted, TLS.cert])
      expect(await answered(clientOf(url.replace('127.0.0.1', 'localhost')))).equal('200 secret')
      expect(seen[0]!.line).equal('POST /chat/completions HTTP/1.1')
    })

    it('is sent nothing if it is not', async () => {
      const url = await listening(
        https.createServer(
          TLS,
          noting((_req, res) => res.end()),
        ),
        'https',
      )
      const { kind, cause } = await lost(clientOf(url))
      expect(kind).equal('connect')
      expect((cause as NodeJS.ErrnoException).code).match(/SELF_SIGNED|UNABLE_TO_VERIFY/)
      expect(seen).deep.equal([])
    })
  })

  it('closes every idle connection with its client', async () => {
    const client = clientOf(await server())
    await Promise.all([answered(client), answered(client)])
    expect(sockets.size).equal(2)
    client.close()
    await eventually(() => sockets.size === 0, 'the close')
  })
})
