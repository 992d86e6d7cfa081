import { expect } from 'chai'
import { Proxies } from '../../../lib/http/proxies.ts'
import { MODEL, problemsOf } from '../../support/config.ts'

describe('http/proxies', () => {
  const proxies = (secure = false) => new Proxies({ trusted: ['10.0.0.0/8', 'fd00::/8'], secure })
  const from = (remoteAddress: string, headers: Record<string, string> = {}) => ({
    socket: { remoteAddress },
    headers: { host: 'inside.test:8080', ...headers },
  })
  const tls = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'api.test:8443' }

  it('addresses what a trusted proxy says that the client has addressed', () => {
    expect(proxies().origin(from('10.1.2.3', tls))).equal('https://api.test:8443')
    expect(proxies().origin(from('::ffff:10.1.2.3', tls))).equal('https://api.test:8443')
    expect(proxies().origin(from('fd00::1', tls))).equal('https://api.test:8443')
    expect(proxies(true).origin(from('10.1.2.3', { 'x-forwarded-proto': 'http' }))).equal('http://inside.test:8080')
  })

  it('believes nobody else', () => {
    for (const address of ['11.0.0.1', 'fe80::1', '127.0.0.1']) {
      expect(proxies().origin(from(address, tls))).equal('http://inside.test:8080')
      expect(proxies(true).origin(from(address, tls))).equal('https://inside.test:8080')
      expect(proxies().address(from(address, { 'x-forwarded-for': '1.2.3.4' }))).equal(address)
    }
    const none = new Proxies({ trusted: [], secure: false })
    expect(none.origin(from('10.1.2.3', tls))).equal('http://inside.test:8080')
  })

  it('takes what the nearest proxy has added, and no host that is none', () => {
    const added = { 'x-forwarded-proto': 'http, https', 'x-forwarded-host': 'evil.test, api.test' }
    expect(proxies().origin(from('10.1.2.3', added))).equal('https://api.test')
    for (const host of ['a/b', 'a b', 'user@a', '', 'a:b', '<script>']) {
      expect(proxies().origin(from('10.1.2.3', { 'x-forwarded-host': host })), host).equal('http://inside.test:8080')
    }
    expect(proxies().origin(from('10.1.2.3', { 'x-forwarded-proto': 'gopher' }))).equal('http://inside.test:8080')
    expect(proxies().origin({ headers: {} })).equal('http://localhost')
    const known = new Proxies({ trusted: [], secure: true, authority: '127.0.0.1:8443' })
    expect(known.origin({ headers: {} })).equal('https://127.0.0.1:8443')
  })

  it('finds the client behind all trusted proxies, and not what it invents', () => {
    const hops = (text: string) => proxies().address(from('10.1.2.3', { 'x-forwarded-for': text }))
    expect(hops('9.9.9.9, 1.2.3.4')).equal('1.2.3.4')
    expect(hops('9.9.9.9, 1.2.3.4, 10.0.0.7')).equal('1.2.3.4')
    expect(hops('10.0.0.8,10.0.0.7')).equal('10.0.0.8')
    expect(hops('1.2.3.4, unknown')).equal('10.1.2.3')
    expect(hops('')).equal('10.1.2.3')
  })

  it('are networks in the configuration', () => {
    expect(problemsOf(`listen: { trusted_proxies: [10.0.0.0/8, proxy.test] }${MODEL}`)).deep.equal([
      'listen.trusted_proxies.1: must be a network in CIDR notation, such as 10.1.0.0/16',
    ])
  })
})
