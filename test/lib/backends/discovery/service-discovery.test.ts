import { expect } from 'chai'
import { pino } from 'pino'
import { ServiceDiscovery } from '../../../../lib/backends/discovery/service-discovery.ts'
import { LookupError, type LookupResult, type Source } from '../../../../lib/backends/discovery/source.ts'
import { Metrics } from '../../../../lib/base/metrics.ts'
import type { DiscoveryConfig, ModelConfig, SourceConfig } from '../../../../lib/config/config.ts'
import { backendConfig } from '../../../support/backend-config.ts'
import { model } from '../../../support/canonical.ts'
import { eventually } from '../../../support/gateway.ts'

/** Base URLs by name. undefined: never an answer. An error: the lookup fails. */
type Names = Record<string, readonly string[] | Error | undefined>

/** Ranks by name. */
type Ranks = Record<string, NonNullable<LookupResult['ranks']>>

const { url: _, ...options } = backendConfig({ model: 'up', weight: 3, zdr: true })

function entry(name: string, members: Partial<DiscoveryConfig> = {}): DiscoveryConfig {
  const parts = { scheme: 'http', basePath: '/v1', port: 80 } as const
  return {
    source: { discover: 'dns', name, type: 'A', servers: undefined, ...parts },
    everySeconds: 0.001,
    backend: options,
    ...members,
  }
}

const modelOf = (id: string, discover: readonly DiscoveryConfig[], members: Partial<ModelConfig> = {}) =>
  model({}, { id, discover, ...members })

