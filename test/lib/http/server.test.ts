import { readFileSync } from 'node:fs'
import type { RequestListener, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { systemClock } from '../../../lib/base/clock.ts'
import type { Config } from '../../../lib/config/config.ts'
import type { GatewayError } from '../../../lib/errors/errors.ts'
import { Connections } from '../../../lib/http/connections.ts'
import { createServer, updateServer } from '../../../lib/http/server.ts'
import { configOf, MODEL } from '../../support/config.ts'
import { answersIn, RawConnection, rawExchange } from '../../support/connection.ts'
import { eventually } from '../../support/gateway.ts'

const fixture = (name: string) => fileURLToPath(new URL(`../../fixtures/tls/${name}`, import.meta.url))
const GET = 'GET / HTTP/1.1\r\nhost: a\r\n\r\n'

/** The response to an error of the parser, alone on its connection. */
function onlyAnswer(text: string) {
  const answers = answersIn(text)
  expect(answers.length, text).equal(1)
  return answers[0]!
}

/** The certificate of the other side, as PEM. */
function certificateOf({ socket }: RawConnection): string {
  return (socket as TLSSocket).getPeerX509Certificate()!.toString()
}

describe('server', () => {
  const servers: Server[] = []
  const refused: GatewayError[] = []

  async function started(
    listener: RequestListener = (_req, res) => res.end('ok'),
    config: Partial<Config> = {},
    connections = new Connections(),
  ) {
    const host = {
      clock: systemClock,
      connections,
      docsBase: null,
      secure: config.listen?.tls !== undefined,
      authority: '127.0.0.1:8080',
      refused: (error: GatewayError) => void refused.push(error),
    }
    const server = createServer({ ...configOf(MODEL), ...config }, host, listener)
    servers.push(server)
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  const slow = (headers_ms: number, request_ms: number): Partial<Config> => ({
    timeouts: { ...configOf(MODEL).timeouts, headers_ms, request_ms },
  })

  afterEach(async () => {
    refused.length = 0
    for (const server of servers.splice(0)) {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    }
  })

  // docs/DESIGN.md#errors: parser errors carry the envelope and an id, too
  describe('answers what the parser cannot read', () => {
    const cases: Readonly<Record<string, string>> = {
      'no HTTP at all': 'hello\r\n\r\n',
      'a TLS handshake': '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
      'an unknown protocol version': 'GET / HTTP/9.9\r\nhost: a\r\n\r\n',
      'a space in a header name': 'GET / HTTP/1.1\r\nhost : a\r\n\r\n',
      'two lengths': 'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab',
      'a length and chunks':
        'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
      'a length that is none': 'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: +1\r\n\r\na',
      'a folded header': 'GET / HTTP/1.1\r\nhost: a\r\nx: 1\r\n 2\r\n\r\n',
    }
    for (const [name, bytes] of Object.entries(cases)) {
      it(name, async () => {
        const { status, headers, json } = onlyAnswer(await rawExchange(await started(), bytes))
        expect(status).equal(400)
        expect(headers).include({ 'content-type': 'application/json', connection: 'close' })
        expect(headers['x-request-id']).match(/^req_[0-9a-f]{12}$/)
        expect(json).deep.equal({
          error: {
            type: 'invalid_request_error',
            code: 'http_400',
            message: 'The request is not valid HTTP/1.1.',
            request_id: headers['x-request-id'],
            docs_url: 'http://127.0.0.1:8080/docs/errors/http_400',
          },
        })
        expect(refused.map(({ code }) => code)).deep.equal(['http_400'])
      })
    }

    it('with 431 when the headers are too large', async () => {
      const { status, json } = onlyAnswer(
        await rawExchange(await started(), `GET / HTTP/1.1\r\nhost: a\r\nx: ${'a'.repeat(33_000)}\r\n\r\n`),
      )
      expect(status).equal(431)
      expect(json).nested.include({ 'error.code': 'http_431', 'error.type': 'invalid_request_error' })
    })

    it('in the envelope of Messages, where the path belongs to it', async () => {
      for (const bytes of [
        'POST /v1/messages HTTP/1.1\r\nhost : a\r\n\r\n',
        `POST /v1/messages HTTP/1.1\r\nhost: a\r\nx: ${'a'.repeat(33_000)}\r\n\r\n`,
      ]) {
        const { json } = onlyAnswer(await rawExchange(await started(), bytes))
        expect(json).include({ type: 'error' })
        expect(json).nested.include({ 'error.type': 'invalid_request_error' })
      }
    })

    it('after the responses that are still pending on the connection', async () => {
      let release = () => {}
      const url = await started((_req, res) => {
        release = () => res.end('first')
      })
      const connection = new RawConnection(url)
      connection.write(`${GET}garbage\r\n\r\n`)
      await eventually(() => release.toString() !== '() => {}')
      setTimeout(release, 30)
      const answers = answersIn(await connection.closed)
      expect(answers.map(({ status, body }) => [status, body])).deep.equal([[200, 'first']])
    })

    it('after a response that is complete', async () => {
      const connection = new RawConnection(await started())
      connection.write(GET)
      await connection.until('ok')
      connection.write('garbage\r\n\r\n')
      const answers = (await connection.closed).split(/(?=HTTP\/1\.1 )/)
      expect(answers.map(text => text.slice(0, 12))).deep.equal(['HTTP/1.1 200', 'HTTP/1.1 400'])
    })
  })

  describe('does not wait forever', () => {
    for (const [headers, request] of [
      [100, 5000],
      [60_000, 100],
    ] as const)
      it(`for headers: 408, with ${headers} ms for them and ${request} ms for the request`, async () => {
        const url = await started(undefined, slow(headers, request))
        const connection = new RawConnection(url)
        connection.write('GET / HTTP/1.1\r\nhost: a\r\n')
        const { status, json } = onlyAnswer(await connection.closed)
        expect(status).equal(408)
        expect(json).nested.include({ 'error.code': 'http_408', 'error.type': 'invalid_request_error' })
      })

    it('for a body: its exchange fails with 408', async () => {
      const { brokenBodyError, onBodyBroken } = await import('../../../lib/body/read.ts')
      const url = await started(
        (req, res) => {
          req.resume()
          onBodyBroken(req, () => res.writeHead(brokenBodyError(req)!.status).end())
        },
        slow(100, 200),
      )
      const connection = new RawConnection(url)
      connection.write('POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 10\r\n\r\nabc')
      expect(await connection.closed).match(/^HTTP\/1\.1 408 /)
      expect(refused).deep.equal([])
    })
  })

  it('refuses CONNECT by name, and closes', async () => {
    const { status, headers, json } = onlyAnswer(
      await rawExchange(await started(), 'CONNECT example.com:443 HTTP/1.1\r\nhost: example.com:443\r\n\r\n'),
    )
    expect(status).equal(405)
    expect(headers).include({ allow: 'GET, POST', connection: 'close' })
    expect(json).nested.include({ 'error.code': 'http_405' })
  })

  it('leaves a missing Host, expectations and upgrades to the exchange', async () => {
    const seen: unknown[] = []
    const url = await started((req, res) => {
      seen.push([req.headers.host, req.headers.expect, req.headers.upgrade])
      res.end('ok')
    })
    const requests = [
      'GET / HTTP/1.1\r\nconnection: close\r\n\r\n',
      'POST / HTTP/1.1\r\nhost: a\r\nexpect: 100-continue\r\ncontent-length: 0\r\nconnection: close\r\n\r\n',
      'POST / HTTP/1.1\r\nhost: a\r\nexpect: tea\r\ncontent-length: 0\r\nconnection: close\r\n\r\n',
      'GET / HTTP/1.1\r\nhost: a\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n',
    ]
    for (const request of requests.slice(0, 3)) expect(await rawExchange(url, request)).match(/^HTTP\/1\.1 200 /)
    const upgrading = new RawConnection(url)
    upgrading.write(requests[3]!)
    await upgrading.until('ok')
    upgrading.socket.destroy()
    expect(seen).deep.equal([
      [undefined, undefined, undefined],
      ['a', '100-continue', undefined],
      ['a', 'tea', undefined],
      ['a', undefined, 'websocket'],
    ])
  })

  it('shows every header, however many there are', async () => {
    let count = 0
    const url = await started((req, res) => {
      count = Object.keys(req.headers).length
      res.end()
    })
    const many = Array.from({ length: 2500 }, (_, i) => `a${i}: b\r\n`).join('')
    await rawExchange(url, `GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n${many}\r\n`)
    expect(count).equal(2502)
  })

  it('keeps connections for the next request', async () => {
    const connection = new RawConnection(await started())
    connection.write(GET)
    await connection.until('ok')
    connection.write(GET)
    await eventually(() => connection.received.split('HTTP/1.1 200').length === 3)
    connection.socket.destroy()
  })

  it('serves TLS with the certificate of the configuration', async () => {
    const listen = { ...configOf(MODEL).listen, port: 0, tls: { cert: fixture('cert.pem'), key: fixture('key.pem') } }
    const url = (await started(undefined, { listen })).replace('http:', 'https:')
    expect(await rawExchange(url, GET.replace('\r\n\r\n', '\r\nconnection: close\r\n\r\n'))).match(/^HTTP\/1\.1 200 /)
    const { status, json } = onlyAnswer(await rawExchange(url, 'hello\r\n\r\n'))
    expect(status).equal(400)
    expect(json).nested.include({ 'error.code': 'http_400' })
    expect(json)
      .nested.property('error.docs_url')
      .match(/^https:/)
    expect(readFileSync(fixture('cert.pem'), 'utf8')).contain('BEGIN CERTIFICATE')
  })

  it('says that a port with TLS speaks HTTPS to a client that does not', async () => {
    const listen = { ...configOf(MODEL).listen, port: 0, tls: { cert: fixture('cert.pem'), key: fixture('key.pem') } }
    const url = await started(undefined, { listen })
    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        rawExchange(
          url,
          `POST /v1/messages HTTP/1.1\r\nhost: a\r\ncontent-length: 100000\r\n\r\n${'x'.repeat(100_000)}`,
        ),
      ),
    )
    for (const answer of [...answers, await rawExchange(url, GET)]) {
      const { status, json } = onlyAnswer(answer)
      expect(status).equal(400)
      expect(json).nested.include({ 'error.code': 'http_400', 'error.message': 'This port speaks HTTPS.' })
    }
    expect(refused).length(11)
    // Bytes that are neither TLS nor HTTP get no answer.
    expect(await rawExchange(url, '\x00\x01\x02\r\n\r\n')).equal('')
  })

  it('uses a renewed certificate for new connections and keeps open ones', async () => {
    const tls = { cert: fixture('cert.pem'), key: fixture('key.pem') }
    const config = { ...configOf(MODEL), listen: { ...configOf(MODEL).listen, port: 0, tls } }
    const url = (await started(undefined, config)).replace('http:', 'https:')
    const before = new RawConnection(url)
    before.write(GET)
    await before.until('ok')

    const renewed = { cert: fixture('renewed-cert.pem'), key: fixture('renewed-key.pem') }
    updateServer(servers[0]!, { ...config, listen: { ...config.listen, tls: renewed } })
    const after = new RawConnection(url)
    after.write(GET)
    await after.until('ok')
    expect(certificateOf(before)).equal(readFileSync(tls.cert, 'utf8'))
    expect(certificateOf(after)).equal(readFileSync(renewed.cert, 'utf8'))

    const broken = { cert: tls.cert, key: renewed.key }
    const update = () => updateServer(servers[0]!, { ...config, listen: { ...config.listen, tls: broken } })
    expect(update).throw(/key values mismatch/)
    before.write(GET)
    await eventually(() => before.received.split('HTTP/1.1 200').length === 3)
    for (const { socket } of [before, after]) socket.destroy()
  })

  it('applies changed timeouts for a slow client', async () => {
    const url = await started(undefined, slow(400, 400))
    updateServer(servers[0]!, { ...configOf(MODEL), ...slow(30_000, 30_000) })
    const patient = new RawConnection(url)
    patient.write('GET / HTTP/1.1\r\n')
    await new Promise(wait => setTimeout(wait, 700))
    patient.write('host: a\r\n\r\n')
    await patient.until('ok')
    patient.socket.destroy()
  })
})
