import { createHash } from 'node:crypto'
import { expect } from 'chai'
import { configuredKeys, KeyRing, ModelCatalog, mayUse, operatorKey } from '../../../lib/accounts/access.ts'
import { sha256 } from '../../../lib/base/sha256.ts'
import { model } from '../../support/canonical.ts'
import { ACCOUNT_ID, configOf } from '../../support/config.ts'
import { keyOf } from '../../support/key.ts'

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

  it('are found by their secret, with their account', () => {
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

  it('may belong to no user, and may be for dedicated endpoints', () => {
    expect(ring.find('service_second'))
      .include({ id: 'k2', user: undefined })
      .and.deep.include({
        endpoints: ['acme-1.example.com'],
      })
  })

  it('of an account without a list of models may use all', () => {
    expect(ring.find('service_third')?.account).include({ models: null, plan: undefined, creditsCents: undefined })
  })

  it('are exact: no truncated, repeated, hashed or inherited secret is one', () => {
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

  it('contain no part of their secret, and no hash of it', () => {
    const shown = JSON.stringify([ring.find(SECRET), ring])
    expect(shown).not.contain('alice_secret').and.not.contain(sha256(SECRET))
  })

  it('are replaced all at once', () => {
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

const small = model({}, { id: 'small', aliases: ['s', 'tiny'] })
const large = model({}, { id: 'large' })
const other = model({}, { id: 'other' })
const catalog = new ModelCatalog(
  [small, large, other],
  [
    { host: 'acme-1.test', models: ['small', 'other'] },
    { host: 'acme-2.test', models: [] },
  ],
)

describe('models', () => {
  it('are found by id and by alias', () => {
    expect(catalog.find('small', null)).equal(small)
    expect(catalog.find('tiny', null)).equal(small)
    expect(catalog.find('large', null)).equal(large)
  })

  it('are exact names', () => {
    for (const name of ['', 'Small', 'small ', '__proto__', 'constructor', 'hasOwnProperty', 'acme-1.test'])
      expect(catalog.find(name, null), name).equal(undefined)
  })

  it('of a dedicated endpoint are those that it serves', () => {
    expect(catalog.find('s', 'acme-1.test')).equal(small)
    expect(catalog.find('large', 'acme-1.test')).equal(undefined)
    expect(catalog.find('small', 'acme-2.test')).equal(undefined)
    expect(catalog.find('small', 'unknown.test')).equal(undefined)
  })

  it('are visible if served and allowed, in the order of the configuration', () => {
    const all = keyOf()
    const some = keyOf({ models: new Set(['other', 'large', 'gone']) })
    const ids = (key: typeof all, endpoint: string | null) => catalog.visible(key, endpoint).map(({ id }) => id)
    expect(ids(all, null)).deep.equal(['small', 'large', 'other'])
    expect(ids(some, null)).deep.equal(['large', 'other'])
    expect(ids(all, 'acme-1.test')).deep.equal(['small', 'other'])
    expect(ids(some, 'acme-1.test')).deep.equal(['other'])
    expect(ids(all, 'acme-2.test')).deep.equal([])
  })

  it('are allowed by id, never by alias', () => {
    expect(mayUse(keyOf({ models: new Set(['small']) }), small)).equal(true)
    expect(mayUse(keyOf({ models: new Set(['tiny']) }), small)).equal(false)
    expect(mayUse(keyOf({ models: new Set() }), small)).equal(false)
    expect(mayUse(keyOf(), small)).equal(true)
  })
})

describe('a key of the operator', () => {
  it('may use every model, never expires, and belongs to no customer', () => {
    const key = operatorKey('guard', { zdrRequired: true })
    expect(key).nested.include({ id: 'guard', user: undefined, 'account.id': 'operator', 'account.zdrRequired': true })
    expect(mayUse(key, model())).equal(true)
    expect(key).include({ expiresAt: Number.POSITIVE_INFINITY, disabled: false, isStored: false })
  })
})
