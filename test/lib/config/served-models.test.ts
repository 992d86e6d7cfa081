import { expect } from 'chai'
import type { JsonObject } from '../../../lib/base/json.ts'
import type { Config } from '../../../lib/config/config.ts'
import {
  effectiveModels,
  newProblems,
  type StoredModel,
  type UnusedModel,
  withServedModels,
} from '../../../lib/config/served-models.ts'
import { configOf } from '../../support/config.ts'

const FILE = `
models:
  - id: m
    aliases: [latest]
    max_concurrency: \${LIMIT}
    backends: [{ url: http://127.0.0.1:8000/v1 }]
  - id: other
    backends: [{ url: http://127.0.0.1:8001/v1 }]
endpoints: [{ host: acme.test, models: [latest] }]
accounts:
  - id: 6f2c1e9a-8d1b-4c57-9a53-0d6b1c1f7e21
    members: [{ user: alice, role: owner }]
    keys: [{ id: k1, user: alice, kind: serverless, secret: service_in_the_file }]
`
const config = configOf(FILE, { LIMIT: '4' })
const entry = (id: string, more: JsonObject = {}): StoredModel => {
  return { id, entry: { id, backends: [{ url: 'http://10.0.0.1:8000/v1' }], ...more } }
}
const problemOf = (unused: readonly UnusedModel[], wanted: string) => unused.find(({ id }) => id === wanted)?.problem
const ids = (stored: readonly StoredModel[]) => withServedModels(config, stored).config.models.map(({ id }) => id)

describe('stored models', () => {
  it('know the file as written, with variables filled in, without defaults and secrets', () => {
    expect(config.file.models).deep.equal([
      { id: 'm', aliases: ['latest'], max_concurrency: 4, backends: [{ url: 'http://127.0.0.1:8000/v1' }] },
      { id: 'other', backends: [{ url: 'http://127.0.0.1:8001/v1' }] },
    ])
    expect(JSON.stringify(config)).not.contain('service_in_the_file')
    expect(JSON.stringify(config.file.accounts)).contain(config.accounts[0]!.keys[0]!.sha256)
  })

  it('replace models of the file, hide them, and follow them', () => {
    expect(withServedModels(config, []).config).equal(config)
    expect(ids([entry('b'), { id: 'other', entry: null }, entry('a')])).deep.equal(['m', 'a', 'b'])
    const { config: changed, unused } = withServedModels(config, [entry('m', { aliases: ['latest', 'x'] })])
    expect(unused).deep.equal([])
    expect(changed.models[0]).deep.include({ id: 'm', aliases: ['latest', 'x'], max_concurrency: undefined })
    expect(changed.models[0]!.backends[0]!.url).equal('http://10.0.0.1:8000/v1')
    expect(changed.endpoints).deep.equal([{ host: 'acme.test', models: ['m'] }])
    expect(changed.accounts).deep.equal(config.accounts)
  })

  it('are left out alone if they do not fit the file', () => {
    const stored = [
      entry('a'),
      entry('b', { kind: 'odd' }),
      entry('c', { aliases: ['other'] }),
      { id: 'm', entry: null },
    ]
    const { config: changed, unused } = withServedModels(config, stored)
    expect(changed.models.map(({ id }) => id)).deep.equal(['m', 'other', 'a'])
    expect(problemOf(unused, 'b')).match(/^model 'b': kind: /)
    expect(problemOf(unused, 'c')).equal("model 'c': aliases.0: 'other' is in use as id of model 'other'")
    expect(problemOf(unused, 'm')).equal("endpoints.0.models.0: there is no model 'latest'")
  })

  it('have the problems that `check` finds, except for those of before', () => {
    const problems = (next: StoredModel, before: readonly StoredModel[] = []) =>
      newProblems(config, before, [...before, next]).map(
        ({ model = '', path, message }) => `${model} ${path}: ${message}`,
      )
    expect(problems(entry('a'))).deep.equal([])
    expect(problems(entry('a', { fallback: ['nowhere'] }))).deep.equal(["a fallback.0: there is no model 'nowhere'"])
    expect(problems(entry('a', { backends: [{ url: 'http://h/v1/models' }] }))[0]).match(/^a backends.0.url: ends with/)
    const tls = { url: 'https://h/v1', tls: { ca: '/nowhere.pem' } }
    expect(problems(entry('a', { backends: [tls] }))[0]).match(/^a backends.0.tls/)
    expect(problems(entry('a', { backends: 1 }))[0]).match(/^a backends: /)
    expect(problems({ id: 'm', entry: null })).deep.equal([" endpoints.0.models.0: there is no model 'latest'"])
    const doubtful = entry('d', { backends: [{ url: 'http://h/v1', weight: 0 }] })
    expect(problems(doubtful)).length(1)
    expect(problems(entry('a'), [doubtful])).deep.equal([])
  })
})

