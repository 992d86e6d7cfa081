import { expect } from 'chai'
import { sha256 } from '../../../../lib/base/sha256.ts'
import { ACCOUNT_ID, problemsOf } from '../../../support/config.ts'

const OTHER_ID = '0c6c1a3e-2f7a-4d6e-9d3f-3a4b5c6d7e8f'

const MODELS = `
models:
  - { id: plain, backends: [{ url: http://x/v1 }] }
  - { id: private, aliases: [priv], backends: [{ url: http://y/v1, zdr: true }] }
endpoints: [{ host: e1.test, models: [plain] }]
plans: { free: {}, pro: { concurrency: 2 } }
`

/** Problems of one account with these members, below `accounts.0.`. */
function ofAccount(members: string): string[] {
  const text = `${MODELS}accounts: [{ id: ${ACCOUNT_ID}, ${members} }]`
  return problemsOf(text).map(problem => problem.replace('accounts.0.', ''))
}

function ofKeys(...keys: string[]): string[] {
  return ofAccount(`members: [{ user: alice }], keys: [${keys.join(', ')}]`)
}

describe('checks on plans', () => {
  it('reads windows', () => {
    const plan = (window: string) =>
      problemsOf(`${MODELS.replace('free: {}', `free: { requests: { limit: 1, window: ${window} } }`)}`)
    for (const window of ['1h', '1d', '7d']) expect(plan(window), window).deep.equal([])
    expect(plan('1y')).deep.equal([
      'plans.free.requests.window: must be a number and m, h or d, such as 1h, 1d or 7d, and at most a year',
    ])
  })
})

describe('checks on limits', () => {
  it('reads windows of budgets, in plans and keys', () => {
    const limits = (window: string) => `limits: { budget_cents: { amount: 5, window: ${window} } }`
    const plan = (window: string) => problemsOf(MODELS.replace('free: {}', `free: { ${limits(window)} }`))
    expect(plan('30d')).deep.equal([])
    const words = 'must be a number and m, h or d, such as 1h, 1d or 7d, and at most a year'
    expect(plan('month')).deep.equal([`plans.free.limits.budget_cents.window: ${words}`])
    expect(ofKeys(`{ id: k1, secret: service_alice_1, ${limits('2w')} }`)).deep.equal([
      `keys.0.limits.budget_cents.window: ${words}`,
    ])
  })

  it('refuses the same limit twice', () => {
    const text = MODELS.replace('pro: { concurrency: 2 }', 'pro: { concurrency: 2, limits: { concurrency: 3 } }')
    expect(problemsOf(text)).deep.equal([
      'plans.pro.limits.concurrency: is the same limit as plans.pro.concurrency: give one of them',
    ])
  })

  it('refuses limits of one model by two of its names, of which one would have no effect', () => {
    const limits = 'limits: { models: { priv: { concurrency: 1 }, plain: {}, private: { concurrency: 2 } } }'
    const words = 'limits.models.private: is the same model as HOLDER.limits.models.priv: give one of them'
    expect(problemsOf(MODELS.replace('free: {}', `free: { ${limits} }`))).deep.equal([
      `plans.free.${words.replace('HOLDER', 'plans.free')}`,
    ])
    expect(ofKeys(`{ id: k1, secret: service_alice_1, ${limits} }`)).deep.equal([
      `keys.0.${words.replace('HOLDER', 'accounts.0.keys.0')}`,
    ])
  })

  it('refuses members that are none, and limits of nothing', () => {
    const [first, ...more] = ofKeys('{ id: k1, secret: service_alice_1, limits: { tokens_per_minut: 1 } }')
    expect(first).contain('tokens_per_minute')
    expect(more).deep.equal([])
    expect(ofKeys('{ id: k1, secret: service_alice_1, limits: { requests_per_minute: 0 } }')).lengthOf(1)
  })
})

describe('checks on accounts', () => {
  it('refuses an id that is taken, in whatever case', () => {
    expect(problemsOf(`${MODELS}accounts: [{ id: ${ACCOUNT_ID} }, { id: ${ACCOUNT_ID.toUpperCase()} }]`)).deep.equal([
      'accounts.1.id: is the id of accounts.0.id already',
    ])
  })

  it('refuses an unknown plan, also one that every object has', () => {
    expect(ofAccount('plan: fre')).deep.equal(["plan: there is no plan 'fre': did you mean 'free'?"])
    expect(ofAccount('plan: constructor')).deep.equal(["plan: there is no plan 'constructor'"])
  })

  it('refuses unknown models', () => {
    expect(ofAccount("models: ['*']")).deep.equal([])
    expect(ofAccount('models: [priv, plian]')).deep.equal([
      "models.1: there is no model 'plian': did you mean 'plain'?",
    ])
  })

  it('refuses a user who is a member twice', () => {
    expect(ofAccount('members: [{ user: a }, { user: b }, { user: a, role: owner }]')).deep.equal([
      'members.2.user: is the user of accounts.0.members.0.user already',
    ])
  })
})