describe('backends/discovery/service-discovery', () => {
  const open: ServiceDiscovery[] = []
  afterEach(() => {
    for (const discovery of open.splice(0)) discovery.close()
  })

  function setUp(names: Names, ranks: Ranks = {}) {
    const opened: string[] = []
    const closed: string[] = []
    const lines: { readonly msg: string }[] = []
    const log = pino({}, { write: line => void lines.push(JSON.parse(line)) })
    const sourceOf = (config: SourceConfig): Source => {
      const name = config.discover === 'dns' ? config.name : config.path
      opened.push(name)
      return {
        lookup: () => {
          const urls = names[name]
          if (urls instanceof Error) return Promise.reject(urls)
          return urls === undefined
            ? new Promise(() => {})
            : Promise.resolve({ urls, total: urls.length, ttlMs: null, ...(ranks[name] && { ranks: ranks[name] }) })
        },
        close: () => void closed.push(name),
      }
    }
    const metrics = new Metrics()
    let changes = 0
    const onChange = () => {
      changes++
    }
    const discovery = new ServiceDiscovery({ log, metrics, onChange, open: sourceOf, firstMs: 50 })
    open.push(discovery)
    const urls = () => discovery.models().map(({ backends }) => backends.map(({ url }) => url))
    const start = async (models: readonly ModelConfig[]) => {
      await discovery.prepare(models)
      discovery.update(models)
    }
    return { discovery, metrics, opened, closed, lines, urls, start, changes: () => changes }
  }

  it('gives backends the priority and weight of their ranks, and the same object while these do not change', async () => {
    const ranks: Ranks = { x: new Map([['http://1/v1', { priority: 1, weight: 0.5 }]]) }
    const { discovery, start } = setUp({ x: ['http://1/v1', 'http://2/v1'] }, ranks)
    const models = [modelOf('m', [entry('x')])]
    await start(models)
    const shown = () => discovery.models()[0]!.backends.map(({ priority, weight }) => [priority, weight])
    expect(shown()).deep.equal([
      [1, 1.5],
      [undefined, 3],
    ])
    const [first] = discovery.models()[0]!.backends
    discovery.update(models)
    expect(discovery.models()[0]!.backends[0]).equal(first)
    ranks.x = new Map([['http://1/v1', { priority: 0, weight: 2 }]])
    await eventually(() => shown()[0]!.join() === '0,6')
  })

  it('adds discovered backends with the options of their entry to those of the configuration', async () => {
    const { discovery, start } = setUp({ a: ['http://10.0.0.1/v1', 'http://10.0.0.2/v1'] })
    const own = backendConfig({ url: 'http://10.0.0.9/v1', model: 'up' })
    await start([modelOf('m', [entry('a')], { backends: [own] }), modelOf('n', [])])
    const [m, n] = discovery.models()
    expect(m!.backends).deep.equal([
      own,
      { ...options, url: 'http://10.0.0.1/v1' },
      { ...options, url: 'http://10.0.0.2/v1' },
    ])
    expect(n!.backends).deep.equal([])
  })

  it('adds a backend once that is found twice or is in the configuration', async () => {
    const { start, urls } = setUp({ a: ['http://10.0.0.1/v1'], b: ['http://10.0.0.1/v1', 'http://10.0.0.2/v1'] })
    const own = backendConfig({ url: 'http://10.0.0.2/v1', model: 'up' })
    await start([modelOf('m', [entry('a'), entry('b')], { backends: [own] })])
    expect(urls()).deep.equal([['http://10.0.0.2/v1', 'http://10.0.0.1/v1']])
  })

  it('reports added and removed backends, and keeps the objects of the others', async () => {
    const names: Names = { a: ['http://10.0.0.1/v1', 'http://10.0.0.2/v1'] }
    const { discovery, start, urls, changes, lines } = setUp(names)
    await start([modelOf('m', [entry('a')])])
    const [before] = discovery.models()
    names.a = ['http://10.0.0.2/v1', 'http://10.0.0.3/v1']
    await eventually(() => changes() > 0)
    expect(urls()).deep.equal([['http://10.0.0.2/v1', 'http://10.0.0.3/v1']])
    expect(discovery.models()[0]!.backends[0]).equal(before!.backends[1])
    expect(lines.at(-1)).include({ msg: 'backends discovered', source: 'dns A a', backends: 2, added: 1, gone: 1 })
  })

  it('keeps the last result while lookups fail, and reports that once in the log and with each backend', async () => {
    const names: Names = { a: ['http://10.0.0.1/v1'] }
    const { discovery, start, urls, lines, metrics } = setUp(names)
    await start([modelOf('m', [entry('a')])])
    expect(discovery.problem('m', 'http://10.0.0.1/v1')).equal(null)
    names.a = new LookupError('SERVFAIL')
    const problem = () => discovery.problem('m', 'http://10.0.0.1/v1')
    await eventually(() => problem() !== null)
    expect(problem()).equal('dns A a: SERVFAIL: the last answer is kept')
    expect(discovery.problem('m', 'http://10.0.0.2/v1')).equal(null)
    expect(urls()).deep.equal([['http://10.0.0.1/v1']])
    expect(await metrics.registry.metrics()).contain('sluiceway_discovery_up{source="dns A a"} 0')
    names.a = ['http://10.0.0.1/v1']
    await eventually(() => problem() === null)
    expect(lines.map(({ msg }) => msg)).deep.equal([
      'backends discovered',
      'service discovery',
      'service discovery works again',
    ])
    expect(await metrics.registry.metrics()).contain('sluiceway_discovery_backends{source="dns A a"} 1')
  })

  it('waits for first results for a limited time', async () => {
    const { discovery, start, lines, urls } = setUp({ a: undefined, b: ['http://10.0.0.1/v1'] })
    await start([modelOf('m', [entry('a'), entry('b')])])
    expect(urls()).deep.equal([['http://10.0.0.1/v1']])
    expect(lines.some(({ msg }) => msg.startsWith('service discovery is slow'))).equal(true)
    expect(discovery.empty()).deep.equal([
      { model: 'm', source: 'dns A a', zdr: true, problem: 'there is no answer yet' },
    ])
  })

  it('lists sources without backends', async () => {
    const { discovery, start } = setUp({ a: [], b: new LookupError('NXDOMAIN') })
    await start([modelOf('m', [entry('a'), entry('b')])])
    expect(discovery.empty().map(({ source, problem }) => [source, problem])).deep.equal([
      ['dns A a', 'it names no backends'],
      ['dns A b', 'NXDOMAIN'],
    ])
  })

  it('shares the lookup of entries with the same source, also across reloads', async () => {
    const { opened, closed, start, urls, discovery } = setUp({ a: ['http://10.0.0.1/v1'], b: ['http://10.0.0.2/v1'] })
    await start([modelOf('m', [entry('a')]), modelOf('n', [entry('a'), entry('b')])])
    expect(opened).deep.equal(['a', 'b'])
    await start([modelOf('m', [entry('a', { everySeconds: 9, backend: { ...options, weight: 7 } })])])
    expect(opened).deep.equal(['a', 'b'])
    expect(closed).deep.equal(['b'])
    expect(urls()).deep.equal([['http://10.0.0.1/v1']])
    expect(discovery.models()[0]!.backends[0]!.weight).equal(7)
  })

  it('changes nothing before a configuration is applied', async () => {
    const { discovery, changes, urls } = setUp({ a: ['http://10.0.0.1/v1'], b: ['http://10.0.0.2/v1'] })
    await discovery.prepare([modelOf('m', [entry('a')])])
    discovery.update([modelOf('m', [entry('a')])])
    await discovery.prepare([modelOf('m', [entry('b')])])
    expect(changes()).equal(0)
    expect(urls()).deep.equal([['http://10.0.0.1/v1']])
  })
})
