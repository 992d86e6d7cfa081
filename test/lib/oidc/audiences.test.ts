import { expect } from 'chai'
import { systemClock } from '../../../lib/base/clock.ts'
import type { Config } from '../../../lib/config/config.ts'
import { consoleSignIn, operatorSignIn } from '../../../lib/oidc/audiences.ts'
import type { SignInFailure } from '../../../lib/oidc/failure.ts'
import { ACCOUNT_ID } from '../../support/config.ts'
import { oidcOf, queryOf, useIssuer } from '../../support/issuer.ts'

const CALLBACK = 'https://gateway.test/sign-in/oidc/callback'

describe('audiences', () => {
  const issuer = useIssuer()
  const customers = (more: object = {}) =>
    consoleSignIn({ console: { oidc: oidcOf(issuer(), more) } } as unknown as Config, systemClock)!
  const operators = (more: object) =>
    operatorSignIn(
      {
        admin: { oidc: { users: [], groups: [], groups_claim: 'groups', ...oidcOf(issuer(), more) } },
      } as unknown as Config,
      systemClock,
    )!
  async function through<T>(signIn: {
    begin(callback: string): Promise<{ readonly location: string; readonly sealed: string }>
    finish(query: string, sealed: string): Promise<T>
  }): Promise<T> {
    const { location, sealed } = await signIn.begin(CALLBACK)
    return signIn.finish(await queryOf(location), sealed)
  }
  const reason = (work: Promise<unknown>) => work.catch((failure: SignInFailure) => failure.reason)

  it('are off without an issuer in the configuration', () => {
    expect(consoleSignIn({ console: {} } as Config, systemClock)).equal(null)
    expect(operatorSignIn({ admin: { api: true } } as Config, systemClock)).equal(null)
    expect(operatorSignIn({ admin: null } as Config, systemClock)).equal(null)
  })

  it('know customers by name, and check their domain', async () => {
    issuer().next = { claims: { email: 'Alice@Test' } }
    const known = await through(customers())
    expect(known.names).deep.equal(['Alice@Test', 'alice@test'])
    expect(known.stranger().words[0]).contain('Alice@Test')
    expect(known.again().reason).equal('used')
    expect(await reason(through(customers({ allowed_domains: ['other.test'] })))).equal('domain')
    issuer().next = { claims: { email_verified: false } }
    expect(await reason(through(customers()))).equal('unverified')
    expect((await through(customers({ user_claim: 'sub' }))).names).deep.equal(['alice-at-issuer'])
  })

  it('know the mapped groups of customers, at the sign-in and later', async () => {
    const accounts = {
      claim: 'roles',
      map: { a: { account: ACCOUNT_ID, role: 'member' }, b: { account: ACCOUNT_ID, role: 'owner' } },
    }
    expect(await through(customers())).not.have.property('judged')
    issuer().next = { refresh: true, claims: { roles: ['b', 'c'] } }
    const signIn = customers({ accounts })
    const { judged } = await through(signIn)
    expect(judged!.groups).deep.equal(['b'])
    for (const secret of issuer().secrets) expect(judged!.renewal).not.contain(secret)
    issuer().next = { refresh: true, userinfo: { roles: 'a' } }
    // Another process.
    const later = await customers({ accounts }).renew(judged!.renewal!)
    expect(later.groups).deep.equal(['a'])
    expect(later.renewal).not.equal(judged!.renewal)
    expect(await reason(signIn.renew(judged!.renewal!))).equal('used')
    expect(await reason(signIn.renew('made-up'))).equal('used')
  })

  it('know no groups if the issuer sends none, and refuse if it keeps them elsewhere', async () => {
    const accounts = { claim: 'groups', map: { a: { account: ACCOUNT_ID, role: 'member' } } }
    expect((await through(customers({ accounts }))).judged).deep.equal({ groups: [], renewal: undefined })
    issuer().next = { claims: { _claim_names: { groups: 'src1' } } }
    expect(await reason(through(customers({ accounts })))).equal('no_claim')
  })

  it('know operators by name or by group', async () => {
    expect(await through(operators({ users: ['alice@test'] }))).include({ name: 'alice@test', rule: 'user:alice@test' })
    issuer().next = { claims: { realm_access: { roles: ['ops'] } } }
    const byRole = { groups: ['ops'], groups_claim: 'realm_access.roles' }
    expect(await through(operators(byRole))).include({ name: 'alice@test', rule: 'group:ops' })
    expect(await reason(through(operators({ users: ['bob@test'], groups: ['ops'] })))).equal('not_operator')
    // A claim that only userinfo has.
    issuer().next = { userinfo: { groups: ['ops'] } }
    expect(await through(operators({ groups: ['ops'] }))).include({ rule: 'group:ops' })
  })
})
