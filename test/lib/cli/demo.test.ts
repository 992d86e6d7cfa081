import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import {
  DEMO_BACKEND,
  DEMO_ENDPOINT,
  demoConfig,
  firstSecret,
  newSecret,
  upstreamConfig,
} from '../../../lib/cli/demo.ts'
import { CONFIG_SCHEMAS } from '../../../lib/config/schema.ts'
import { isObject } from '../../../lib/json.ts'
import { sha256 } from '../../../lib/keys.ts'
import { configOf } from '../../support/config.ts'

describe('newSecret', () => {
  it('starts with the brand and is never the same', () => {
    expect(newSecret()).match(/^service_[0-9a-f]{40}$/)
    expect(newSecret()).not.equal(newSecret())
  })
})

describe('demoConfig', () => {
  it('is valid, and its key opens the gateway and the dedicated endpoint', () => {
    const config = configOf(demoConfig('service_1234'), {}, '/data')
    expect(config.store).equal('sqlite:/data/sluiceway.db')
    expect(config.endpoints.map(({ host }) => host)).deep.equal([DEMO_ENDPOINT])
    expect(config.accounts[0]!.keys).deep.equal([
      {
        id: 'demo',
        user: 'demo@localhost',
        kind: 'serverless',
        sha256: sha256('service_1234'),
        endpoints: [DEMO_ENDPOINT],
      },
    ])
  })

  it('has a model that can do everything and one that can do nothing, both simulated', () => {
    const { models } = configOf(demoConfig('service_1234'))
    expect(models.map(({ capabilities: { tools, vision, reasoning } }) => [tools, vision, reasoning])).deep.equal([
      [true, true, true],
      [false, false, false],
    ])
    for (const { backends } of models) expect(backends.map(({ url }) => url)).deep.equal([DEMO_BACKEND])
  })
})

describe('upstreamConfig', () => {
  it('has every model that was found, whatever its name', () => {
    const models = [{ id: 'Qwen/Qwen3-32B', max_model_len: 4096 }, { id: 'a:b' }, { id: '123' }]
    const config = configOf(upstreamConfig('http://127.0.0.1:1/v1', 'sglang', models, 'service_1234'))
    expect(config.models.map(({ id, max_model_len }) => [id, max_model_len])).deep.equal([
      ['Qwen/Qwen3-32B', 4096],
      ['a:b', undefined],
      ['123', undefined],
    ])
    expect(config.models[0]!.backends[0]).deep.include({ url: 'http://127.0.0.1:1/v1', engine: 'sglang' })
    expect(config.accounts[0]!.keys[0]!.sha256).equal(sha256('service_1234'))
  })
})

describe('firstSecret', () => {
  it('finds the key to show', () => {
    expect(firstSecret(demoConfig('service_1234'))).equal('service_1234')
  })

  it('finds none where there is none', () => {
    for (const text of ['', 'a', 'accounts: 1', 'accounts: [1, {}]', 'accounts: [{ keys: [{ id: a, sha256: b }] }]']) {
      expect(firstSecret(text), text).equal(undefined)
    }
  })
})

describe('config/example.yaml', () => {
  it('shows every member there is', () => {
    const text = readFileSync(new URL('../../../config/example.yaml', import.meta.url), 'utf8')
    const names = new Set<string>()
    const collect = (schema: unknown): void => {
      if (Array.isArray(schema)) return schema.forEach(collect)
      if (!isObject(schema)) return
      if (isObject(schema.properties)) for (const name of Object.keys(schema.properties)) names.add(name)
      Object.values(schema).forEach(collect)
    }
    Object.values(CONFIG_SCHEMAS).forEach(collect)
    names.delete('$schema')
    const missing = [...names].filter(name => !new RegExp(`\\b${name}:`).test(text))
    expect(missing).deep.equal([])
  })
})
