import { expect } from 'chai'
import type { JsonObject } from '../../../lib/base/json.ts'
import type { AdminOidcConfig } from '../../../lib/config/config.ts'
import { candidates, checkDomain, claimOf, isRule, nameOf, ruleFor, wantedClaims } from '../../../lib/oidc/claims.ts'
import type { SignInFailure } from '../../../lib/oidc/failure.ts'

const ALICE = { email: 'Alice@Example.com', email_verified: true }

function reasonOf(work: () => unknown): string {
  try {
    return `no failure: ${work()}`
  } catch (thrown) {
    return (thrown as SignInFailure).reason
  }
}

const byEmail = { user_claim: 'email' }
const name = (claims: JsonObject, claim = 'email') => nameOf(claims, { user_claim: claim }, 'issuer.test')

describe('claims', () => {
  it('are found by name, also with dots, and nested', () => {
    const claims = { a: { b: 1 }, 'https://x.test/groups': ['ops'], 'a.c': 2 }
    expect(claimOf(claims, 'a.b')).equal(1)
    expect(claimOf(claims, 'a.c')).equal(2)
    expect(claimOf(claims, 'https://x.test/groups')).deep.equal(['ops'])
    for (const none of ['b', 'a.b.c', 'toString', '__proto__', 'a.constructor', 'constructor.name'])
      expect(claimOf(claims, none), none).equal(undefined)
  })

  it('name a person only by a verified e-mail address', () => {
    expect(name(ALICE)).equal('Alice@Example.com')
    // Some issuers send a string.
    expect(name({ ...ALICE, email_verified: 'true' })).equal('Alice@Example.com')
    for (const verified of [false, null, 'false', 1, 'yes'])
      expect(reasonOf(() => name({ ...ALICE, email_verified: verified }))).equal('unverified')
    expect(reasonOf(() => name({ email: 'alice@test' }))).equal('unverified')
    for (const email of ['', 'alice', 'a@b@c', 'a b@c', 5, null, ['alice@test']])
      expect(reasonOf(() => name({ ...ALICE, email }))).equal('no_claim')
  })

  it('name a person by another claim', () => {
    expect(name({ preferred_username: 'alice' }, 'preferred_username')).equal('alice')
    for (const value of ['', ' ', 'a\nb', 'a\u0000', 'x'.repeat(256), 7, { a: 1 }])
      expect(reasonOf(() => name({ sub: value }, 'sub'))).equal('no_claim')
  })

  it('also give an address in lower case, for ASCII letters only', () => {
    expect(candidates('Alice@Example.com', byEmail)).deep.equal(['Alice@Example.com', 'alice@example.com'])
    expect(candidates('alice@test', byEmail)).deep.equal(['alice@test'])
    // The lower case of the Kelvin sign is k.
    expect(candidates('mi\u212Ae@test', byEmail)).deep.equal(['mi\u212Ae@test'])
    expect(candidates('Alice', { user_claim: 'sub' })).deep.equal(['Alice'])
  })

  it('must have a domain of the list', () => {
    const check = (claims: JsonObject, ...allowed_domains: string[]) =>
      reasonOf(() => checkDomain(claims, { allowed_domains }, 'issuer.test'))
    expect(check(ALICE)).match(/^no failure/)
    expect(check(ALICE, 'test', 'EXAMPLE.com')).match(/^no failure/)
    for (const domain of ['ample.com', 'com', 'sub.example.com']) expect(check(ALICE, domain), domain).equal('domain')
    expect(check({ ...ALICE, email_verified: false }, 'example.com')).equal('unverified')
    expect(check({ sub: 'alice' }, 'example.com')).equal('no_claim')
  })

  it('make a person an operator by name or by group', () => {
    const oidc = { user_claim: 'email', users: ['alice@example.com'], groups_claim: 'groups', groups: ['ops', 'sre'] }
    const rule = (claims: JsonObject, person = 'bob@test') => ruleFor(claims, person, oidc as never)
    expect(rule({}, 'Alice@Example.com')).equal('user:alice@example.com')
    expect(rule({ groups: ['dev', 'sre'] })).equal('group:sre')
    expect(rule({ groups: 'ops' })).equal('group:ops')
    for (const groups of [[], ['OPS'], 'ops,dev', null, { ops: true }, [['ops']]])
      expect(rule({ groups }), JSON.stringify(groups)).equal(undefined)
  })

  it('have a rule that the configuration may no longer contain', () => {
    const oidc = { users: ['alice'], groups: ['ops'] } as unknown as AdminOidcConfig
    expect(['user:alice', 'group:ops', 'user:ops', 'group:alice', ''].map(rule => isRule(rule, oidc))).deep.equal([
      true,
      true,
      false,
      false,
      false,
    ])
    expect(isRule('user:alice', undefined)).equal(false)
  })

  it('are requested if the configuration reads them', () => {
    expect(wantedClaims({ user_claim: 'sub' } as never)).deep.equal(['sub'])
    expect(wantedClaims({ user_claim: 'email', groups_claim: 'groups', groups: [] } as never)).not.contain('groups')
    expect(wantedClaims({ user_claim: 'sub', groups_claim: 'roles', groups: ['ops'] } as never)).contain('roles')
    expect(wantedClaims({ user_claim: 'sub', allowed_domains: ['test'] } as never)).contain('email_verified')
  })
})
