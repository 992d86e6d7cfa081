import { expect } from 'chai'
import { findBackends, isCordoned } from '../../../lib/backends/cordon.ts'
import type { SourceConfig } from '../../../lib/config/config.ts'
import { backendConfig } from '../../support/backend-config.ts'
import { model } from '../../support/canonical.ts'
import { configOf } from '../../support/config.ts'

describe('backends/cordon', () => {
  it('applies to an address, for one model or for all', () => {
    const url = 'http://user:secret@a/v1/'
    expect(isCordoned([{ url }], 'm', 'http://a/v1')).equal(true)
    expect(isCordoned([{ url, model: 'm' }], 'm', 'http://a/v1')).equal(true)
    expect(isCordoned([{ url, model: 'n' }], 'm', 'http://a/v1')).equal(false)
    expect(isCordoned([{ url }], 'm', 'http://a/v2')).equal(false)
  })
})

const at = (...urls: string[]) => urls.map(url => backendConfig({ url }))
const models = [
  model({}, { id: 'm', backends: at('http://10.0.0.1:8000/v1', 'http://10.0.0.2:8000/v1') }),
  model({}, { id: 'n', backends: at('http://10.0.0.1:8000/v1', 'http://10.0.0.2:8000/other/v1') }),
]
const known = { models, modelSources: [] }

describe('backends/cordon: backends that an operator names', () => {
  it('finds a backend by URL, or by its host and port', () => {
    const found = { url: 'http://10.0.0.1:8000/v1', models: ['m', 'n'] }
    for (const text of ['http://10.0.0.1:8000/v1', 'http://10.0.0.1:8000/v1/', 'http://10.0.0.1:8000', '10.0.0.1:8000'])
      expect(findBackends(known, text), text).deep.equal(found)
    expect(findBackends(known, '10.0.0.1:8000', 'n')).deep.equal({ ...found, models: ['n'] })
  })

  it('lists the known backends if none or several match', () => {
    expect(findBackends(known, '10.0.0.9:8000')).match(/^there is no backend 10\.0\.0\.9:8000: there are http:/)
    expect(findBackends(known, '10.0.0.2:8000')).equal(
      'several backends are at 10.0.0.2:8000: name one of http://10.0.0.2:8000/v1, http://10.0.0.2:8000/other/v1',
    )
    expect(findBackends(known, '10.0.0.2:8000', 'n')).deep.include({ url: 'http://10.0.0.2:8000/other/v1' })
    expect(findBackends(known, '10.0.0.2:8000', 'mm')).match(/^there is no model 'mm'/)
  })

  it('accepts addresses that discovery could find, and no others', () => {
    const parts = { scheme: 'http', basePath: '/v1', port: 8000 } as const
    const { url: _, ...backend } = backendConfig()
    const entry = (source: SourceConfig) => ({ source, everySeconds: 5, backend })
    const dns = { discover: 'dns', name: 'a.test', servers: undefined, ...parts } as const
    const discovering = [
      model({}, { id: 'a', discover: [entry({ ...dns, type: 'A' })] }),
      model({}, { id: 'srv', discover: [entry({ ...dns, type: 'SRV' })] }),
      model({}, { id: 'file', discover: [entry({ discover: 'file', path: '/t.yaml', ...parts })] }),
    ]
    const sources = { models: discovering, modelSources: [] }
    const found = { url: 'http://10.0.0.7:8000/v1' }
    for (const text of ['http://10.0.0.7:8000/v1', 'http://10.0.0.7:8000/', '10.0.0.7:8000'])
      expect(findBackends(sources, text), text).deep.equal({ ...found, models: ['a', 'srv', 'file'] })
    expect(findBackends(sources, '10.0.0.7:8001')).deep.include({ models: ['srv', 'file'] })
    expect(findBackends(sources, '10.0.0.7:8001', 'a')).match(/^there is no backend 10\.0\.0\.7:8001/)
    expect(findBackends(sources, 'https://gpu.test/other')).deep.equal({
      url: 'https://gpu.test/other',
      models: ['file'],
    })
    expect(findBackends(sources, 'not a host')).match(/^there is no backend not a host: none is in the file/)
  })

  it('accepts the servers of entries that discover models', () => {
    const { models, modelSources } = configOf(`models:
- { discover: { url: http://10.0.0.5:8000/v1 }, allow: [Qwen/*] }
- { discover: { dns: { name: a.test, port: 8001 } }, allow: [other] }
`)
    const config = { models, modelSources }
    expect(findBackends(config, '10.0.0.5:8000')).deep.include({ url: 'http://10.0.0.5:8000/v1' })
    expect(findBackends(config, '10.0.0.5:8000', 'Qwen/x')).deep.include({ models: ['Qwen/x'] })
    expect(findBackends(config, '10.0.0.7:8001', 'other')).deep.include({ url: 'http://10.0.0.7:8001/v1' })
    expect(findBackends(config, '10.0.0.5:8000', 'another')).equal("there is no model 'another'")
  })
})