describe('checks on keys', () => {
  it('wants exactly one of secret and sha256', () => {
    expect(ofKeys('{ id: k }')).deep.equal(['keys.0: needs secret or sha256'])
    expect(ofKeys(`{ id: k, secret: service_1, sha256: ${'a'.repeat(64)} }`)).deep.equal([
      'keys.0: has both secret and sha256: give one of them',
    ])
  })

  it('accepts a secret that does not start with the brand', () => {
    expect(ofKeys('{ id: k, secret: sk-of-long-ago }')).deep.equal([])
  })

  it('refuses a secret that a header cannot carry, or that can be guessed', () => {
    for (const secret of ['short', '"with space"', '"tab\\t12345"', '"ümlaut-123"']) {
      expect(ofKeys(`{ id: k, secret: ${secret} }`), secret).deep.equal([
        'keys.0.secret: must be 8 to 512 printable ASCII characters without spaces',
      ])
    }
  })

  it('refuses an id or a key that is taken, in any account', () => {
    const text = `${MODELS}accounts:
  - { id: ${ACCOUNT_ID}, keys: [{ id: k1, secret: service_one }] }
  - { id: ${OTHER_ID}, keys: [{ id: k1, secret: service_two }, { id: k2, sha256: ${sha256('service_one').toUpperCase()} }] }`
    expect(problemsOf(text)).deep.equal([
      'accounts.1.keys.0.id: is the id of accounts.0.keys.0.id already',
      'accounts.1.keys.1: is the same key as accounts.0.keys.0',
    ])
  })

  it('wants the user to be a member', () => {
    expect(ofKeys('{ id: k, user: alice, secret: service_1 }')).deep.equal([])
    expect(ofKeys('{ id: k, user: alicia, secret: service_1 }')).deep.equal([
      "keys.0.user: 'alicia' is not a member of this account: did you mean 'alice'?",
    ])
    expect(ofAccount('keys: [{ id: k, user: alice, secret: service_1 }]')).deep.equal([
      "keys.0.user: 'alice' is not a member of this account: add the user to its members",
    ])
  })

  it('lets a gateway start with what is only doubtful', () => {
    const text = `models: [{ id: m, backends: [{ url: 'http://a/v1' }, { url: 'http://a/v1' }] }]
accounts: [{ id: ${ACCOUNT_ID}, zdr_required: true, keys: [{ id: k, user: alice, secret: service_1 }] }]`
    expect(problemsOf(text)).lengthOf(3)
    expect(problemsOf(text, {}, '/', false)).deep.equal([])
  })

  it('wants a model with zero data retention where it is required', () => {
    const models = (zdr: boolean) =>
      `models: [{ id: a, backends: [{ url: 'http://a/v1' }] }, { id: b, aliases: [bb], backends: [{ url: 'http://b/v1', zdr: ${zdr} }] }]\n`
    const account = (zdr: boolean, members: string) =>
      problemsOf(`${models(zdr)}accounts: [{ id: ${ACCOUNT_ID}, zdr_required: true, ${members} }]`)
    const problem = 'accounts.0.zdr_required: none of the models of this account has a backend with zdr: true'
    for (const members of ['', "models: ['*']", 'models: [bb]', 'models: [a, b]'])
      expect([account(true, members), account(false, members)], members).deep.equal([[], [problem]])
    expect(account(true, 'models: [a]')).deep.equal([problem])
  })

  it('wants endpoints that are there', () => {
    expect(ofKeys('{ id: k, kind: dedicated, secret: service_1, endpoints: [E1.test] }')).deep.equal([])
    expect(ofKeys('{ id: k, kind: dedicated, secret: service_1, endpoints: [e2.test] }')).deep.equal([
      "keys.0.endpoints.0: there is no endpoint 'e2.test': did you mean 'e1.test'?",
    ])
  })

  it('accepts a dedicated key that opens nothing yet', () => {
    expect(ofKeys('{ id: k, kind: dedicated, secret: service_1 }')).deep.equal([])
  })
})
