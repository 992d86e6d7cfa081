import { expect } from 'chai'
import { microsOf, modelId, modelIds, refuseValue, repeatedAt } from '../../../lib/admin/values.ts'
import { configOf, MODEL } from '../../support/config.ts'

describe('values of bodies and queries', () => {
  it('are refused with their name, in a sentence', () => {
    expect(() => refuseValue('plan', 'is not in the configuration')).throws("'plan' is not in the configuration.")
    expect(() => refuseValue('plan', "is not one: did you mean 'pro'?")).throws(/ did you mean 'pro'\?$/)
  })

  it('are found if they repeat', () => {
    expect(repeatedAt(['a', 'b', 'a'])).equal(2)
    expect(repeatedAt(['a', 'b'])).equal(-1)
  })

  it('are microseconds if they are timestamps', () => {
    expect(microsOf('1970-01-01T00:00:01.5Z')).equal(1_500_000)
    expect(microsOf(undefined)).equal(undefined)
  })

  it('are ids of models, also of those that may be discovered', () => {
    const plain = configOf(MODEL)
    expect(() => modelIds(plain, ['m', 'Qwen/x'])).throws("'models.1' is 'Qwen/x', which is not a model: there is 'm'.")
    const config = configOf(`${MODEL}    aliases: [latest]\n  - { discover: { url: http://a/v1 }, allow: [Qwen/*] }\n`)
    expect(modelIds(config, ['latest', 'm', 'Qwen/x', '*'])).deep.equal(['m', 'Qwen/x', '*'])
    expect([modelId(config, 'latest'), modelId(config, 'other')]).deep.equal(['m', undefined])
  })
})
