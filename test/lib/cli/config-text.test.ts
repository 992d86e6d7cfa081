// biome-ignore-all lint/suspicious/noTemplateCurlyInString: a model may have such a name
import { expect } from 'chai'
import { parse } from 'yaml'
import { sha256 } from '../../../lib/base/sha256.ts'
import {
  DEMO_BACKENDS,
  demoConfig,
  newSecret,
  probedConfig,
  secretsOf,
  upstreamConfig,
} from '../../../lib/cli/config-text.ts'
import { type BackendProfile, PROFILES } from '../../../lib/config/profile.ts'
import { model } from '../../support/canonical.ts'
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
    expect(config.endpoints.map(({ host }) => host)).deep.equal(['demo.localhost'])
    expect(config.accounts[0]!.keys).deep.equal([
      {
        id: 'demo',
        user: 'demo@localhost',
        kind: 'serverless',
        sha256: sha256('service_1234'),
        endpoints: ['demo.localhost'],
        limits: undefined,
        formats: undefined,
      },
    ])
  })

  it('has a model that can do everything and one that can do nothing, both simulated', () => {
    const { models } = configOf(demoConfig('service_1234'))
    expect(models.map(({ capabilities: { tools, vision, reasoning } }) => [tools, vision, reasoning])).deep.equal([
      [true, true, true],
      [false, false, false],
    ])
    expect(models.map(({ backends }) => backends.map(({ url }) => url))).deep.equal([DEMO_BACKENDS, [DEMO_BACKENDS[0]]])
  })
})

describe('upstreamConfig', () => {
  const found = (...models: { id: string; max_model_len?: number }[]) =>
    ({ url: 'http://127.0.0.1:1/v1', engine: 'sglang', models, features: {} }) as const

  it('has every model that was found, whatever its name', () => {
    const models = [
      { id: 'Qwen/Qwen3-32B', max_model_len: 4096 },
      { id: 'a:b' },
      { id: '123' },
      { id: '/models/My Model (q4).gguf' },
      { id: '${HOME}' },
      { id: '*' },
    ]
    const config = configOf(upstreamConfig(found(...models), 'service_1234', false))
    expect(config.models.map(({ id, backends }) => [id, backends[0]!.model])).deep.equal([
      ['Qwen/Qwen3-32B', 'Qwen/Qwen3-32B'],
      ['a:b', 'a:b'],
      ['123', '123'],
      ['/models/My-Model-q4-.gguf', '/models/My Model (q4).gguf'],
      ['HOME-', '${HOME}'],
      ['model', '*'],
    ])
    expect(config.models.map(({ max_model_len }) => max_model_len).slice(0, 2)).deep.equal([4096, undefined])
    const { url, engine, api_key } = config.models[0]!.backends[0]!
    expect([url, engine, api_key]).deep.equal(['http://127.0.0.1:1/v1', 'sglang', undefined])
    expect(config.accounts[0]!.keys[0]!.sha256).equal(sha256('service_1234'))
  })

  it('keeps models apart whose names would be the same', () => {
    const config = configOf(upstreamConfig(found({ id: 'a b' }, { id: 'a  b' }), 'service_1234', false))
    expect(config.models.map(({ id, backends }) => [id, backends[0]!.model])).deep.equal([
      ['a-b', 'a b'],
      ['a-b-2', 'a  b'],
    ])
  })

  it('says what was found out about a model and its engine', () => {
    const models = [{ id: 'a', vision: true, reasoning: true }, { id: 'b' }] as const
    const features = { grammar: true, echo: false, suffix: false }
    const text = upstreamConfig({ ...found(), engine: 'llama.cpp', models, features }, 'service_1234', false)
    const [a, b] = configOf(text).models.map(({ capabilities }) => capabilities)
    expect(a).deep.include({ vision: true, tools: true, reasoning: true })
    expect(b).deep.include({ vision: false, tools: true, reasoning: false })
    for (const card of [a, b]) expect(card!.chat_completions).include(features)
  })

  it("leaves the server's key in the environment", () => {
    const text = upstreamConfig(found({ id: 'm' }), 'service_1234', true)
    const config = configOf(text, { UPSTREAM_API_KEY: 's3cret' })
    expect(config.models[0]!.backends[0]!.api_key).equal('s3cret')
  })
})

describe('secretsOf', () => {
  it('finds the key to show first, then those of the customers', () => {
    const secrets = secretsOf(demoConfig('service_1234'))
    expect(secrets[0]).equal('service_1234')
    expect(new Set(secrets).size).equal(3)
  })

  it('reads a text with mistakes as far as it goes', () => {
    expect(secretsOf(`${demoConfig('service_1234')}brand: [`)[0]).equal('service_1234')
  })

  it('finds none where there is none', () => {
    for (const text of ['', 'a', 'accounts: 1', 'accounts: [1, {}]', 'accounts: [{ keys: [{ id: a, sha256: b }] }]']) {
      expect(secretsOf(text), text).deep.equal([])
    }
  })
})

describe('probedConfig', () => {
  const { capabilities } = model({ reasoning: true })
  const result = {
    url: 'http://127.0.0.1:1/v1',
    model: 'm',
    models: ['m'],
    engineVersion: undefined,
    maxModelLen: undefined,
    capabilities,
    notes: [],
    requests: 50,
  }
  const backendOf = (engine: 'vllm' | 'sglang', profile: BackendProfile) => {
    const { models } = parse(probedConfig({ ...result, engine, profile }, false)) as {
      models: { backends: object[] }[]
    }
    return models[0]!.backends[0]
  }

  it('has of a profile only the differences from that of the engine', () => {
    const profile = { ...PROFILES.vllm, thinking_kwarg: 'thinking' as const, efforts: [...PROFILES.vllm.efforts] }
    expect(backendOf('vllm', profile)).deep.include({ profile: { thinking_kwarg: 'thinking' } })
    expect(backendOf('sglang', PROFILES.sglang)).not.property('profile')
  })

  it('has of the capabilities what a probe can find', () => {
    const text = probedConfig({ ...result, engine: 'vllm', profile: PROFILES.vllm }, false)
    expect((parse(text) as { models: object[] }).models[0]).deep.include({
      capabilities: {
        vision: false,
        tools: false,
        reasoning: true,
        chat_completions: capabilities.chat_completions,
      },
    })
  })
})
