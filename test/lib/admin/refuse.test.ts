import { expect } from 'chai'
import { refuseValue, repeatedAt } from '../../../lib/admin/refuse.ts'

describe('values that operators give', () => {
  it('are refused by their name, in a sentence', () => {
    expect(() => refuseValue('plan', 'is not in the configuration')).throws("'plan' is not in the configuration.")
    expect(() => refuseValue('plan', "is not one: did you mean 'pro'?")).throws(/ did you mean 'pro'\?$/)
  })

  it('may be there once', () => {
    expect(repeatedAt(['a', 'b', 'a'])).equal(2)
    expect(repeatedAt(['a', 'b'])).equal(-1)
  })
})
