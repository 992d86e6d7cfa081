import type { IncomingMessage } from 'node:http'
import { expect } from 'chai'
import { readTarget } from '../../../lib/http/protocol.ts'

interface Line {
  readonly url?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly version?: readonly [major: number, minor: number]
}

function target({ url = '/v1/models', headers = { host: 'pass.test' }, version = [1, 1] }: Line = {}) {
  const [httpVersionMajor, httpVersionMinor] = version
  const req = { url, headers: { ...headers }, httpVersionMajor, httpVersionMinor } as unknown as IncomingMessage
  const { path, query, refusal: fault } = readTarget(req)
  return { path, query, code: fault?.code, message: fault?.message, host: req.headers.host }
}

/** test/e2e/hostile-http.test.ts tests the same through a socket. */
describe('protocol', () => {
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
