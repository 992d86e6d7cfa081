import http, { type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { RequestQueue, readTarget } from '../../../lib/http/incoming.ts'
import { RawConnection } from '../../support/connection.ts'
import { collectGarbage } from '../../support/garbage.ts'
import { eventually } from '../../support/gateway.ts'

const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`

// docs/adr/0022-pipelined-requests-wait.md
describe('the queue of pipelined requests', () => {
  let server: Server | undefined
  /** Requests that have begun, and their responses. */
  const begun: string[] = []
  const responses: ServerResponse[] = []

  async function started(answer: RequestListener = () => {}) {
    const queue = new RequestQueue((req, res) => {
      begun.push(req.url!)
      responses.push(res)
      answer(req, res)
    })
    server = http.createServer(queue.add)
    await new Promise<void>(resolve => server!.listen(0, '127.0.0.1', resolve))
    return { queue, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
  }

  afterEach(async () => {
    begun.length = responses.length = 0
    server?.closeAllConnections()
    await new Promise(resolve => (server === undefined ? resolve(null) : server.close(resolve)))
  })

  it('begins a request at once where none runs on its connection', async () => {
    const { url } = await started((_req, res) => res.end('done'))
    const connection = new RawConnection(url)
    for (const path of ['/1', '/2']) {
      connection.write(get(path))
      await eventually(() => begun.at(-1) === path, path)
    }
    connection.socket.destroy()
  })

  it('begins a pipelined request when the response before it is complete', async () => {
    const { url } = await started()
    const connection = new RawConnection(url)
    connection.write(get('/1') + get('/2') + get('/3'))
    for (const count of [1, 2, 3]) {
      await eventually(() => begun.length === count, `request ${count}`)
      await new Promise(setImmediate)
      expect(begun).deep.equal(['/1', '/2', '/3'].slice(0, count))
      responses.at(-1)!.end(`answer ${count}`)
    }
    await connection.until('answer 3')
    connection.socket.destroy()
  })

  it('keeps nothing of a request on a connection that waits for the next one', async () => {
    const kept: WeakRef<object>[] = []
    const { url, queue } = await started((req, res) => {
      kept.push(new WeakRef(req), new WeakRef(res))
      res.end('done')
    })
    const connection = new RawConnection(url)
    connection.write(get('/1'))
    await connection.until('done')
    responses.length = 0
    await eventually(() => {
      collectGarbage()
      return kept.every(one => one.deref() === undefined)
    }, 'request and response are garbage')
    connection.write(get('/2'))
    await eventually(() => begun.length === 2, 'the connection can still be used')
    expect(queue).instanceof(RequestQueue)
    connection.socket.destroy()
  })

  it('keeps the connections apart', async () => {
    const { url } = await started()
    const connections = ['/1', '/2'].map(path => {
      const connection = new RawConnection(url)
      connection.write(get(path))
      return connection
    })
    await eventually(() => begun.length === 2, 'both requests')
    for (const { socket } of connections) socket.destroy()
  })

  it('begins no request whose client has disconnected', async () => {
    const { url } = await started()
    const connection = new RawConnection(url)
    connection.write(get('/1') + get('/2'))
    await eventually(() => begun.length === 1, 'the first request')
    connection.socket.destroy()
    await eventually(() => responses[0]!.destroyed, 'the close')
    await new Promise(resolve => setTimeout(resolve, 20))
    expect(begun).deep.equal(['/1'])
  })

  it('closes a connection on which more than a hundred requests wait', async () => {
    const { url } = await started()
    const kept = new RawConnection(url)
    kept.write(get('/').repeat(101))
    await eventually(() => begun.length === 1, 'the first request')
    const closed = new RawConnection(url)
    closed.write(get('/').repeat(102))
    expect(await closed.closed).equal('')
    expect(kept.socket.destroyed).equal(false)
    kept.socket.destroy()
  })

  it('returns the last incomplete response of a connection', async () => {
    const { url, queue } = await started()
    const connection = new RawConnection(url)
    connection.write(get('/1') + get('/2'))
    await eventually(() => begun.length === 1, 'the first request')
    const { socket } = responses[0]!.req
    expect(queue.unfinished(socket)?.req.url).equal('/2')
    responses[0]!.end()
    await eventually(() => begun.length === 2, 'the second request')
    expect(queue.unfinished(socket)).equal(responses[1])
    responses[1]!.end()
    await eventually(() => queue.unfinished(socket) === undefined, 'the end')
    connection.socket.destroy()
  })
})

interface TargetParts {
  readonly url?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly version?: readonly [major: number, minor: number]
}

function target({ url = '/v1/models', headers = { host: 'pass.test' }, version = [1, 1] }: TargetParts = {}) {
  const [httpVersionMajor, httpVersionMinor] = version
  const req = { url, headers: { ...headers }, httpVersionMajor, httpVersionMinor } as unknown as IncomingMessage
  const { path, query, refusal } = readTarget(req)
  return { path, query, code: refusal?.code, message: refusal?.message, host: req.headers.host }
}

/** test/e2e/hostile-http.test.ts tests the same through a socket. */
describe('the target of a request', () => {
  it('splits path and query', () => {
    expect(target({ url: '/v1/models?limit=1&a=?b' })).include({ path: '/v1/models', query: 'limit=1&a=?b' })
    expect(target({ url: '/v1/models?' })).include({ path: '/v1/models', query: '' })
    expect(target()).include({ path: '/v1/models', query: '', code: undefined })
  })

  it('understands a whole URL, where it names the same host as the Host header', () => {
    expect(target({ url: 'http://pass.test/v1/models?a=1' })).include({
      path: '/v1/models',
      query: 'a=1',
      code: undefined,
    })
    expect(target({ url: 'https://PASS.test' })).include({ path: '/', code: undefined })
    expect(target({ url: 'http://pass.test?a=1' })).include({ path: '/', query: 'a=1' })
    expect(target({ url: 'http://other.test/v1/models' })).include({
      code: 'http_400',
      message: 'The request line and the Host header name different hosts.',
    })
  })

  it('takes a Host that names one host', () => {
    for (const host of [
      'a',
      'pass.test',
      'PASS.test:8080',
      '127.0.0.1:1',
      '[::1]',
      '[::ffff:127.0.0.1]:8080',
      'under_score.test',
    ])
      expect(target({ headers: { host } }).code, host).equal(undefined)
  })

  it('refuses any other, and forgets it: docs_url would contain it', () => {
    const wrong = [
      '',
      'a b',
      'a, b',
      'a/b',
      'user@a',
      'a:',
      'a:b',
      'a:123456',
      '[::1',
      '<script>',
      'a?b',
      '-a',
      'é.test',
    ]
    for (const host of wrong) {
      const { code, message, host: kept } = target({ headers: { host } })
      expect([code, message], host).deep.equal(['http_400', 'The Host header must name one host.'])
      expect(kept).equal(undefined)
    }
  })

  it('needs a Host of HTTP/1.1, not of HTTP/1.0', () => {
    expect(target({ headers: {} })).include({ code: 'http_400', message: 'A Host header is needed.' })
    expect(target({ headers: {}, version: [1, 0] }).code).equal(undefined)
  })

  it('speaks HTTP/1.1 and HTTP/1.0', () => {
    for (const version of [
      [0, 9],
      [1, 2],
      [2, 0],
    ] as const)
      expect(target({ version }), version.join('.')).include({ code: 'http_400' })
  })

  it('takes chunks and no other transfer encoding', () => {
    const encoded = (encoding: string) => target({ headers: { host: 'a', 'transfer-encoding': encoding } }).code
    expect([encoded('chunked'), encoded('Chunked')]).deep.equal([undefined, undefined])
    for (const encoding of ['gzip, chunked', 'chunked, chunked', 'identity', ''])
      expect(encoded(encoding)).equal('http_400')
  })

  it('knows one expectation, and no WebSocket', () => {
    const asked = (headers: Record<string, string>) => target({ headers: { host: 'a', ...headers } }).code
    expect(asked({ expect: '100-continue' })).equal(undefined)
    expect(asked({ expect: '100-Continue' })).equal(undefined)
    expect(asked({ expect: 'tea' })).equal('http_417')
    expect(asked({ upgrade: 'websocket' })).equal('http_426')
    expect(asked({ upgrade: 'WebSocket' })).equal('http_426')
    expect(asked({ upgrade: 'h2c' }), 'an offer that may be passed over').equal(undefined)
  })
})