describe('discovered models among the others', () => {
  const text = (more = '') => `
stored_models: true
models:
  - discover: { url: http://10.0.0.5:8000/v1 }
  - { id: m, aliases: [alias], backends: [{ url: http://127.0.0.1:8000/v1 }] }
${more}`
  const withFound = (given: Config, ...ids: readonly string[]): Config => {
    const facts = { engine: 'vllm', capabilities: {}, profile: null } as const
    const found = (id: string) => ({ id, source: given.modelSources[0]!.key, urls: ['http://10.0.0.5:8000/v1'], facts })
    return { ...given, found: ids.map(found) }
  }
  const served = (given: Config, stored: readonly StoredModel[] = []) => {
    const { config: changed, unused } = withServedModels(given, stored)
    return { ids: changed.models.map(({ id }) => id), unused, changed }
  }

  it('come after those of the file and of the store, whose names win', () => {
    const given = withFound(configOf(text()), 'b', 'm', 'alias', 'a', 'of-store')
    const stored = [entry('s', { aliases: ['of-store'] }), entry('a', { owned_by: 'us' })]
    const { ids: all, changed } = served(given, stored)
    expect(all).deep.equal(['m', 'a', 's', 'b'])
    expect(changed.models.find(({ id }) => id === 'a')?.owned_by).equal('us')
    expect(changed.found).equal(given.found)
    expect(served(given).ids).deep.equal(['m', 'a', 'b', 'of-store'])
    expect(served(given, [{ id: 'b', entry: null }]).ids).deep.equal(['m', 'a', 'of-store'])
    const gone = withFound(configOf(text()), 'a')
    expect(effectiveModels(gone, [{ id: 'b', entry: null }])).deep.equal([])
  })

  it('are left out if they are not valid, and then alone', () => {
    const { ids: all, unused } = served(withFound(configOf(text()), 'a', '@odd', 'b'))
    expect(all).deep.equal(['m', 'a', 'b'])
    expect(unused).length(1)
    expect(unused[0]).include({ id: '@odd', origin: 'discovered' })
    expect(unused[0]!.problem).match(/^model '@odd': id: must be/)
  })

  it('are left out if another model cannot be together with them', () => {
    const more = '  - { id: n, kind: embedding, fallback: [b], backends: [{ url: http://127.0.0.1:8001/v1 }] }'
    const { ids: all, unused } = served(withFound(configOf(text(more)), 'a', 'b', 'c'))
    expect(all).deep.equal(['m', 'n', 'a', 'c'])
    expect(unused).deep.equal([
      { id: 'b', origin: 'discovered', problem: "model 'n': fallback.0: is of another kind: 'chat'" },
    ])
  })

  it('may be the only ones, or none', () => {
    const only = configOf('models: [{ discover: { url: http://10.0.0.5:8000/v1 } }]')
    expect(served(only).ids).deep.equal([])
    expect(served(withFound(only, 'a')).ids).deep.equal(['a'])
    expect(newProblems(withFound(only, 'a'), [], [{ id: 'a', entry: null }])).deep.equal([])
    expect(newProblems(only, [], [entry('a', { fallback: ['later'] })])).deep.equal([])
  })
})
