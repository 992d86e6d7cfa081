import { expect } from 'chai'
import {
  isOwnOrigin,
  isToken,
  sessionCookie,
  sessionSecret,
  TOKEN,
  tokenField,
} from '../../../../lib/admin/pages/visitor.ts'
import { tokenOf } from '../../../support/operators.ts'

describe('visitor', () => {
  it('finds the session among other cookies of the host', () => {
    const cookie = 'a_session=1; service_session=2; service_operator_session=3; service_operator_session=4'
    expect(sessionSecret('service', { cookie })).equal('3')
    for (const none of [undefined, '', 'service_operator_session=', 'x_service_operator_session=1'])
      expect(sessionSecret('service', none === undefined ? {} : { cookie: none }), none).equal(undefined)
    expect(sessionCookie('service', '', { headers: {} })).contain('Max-Age=0')
  })

  it('makes tokens that belong to one session and do not tell its secret', () => {
    const field = tokenField({ secret: 'abc' }).toString()
    expect(field).contain(`name="${TOKEN}"`).and.not.contain('abc')
    const token = tokenOf(field)
    expect([
      isToken(token, { secret: 'abc' }),
      isToken(token, { secret: 'abd' }),
      isToken('', { secret: 'abc' }),
    ]).deep.equal([true, false, false])
  })

  it('knows a form of another origin by what browsers say', () => {
    expect(isOwnOrigin({})).equal(true)
    expect(isOwnOrigin({ 'sec-fetch-site': 'same-origin', host: 'a:1' })).equal(true)
    for (const site of ['same-site', 'cross-site']) expect(isOwnOrigin({ 'sec-fetch-site': site })).equal(false)
    expect(isOwnOrigin({ origin: 'http://a:1', host: 'a:1' })).equal(true)
    for (const origin of ['http://a:2', 'null', '']) expect(isOwnOrigin({ origin, host: 'a:1' }), origin).equal(false)
  })
})
