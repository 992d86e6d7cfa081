import type { IncomingHttpHeaders } from 'node:http'
import { expect } from 'chai'
import { isToken, TOKEN, tokenField, visitorCookie, visitorOf } from '../../../../lib/admin/pages/visitor.ts'
import type { Config } from '../../../../lib/config/config.ts'
import type { RunQuery } from '../../../../lib/store/query-runner.ts'
import { tokenOf } from '../../../support/operators.ts'

describe('visitor', () => {
  it('finds the session among other cookies of the host', async () => {
    const cookie = 'a_session=1; service_session=2; service_operator_session=3; service_operator_session=4'
    const read = (async () => ({ id: 'op_1', name: 'alice' })) as unknown as RunQuery
    const secretOf = async (headers: IncomingHttpHeaders) =>
      (await visitorOf(read, { brand: 'service', admin: null }, headers, 0))?.secret
    expect(await secretOf({ cookie })).equal('3')
    const secure = { cookie: `${cookie}; __Host-service_operator_session=5`, 'x-forwarded-proto': 'https' }
    expect(await secretOf(secure)).equal('5')
    expect(await secretOf({ cookie: 'service_session=2' })).equal(undefined)
    expect(visitorCookie('service', '', { headers: {} })).match(/^service_operator_session=; .*Max-Age=0/)
    expect(visitorCookie('service', 'a', { headers: secure })).match(/^__Host-service_operator_session=a;/)
  })

  it('is undefined after the rule that admitted the user is removed from the configuration', async () => {
    const headers = { cookie: 'service_operator_session=x' }
    const operator = { id: 'oidc', name: 'alice', rule: 'group:ops' }
    const read = (async () => operator) as unknown as RunQuery
    const config = (oidc: object | undefined) => ({ brand: 'service', admin: { oidc } }) as unknown as Config
    const visitor = (oidc?: object) => visitorOf(read, config(oidc), headers, 0)
    expect((await visitor({ users: [], groups: ['ops'] }))?.operator).equal(operator)
    expect(await visitor({ users: ['ops'], groups: ['sre'] })).equal(undefined)
    expect(await visitor()).equal(undefined)
  })

  it('makes tokens that belong to one session and do not contain its secret', () => {
    const field = tokenField({ secret: 'abc' }).toString()
    expect(field).contain(`name="${TOKEN}"`).and.not.contain('abc')
    const token = tokenOf(field)
    expect([
      isToken(token, { secret: 'abc' }),
      isToken(token, { secret: 'abd' }),
      isToken('', { secret: 'abc' }),
    ]).deep.equal([true, false, false])
  })
})
