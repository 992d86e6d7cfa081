import { expect } from 'chai'
import type { JsonObject } from '../../../lib/base/json.ts'
import { newProblems, type StoredModel, withStoredModels } from '../../../lib/config/stored-models.ts'
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
const ids = (stored: readonly StoredModel[]) => withStoredModels(config, stored).config.models.map(({ id }) => id)

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
    expect(withStoredModels(config, []).config).equal(config)
    expect(ids([entry('b'), { id: 'other', entry: null }, entry('a')])).deep.equal(['m', 'a', 'b'])
    const { config: changed, unused } = withStoredModels(config, [entry('m', { aliases: ['latest', 'x'] })])
    expect([...unused]).deep.equal([])
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
    const { config: changed, unused } = withStoredModels(config, stored)
    expect(changed.models.map(({ id }) => id)).deep.equal(['m', 'other', 'a'])
    expect(unused.get('b')).match(/^model 'b': kind: /)
    expect(unused.get('c')).equal("model 'c': aliases.0: 'other' is the name of id of model 'other' already")
    expect(unused.get('m')).equal("endpoints.0.models.0: there is no model 'latest'")
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
