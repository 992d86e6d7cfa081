import { expect } from 'chai'
import { ModelNames } from '../../../../lib/config/checks/model-names.ts'
import { problemsOf } from '../../../support/config.ts'

const names = new ModelNames({
  models: [
    { id: 'm', aliases: ['latest'], backends: [{ zdr: true }] },
    { discover: {}, allow: ['Qwen/*'], defaults: { backends: [{ zdr: true }] } },
    { discover: {}, allow: ['other/*'] },
    'nothing',
  ],
})

describe('checks/model-names', () => {
  it('has ids, aliases, and what may be found', () => {
    for (const name of ['m', 'latest', 'Qwen/Qwen3', 'other/x']) expect(names.has(name), name).equal(true)
    expect(names.has('n')).equal(false)
    expect([...names.known]).deep.equal(['m', 'latest'])
    expect(names.isEmpty).equal(false)
    expect(new ModelNames({}).isEmpty).equal(true)
  })

  it('knows which models have zero data retention', () => {
    for (const name of ['*', 'm', 'latest', 'Qwen/Qwen3']) expect(names.hasZdr([name]), name).equal(true)
    for (const name of ['other/x', 'n']) expect(names.hasZdr([name]), name).equal(false)
  })

  it('lets other members name a model that may be found, and no other', () => {
    const text = (name: string) => `
models:
- { discover: { url: http://a/v1 }, allow: [Qwen/*] }
- { id: m, fallback: [${name}], mirror: { to: ${name}, percent: 1 }, backends: [{ url: http://b/v1 }] }
endpoints: [{ host: a.test, models: [${name}] }]
plans: { p: { limits: { models: { ${name}: { tokens_per_minute: 5 } } } } }
accounts: [{ id: 6f2c1e9a-8d1b-4c57-9a53-0d6b1c1f7e21, models: [${name}] }]
`
    expect(problemsOf(text('Qwen/x'))).deep.equal([])
    expect(problemsOf(text('other')).length).greaterThan(3)
  })
})
