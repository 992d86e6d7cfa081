import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { DnsSource, searchNames } from '../../../../lib/backends/discovery/dns-source.ts'
import type { DnsSourceConfig } from '../../../../lib/config/config.ts'
import { temporaryDirectory } from '../../../support/cli.ts'
import { type DnsServer, dnsServer } from '../../../support/dns-server.ts'

const a = (address: string, ttl?: number) => ({ type: 'A' as const, address, ...(ttl !== undefined && { ttl }) })
const aaaa = (address: string) => ({ type: 'AAAA' as const, address })
const srv = (target: string, port: number) => ({ type: 'SRV' as const, target, port })

describe('backends/discovery/dns-source', () => {
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
  const urls = async (members?: Partial<DnsSourceConfig>) => (await source(members).lookup()).urls
  const problem = (members?: Partial<DnsSourceConfig>) =>
    source(members)
      .lookup()
      .then(
        () => 'none',
        (error: Error) => error.message,
      )

  it('returns a base URL for each address, sorted', async () => {
    dns.names.set('vllm.test', [a('10.0.0.2'), a('10.0.0.1'), a('10.0.0.2')])
    expect(await source().lookup()).deep.equal({
      urls: ['http://10.0.0.1:8000/v1', 'http://10.0.0.2:8000/v1'],
      total: 2,
      ttlMs: 60_000,
    })
    expect(await urls({ scheme: 'https', port: 443, basePath: '' })).deep.equal([
      'https://10.0.0.1',
      'https://10.0.0.2',
    ])
  })

  it('returns the shortest time to live', async () => {
    dns.names.set('vllm.test', [a('10.0.0.1', 30), a('10.0.0.2', 3)])
    expect((await source().lookup()).ttlMs).equal(3000)
  })

  it('finds changes at once', async () => {
    const one = source()
    dns.names.set('vllm.test', [a('10.0.0.1', 600), a('10.0.0.2', 600)])
    expect((await one.lookup()).urls).lengthOf(2)
    dns.names.set('vllm.test', [a('10.0.0.2', 600)])
    expect((await one.lookup()).urls).deep.equal(['http://10.0.0.2:8000/v1'])
  })

  it('looks up IPv6 addresses', async () => {
    dns.names.set('vllm.test', [aaaa('fd00::12'), a('10.0.0.1')])
    expect(await urls({ type: 'AAAA' })).deep.equal(['http://[fd00::12]:8000/v1'])
  })

  it('looks up the targets of SRV records, each with its own port', async () => {
    dns.names.set('_http._tcp.vllm.test', [srv('a.test', 8001), srv('b.test', 8002), srv('six.test', 8003)])
    dns.names.set('a.test', [a('10.0.0.1', 7)])
    dns.names.set('b.test', [a('10.0.0.2'), a('10.0.0.3')])
    dns.names.set('six.test', [aaaa('fd00::1')])
    expect(await source({ type: 'SRV', name: '_http._tcp.vllm.test' }).lookup()).deep.equal({
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

  it('returns priorities and weights of SRV records for each address', async () => {
    dns.names.set('s.test', [
      { ...srv('a.test', 1), priority: 10, weight: 30 },
      { ...srv('b.test', 2), priority: 10, weight: 10 },
      { ...srv('far.test', 3), priority: 20, weight: 5 },
    ])
    dns.names.set('a.test', [a('10.0.0.1')])
    dns.names.set('b.test', [a('10.0.0.2'), a('10.0.0.3')])
    dns.names.set('far.test', [a('10.1.0.1')])
    const { urls, ranks } = await source({ type: 'SRV', name: 's.test' }).lookup()
    expect(urls).lengthOf(4)
    expect(Object.fromEntries(ranks!)).deep.equal({
      'http://10.0.0.1:1/v1': { priority: 0, weight: 1.5 },
      'http://10.0.0.2:2/v1': { priority: 0, weight: 0.5 },
      'http://10.0.0.3:2/v1': { priority: 0, weight: 0.5 },
      'http://10.1.0.1:3/v1': { priority: 1, weight: 1 },
    })
  })

  it('leaves a small chance to weight 0', async () => {
    for (const [i, address] of ['10.0.0.1', '10.0.0.2'].entries()) dns.names.set(`n${i}.test`, [a(address)])
    const ranksOf = async (...weights: readonly number[]) => {
      dns.names.set(
        's.test',
        weights.map((weight, i) => ({ ...srv(`n${i}.test`, 1), priority: 7, weight })),
      )
      const { ranks } = await source({ type: 'SRV', name: 's.test' }).lookup()
      return ranks && [...ranks.values()]
    }
    expect(await ranksOf(0, 10)).deep.equal([
      { priority: 0, weight: 0.01 },
      { priority: 0, weight: 2 },
    ])
    expect(await ranksOf(0, 0), 'all alike').equal(undefined)
  })

  it('uses servers of the first priority if there are too many', async () => {
    const many = Array.from({ length: 300 }, (_, i) => ({ ...srv(`n${i}.test`, 443), priority: i < 290 ? 2 : 1 }))
    dns.names.set('s.test', many)
    const { urls, total } = await source({ type: 'SRV', name: 's.test', scheme: 'https' }).lookup()
    expect([urls.length, total]).deep.equal([256, 300])
    for (let i = 290; i < 300; i++) expect(urls).include(`https://n${i}.test/v1`)
  })

  it('uses the names of SRV records for https', async () => {
    dns.names.set('s.test', [srv('A.test', 8443)])
    expect(await urls({ type: 'SRV', name: 's.test', scheme: 'https' })).deep.equal(['https://a.test:8443/v1'])
    expect(dns.asked).deep.equal(['SRV s.test'])
  })

  it('ignores a target whose name is missing, but fails if the DNS fails', async () => {
    dns.names.set('s.test', [srv('a.test', 1), srv('gone.test', 2)])
    dns.names.set('a.test', [a('10.0.0.1')])
    expect(await urls({ type: 'SRV', name: 's.test' })).deep.equal(['http://10.0.0.1:1/v1'])
    dns.names.set('gone.test', 'SERVFAIL')
    expect(await problem({ type: 'SRV', name: 's.test' })).equal('the DNS server failed (SERVFAIL)')
  })

  it('reports why there is no answer', async () => {
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

  it('limits the result of a huge answer', async () => {
    const many = Array.from({ length: 4000 }, (_, i) => a(`10.0.${i >> 8}.${i & 255}`))
    dns.names.set('vllm.test', many)
    const { urls, total } = await source().lookup()
    expect(total).equal(4000)
    expect(urls).lengthOf(256)
    dns.names.set('vllm.test', many.toReversed())
    expect((await source().lookup()).urls).deep.equal(urls)
  })

  it('queries no more targets than it uses', async () => {
    dns.names.set(
      's.test',
      Array.from({ length: 1500 }, (_, i) => srv(`n${i}.test`, 80)),
    )
    await source({ type: 'SRV', name: 's.test' }).lookup()
    expect(new Set(dns.asked).size).below(2 * 256 + 2)
  })

  it('resolves localhost without a query', async () => {
    expect(await urls({ name: 'localhost', servers: undefined })).deep.equal(['http://127.0.0.1:8000/v1'])
    expect(await urls({ name: 'localhost', type: 'AAAA' })).deep.equal(['http://[::1]:8000/v1'])
    expect(dns.asked).deep.equal([])
  })

  it('cancels a lookup on close()', async () => {
    dns.names.set('vllm.test', 'silence')
    const one = source()
    const looking = one.lookup().then(
      () => 'answered',
      () => 'ended',
    )
    while (dns.asked.length === 0) await new Promise(resolve => setTimeout(resolve, 5))
    one.close()
    expect(await looking).equal('ended')
  })
})

describe('backends/discovery/dns-source: names to look up', () => {
  const directory = temporaryDirectory()

  function names(name: string, text: string): Promise<readonly string[]> {
    const file = join(directory(), 'resolv.conf')
    writeFileSync(file, text)
    return searchNames(name, file)
  }

  it('are those in the search domains of the system', async () => {
    const kubernetes =
      'search apps.svc.cluster.local svc.cluster.local cluster.local\nnameserver 10.0.0.10\noptions ndots:5\n'
    expect(await names('vllm.default.svc', kubernetes)).deep.equal([
      'vllm.default.svc.apps.svc.cluster.local',
      'vllm.default.svc.svc.cluster.local',
      'vllm.default.svc.cluster.local',
      'vllm.default.svc',
    ])
    expect(await names('vllm.default.svc.', kubernetes)).deep.equal(['vllm.default.svc.'])
  })

  it('start with the name itself if it has enough dots', async () => {
    expect(await names('gpu.example', 'search corp.test.\n')).deep.equal(['gpu.example', 'gpu.example.corp.test'])
    expect(await names('gpu', 'domain corp.test\n')).deep.equal(['gpu.corp.test', 'gpu'])
  })

  it('are only the name without search domains', async () => {
    expect(await names('gpu.example', 'nameserver 10.0.0.1\n')).deep.equal(['gpu.example'])
    expect(await searchNames('gpu', join(directory(), 'none'))).deep.equal(['gpu'])
  })
})
