import { createHash } from 'node:crypto'
import { expect } from 'chai'
import { configuredKeys, KeyRing } from '../../../lib/accounts/keys.ts'
import { sha256 } from '../../../lib/base/sha256.ts'
import { ACCOUNT_ID, configOf } from '../../support/config.ts'

const SECRET = 'service_alice_secret'

const config = configOf(`models: [{ id: m, backends: [{ url: http://127.0.0.1:8000/v1, zdr: true }] }]
plans: { pro: { tier: pro } }
endpoints: [{ host: acme-1.example.com, models: [m] }]
accounts:
  - id: ${ACCOUNT_ID}
    name: acme
    kind: serverless
    plan: pro
    zdr_required: true
    models: [m]
    credits_cents: 500
    members: [{ user: alice@acme.test, role: owner }]
    keys:
      - { id: k1, user: alice@acme.test, kind: serverless, secret: ${SECRET} }
      - { id: k2, kind: dedicated, secret: service_second, endpoints: [acme-1.example.com] }
  - id: 0b1c1f7e-9a53-4c57-8d1b-6f2c1e9a2d6b
    name: other
    kind: enterprise
    keys: [{ id: k3, kind: pass, secret: service_third }]
`)

const ring = new KeyRing(configuredKeys(config))

describe('keys', () => {
  it('are found by their user', () => {
    expect(ring.ofUser('alice@acme.test').map(({ id }) => id)).deep.equal(['k1'])
    expect(ring.ofUser('nobody')).deep.equal([])
  })

  it('are found by their secret, with whose they are', () => {
    expect(ring.find(SECRET)).deep.equal({
      id: 'k1',
      kind: 'serverless',
      user: 'alice@acme.test',
      endpoints: [],
      models: null,
      expiresAt: Number.POSITIVE_INFINITY,
      disabled: false,
      isStored: false,
      limits: undefined,
      formats: undefined,
      account: {
        id: ACCOUNT_ID,
        name: 'acme',
        kind: 'serverless',
        plan: 'pro',
        zdrRequired: true,
        models: new Set(['m']),
        creditsCents: 500,
        disabled: false,
      },
    })
  })

  it('may belong to no user, and open endpoints', () => {
    expect(ring.find('service_second'))
      .include({ id: 'k2', user: undefined })
      .and.deep.include({
        endpoints: ['acme-1.example.com'],
      })
  })

  it('of an account without a list of models may use all', () => {
    expect(ring.find('service_third')?.account).include({ models: null, plan: undefined, creditsCents: undefined })
  })

  it('are exact: nothing damaged, cut, doubled, hashed or inherited is one', () => {
    const wrong = [
      '',
      SECRET.slice(0, -1),
      `${SECRET} `,
      ` ${SECRET}`,
      SECRET.toUpperCase(),
      SECRET + SECRET,
      sha256(SECRET),
      '__proto__',
      'constructor',
      'toString',
      'k1',
    ]
    for (const secret of wrong) expect(ring.find(secret), secret).equal(undefined)
  })

  it('carry no part of their secret, nor its hash', () => {
    const shown = JSON.stringify([ring.find(SECRET), ring])
    expect(shown).not.contain('alice_secret').and.not.contain(sha256(SECRET))
  })

  it('change all at once', () => {
    const changing = new KeyRing(configuredKeys(config))
    const entry = [...configuredKeys(config)].find(([, { id }]) => id === 'k3')!
    changing.replace([entry])
    expect(changing.find(SECRET)).equal(undefined)
    expect(changing.find('service_third')?.id).equal('k3')
    expect(new KeyRing().find(SECRET)).equal(undefined)
  })

  it('are compared by SHA-256', () => {
    expect(sha256('abc')).equal(createHash('sha256').update('abc').digest('hex'))
  })
})
