import { expect } from 'chai'
import { DnsSource } from '../../../../lib/backends/discovery/dns-source.ts'
import type { DnsSourceConfig } from '../../../../lib/config/config.ts'
import { type DnsServer, dnsServer } from '../../../support/dns-server.ts'

const a = (address: string, ttl?: number) => ({ type: 'A' as const, address, ...(ttl !== undefined && { ttl }) })
const aaaa = (address: string) => ({ type: 'AAAA' as const, address })
const srv = (target: string, port: number) => ({ type: 'SRV' as const, target, port })

describe('DnsSource', () => {
  let dns: DnsServer

  beforeEach(async () => {
    dns = await dnsServer()
  })
  afterEach(() => dns.close())

  const source = (members: Partial<DnsSourceConfig> = {}) =>
    new DnsSource({
      discover: 'dns',
      name: 'vllm.test',
      type: 'A',
      servers: [dns.address],
      scheme: 'http',
      basePath: '/v1',
      port: 8000,
      ...members,
    })
  const urls = async (members?: Partial<DnsSourceConfig>) => (await source(members).look()).urls
  const problem = (members?: Partial<DnsSourceConfig>) =>
    source(members)
      .look()
      .then(
        () => 'none',
        (error: Error) => error.message,
      )

  it('makes a URL of each address, in an order that answers do not decide', async () => {
    dns.names.set('vllm.test', [a('10.0.0.2'), a('10.0.0.1'), a('10.0.0.2')])
    expect(await source().look()).deep.equal({
      urls: ['http://10.0.0.1:8000/v1', 'http://10.0.0.2:8000/v1'],
      total: 2,
      ttlMs: 60_000,
    })
    expect(await urls({ scheme: 'https', port: 443, basePath: '' })).deep.equal([
      'https://10.0.0.1',
      'https://10.0.0.2',
    ])
  })

  it('takes the shortest time to live', async () => {
    dns.names.set('vllm.test', [a('10.0.0.1', 30), a('10.0.0.2', 3)])
    expect((await source().look()).ttlMs).equal(3000)
  })

  it('sees at once what has changed', async () => {
    const one = source()
    dns.names.set('vllm.test', [a('10.0.0.1', 600), a('10.0.0.2', 600)])
    expect((await one.look()).urls).lengthOf(2)
    dns.names.set('vllm.test', [a('10.0.0.2', 600)])
    expect((await one.look()).urls).deep.equal(['http://10.0.0.2:8000/v1'])
  })

  it('looks up IPv6 addresses', async () => {
    dns.names.set('vllm.test', [aaaa('fd00::12'), a('10.0.0.1')])
    expect(await urls({ type: 'AAAA' })).deep.equal(['http://[fd00::12]:8000/v1'])
  })

  it('looks up the servers of SRV records, each with its own port', async () => {
    dns.names.set('_http._tcp.vllm.test', [srv('a.test', 8001), srv('b.test', 8002), srv('six.test', 8003)])
    dns.names.set('a.test', [a('10.0.0.1', 7)])
    dns.names.set('b.test', [a('10.0.0.2'), a('10.0.0.3')])
    dns.names.set('six.test', [aaaa('fd00::1')])
    expect(await source({ type: 'SRV', name: '_http._tcp.vllm.test' }).look()).deep.equal({
      urls: [
        'http://10.0.0.1:8001/v1',
        'http://10.0.0.2:8002/v1',
        'http://10.0.0.3:8002/v1',
        'http://[fd00::1]:8003/v1',
      ],
      total: 4,
      ttlMs: 7000,
    })
  })

  it('tells priorities and weights of SRV records, for each address of a server', async () => {
    dns.names.set('s.test', [
      { ...srv('a.test', 1), priority: 10, weight: 30 },
      { ...srv('b.test', 2), priority: 10, weight: 10 },
      { ...srv('far.test', 3), priority: 20, weight: 5 },
    ])
    dns.names.set('a.test', [a('10.0.0.1')])
    dns.names.set('b.test', [a('10.0.0.2'), a('10.0.0.3')])
    dns.names.set('far.test', [a('10.1.0.1')])
    const { urls, ranks } = await source({ type: 'SRV', name: 's.test' }).look()
    expect(urls).lengthOf(4)
    expect(Object.fromEntries(ranks!)).deep.equal({
      'http://10.0.0.1:1/v1': { priority: 0, weight: 1.5 },
      'http://10.0.0.2:2/v1': { priority: 0, weight: 0.5 },
      'http://10.0.0.3:2/v1': { priority: 0, weight: 0.5 },
      'http://10.1.0.1:3/v1': { priority: 1, weight: 1 },
    })
  })

  it('takes servers of the first priority where there are too many', async () => {
    const many = Array.from({ length: 300 }, (_, i) => ({ ...srv(`n${i}.test`, 443), priority: i < 290 ? 2 : 1 }))
    dns.names.set('s.test', many)
    const { urls, total } = await source({ type: 'SRV', name: 's.test', scheme: 'https' }).look()
    expect([urls.length, total]).deep.equal([256, 300])
    for (let i = 290; i < 300; i++) expect(urls).include(`https://n${i}.test/v1`)
  })

  it('keeps the names of SRV records where certificates are of names', async () => {
    dns.names.set('s.test', [srv('A.test', 8443)])
    expect(await urls({ type: 'SRV', name: 's.test', scheme: 'https' })).deep.equal(['https://a.test:8443/v1'])
    expect(dns.asked).deep.equal(['SRV s.test'])
  })

  it('passes over a server whose name is gone, and over none when the DNS fails', async () => {
    dns.names.set('s.test', [srv('a.test', 1), srv('gone.test', 2)])
    dns.names.set('a.test', [a('10.0.0.1')])
    expect(await urls({ type: 'SRV', name: 's.test' })).deep.equal(['http://10.0.0.1:1/v1'])
    dns.names.set('gone.test', 'SERVFAIL')
    expect(await problem({ type: 'SRV', name: 's.test' })).equal('the DNS server failed (SERVFAIL)')
  })

  it('says why there is no answer', async () => {
    expect(await problem()).equal('the name does not exist (NXDOMAIN)')
    dns.names.set('vllm.test', [])
    expect(await problem()).equal('the name has no records of this type')
    dns.names.set('vllm.test', 'SERVFAIL')
    expect(await problem()).equal('the DNS server failed (SERVFAIL)')
    dns.names.set('vllm.test', 'REFUSED')
    expect(await problem()).equal('the DNS server refuses to answer (REFUSED)')
    dns.names.set('vllm.test', 'silence')
    expect(await problem()).equal('the DNS server does not answer in time')
  })

  it('takes no more of a huge answer than of any other', async () => {
    const many = Array.from({ length: 4000 }, (_, i) => a(`10.0.${i >> 8}.${i & 255}`))
    dns.names.set('vllm.test', many)
    const { urls, total } = await source().look()
    expect(total).equal(4000)
    expect(urls).lengthOf(256)
    dns.names.set('vllm.test', many.toReversed())
    expect((await source().look()).urls).deep.equal(urls)
  })

  it('asks for the addresses of no more servers than it takes', async () => {
    dns.names.set(
      's.test',
      Array.from({ length: 1500 }, (_, i) => srv(`n${i}.test`, 80)),
    )
    await source({ type: 'SRV', name: 's.test' }).look()
    expect(new Set(dns.asked).size).below(2 * 256 + 2)
  })

  it('knows this machine without asking', async () => {
    expect(await urls({ name: 'localhost', servers: undefined })).deep.equal(['http://127.0.0.1:8000/v1'])
    expect(await urls({ name: 'localhost', type: 'AAAA' })).deep.equal(['http://[::1]:8000/v1'])
    expect(dns.asked).deep.equal([])
  })

  it('ends what is under way', async () => {
    dns.names.set('vllm.test', 'silence')
    const one = source()
    const looking = one.look().then(
      () => 'answered',
      () => 'ended',
    )
    while (dns.asked.length === 0) await new Promise(resolve => setTimeout(resolve, 5))
    one.close()
    expect(await looking).equal('ended')
  })
})
