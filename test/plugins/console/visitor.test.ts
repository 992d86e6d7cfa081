import { expect } from 'chai'
import { testServices } from '../../../lib/testing.ts'
import { isToken, tokenField, visitorOf } from '../../../plugins/console/visitor.ts'
import { formToken } from '../../support/visitors.ts'

const sessions = {
  open: async () => undefined,
  start: async () => undefined,
  userOf: async (secret: string) => (secret === 'good' ? 'alice' : undefined),
  close: async () => {},
}

describe('visitor', () => {
  it('is the user of the session; without a session there is none', async () => {
    const services = testServices([], { sessions })
    expect(await visitorOf(services, { headers: { cookie: 'service_session=good' } })).deep.equal({
      user: 'alice',
      secret: 'good',
      site: { brand: 'service', environment: undefined },
    })
    expect(await visitorOf(services, { headers: { cookie: 'service_session=old' } })).equal(undefined)
    expect(await visitorOf(services, { headers: {} })).equal(undefined)
  })

  it('has a token that is bound to the session, and does not reveal its secret', () => {
    const token = formToken('good')
    expect(isToken(token, 'good')).equal(true)
    for (const given of ['', 'good', formToken('other'), `${token}x`, 'é'.repeat(token.length)])
      expect(isToken(given, 'good'), given).equal(false)
    expect(tokenField({ user: 'alice', secret: 'good' }).toString())
      .contain(token)
      .and.not.contain('good"')
  })
})
