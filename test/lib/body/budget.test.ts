import { expect } from 'chai'
import { BodyBudget, type BodyCharge, type BudgetLimits } from '../../../lib/body/budget.ts'
import type { GatewayError } from '../../../lib/errors/errors.ts'
import { eventually } from '../../support/gateway.ts'
import { refusalOf } from '../../support/refusal.ts'

const LIMITS: BudgetLimits = { bodiesBytes: 1000, accountShare: 0.5, waitMs: 60_000 }

/** A budget, and charges of it that already hold memory. */
function budgetWith(limits: Partial<BudgetLimits>, ...held: readonly (readonly [account: string, bytes: number])[]) {
  const refused: string[] = []
  const budget = new BodyBudget({ ...LIMITS, ...limits })
  budget.onRefused = limit => refused.push(limit)
  const charges = held.map(([account, bytes]) => {
    const charge = budget.open(account)
    expect(charge.grow(bytes)).equal(undefined)
    return charge
  })
  return { budget, charges: charges as readonly BodyCharge[] as BodyCharge[], refused }
}

const rejection = (waiting: Promise<void> | undefined): Promise<GatewayError> =>
  waiting!.then(
    () => expect.fail('it got its memory'),
    (error: unknown) => error as GatewayError,
  )

describe('body/budget', () => {
  it('charges as a body grows, and gives everything back once', () => {
    const { budget, charges } = budgetWith({}, ['a', 100], ['a', 50], ['b', 7])
    charges[0]!.grow(20)
    expect([budget.used, budget.accounts]).deep.equal([177, 2])
    charges[0]!.release()
    charges[0]!.release()
    expect(budget.used).equal(57)
    expect(charges[0]!.grow(500)).equal(undefined)
    expect(budget.used).equal(57)
    charges[1]!.release()
    charges[2]!.release()
    expect([budget.used, budget.accounts]).deep.equal([0, 0])
  })

  it('comes back to nothing whatever fractions it was charged by', () => {
    const { budget } = budgetWith({ bodiesBytes: 1e9 })
    const charges = Array.from({ length: 40 }, () => budget.open('a'))
    for (let n = 1; n < 9; n++) for (const [i, charge] of charges.entries()) charge.grow((i * 1e4 + 1) / (7 * n + 3))
    for (const [i, charge] of charges.entries()) charge.shrinkTo(i / 3)
    for (const charge of charges) charge.release()
    expect([budget.used, budget.accounts]).deep.equal([0, 0])
  })

  it('gives back what turns out to be too much', () => {
    const { budget, charges } = budgetWith({}, ['a', 400])
    charges[0]!.shrinkTo(150)
    charges[0]!.shrinkTo(200)
    expect([budget.used, charges[0]!.held, charges[0]!.most]).deep.equal([150, 150, 500])
    charges[0]!.release()
    charges[0]!.shrinkTo(1)
    expect([budget.used, budget.accounts]).deep.equal([0, 0])
  })

  it('lets a body wait for its account, and others pass', async () => {
    const { budget, charges } = budgetWith({}, ['a', 400])
    const second = budget.open('a')
    let got = false
    const waiting = second.grow(200)!.then(() => {
      got = true
    })
    expect(budget.open('b').grow(500)).equal(undefined)
    expect([budget.waiting, got, budget.used]).deep.equal([1, false, 900])
    charges[0]!.release()
    await waiting
    expect([budget.waiting, budget.used, second.held]).deep.equal([0, 700, 200])
  })

  it('refuses with 429 for the account and with 503 for the process, both with Retry-After', async () => {
    const { budget, charges, refused } = budgetWith({ waitMs: 1 }, ['a', 400], ['b', 400])
    const ofAccount = await rejection(budget.open('a').grow(200))
    expect(ofAccount).include({ code: 'rate_limit_exceeded', status: 429 })
    expect(ofAccount.details.headers).include({ 'retry-after': '1', 'ratelimit-remaining': '0' })
    const ofProcess = await rejection(budget.open('c').grow(300))
    expect(ofProcess).include({ code: 'internal_error', status: 503 })
    expect(ofProcess.details.headers).deep.equal({ 'retry-after': '1' })
    expect(ofProcess.details.cause).equal(undefined)
    expect(refused).deep.equal(['account', 'process'])
    expect([budget.waiting, budget.used]).deep.equal([0, 800])
    for (const charge of charges) charge.release()
    expect(budget.accounts).equal(0)
  })

  it('refuses at once, and for good, what is larger than the share of an account', () => {
    const { budget, charges } = budgetWith({}, ['a', 300])
    expect(refusalOf(() => void budget.open('b').grow(501))).include({ code: 'request_body_too_large', status: 413 })
    expect(refusalOf(() => void charges[0]!.grow(201))).include({ code: 'request_body_too_large' })
    expect(budget.used).equal(300)
  })

  it('serves bodies that hold memory already before new ones', async () => {
    const { budget, charges } = budgetWith({}, ['a', 200], ['a', 200], ['a', 100])
    const order: string[] = []
    const newcomer = budget.open('a')
    const first = newcomer.grow(150)!.then(() => order.push('new'))
    const second = charges[0]!.grow(100)!.then(() => order.push('growing'))
    charges[2]!.release()
    await second
    expect(order).deep.equal(['growing'])
    charges[0]!.release()
    await first
    expect(order).deep.equal(['growing', 'new'])
  })

  it('never lets half-read bodies wait for each other: the last one to ask is refused', async () => {
    const { budget, charges } = budgetWith({}, ['a', 250], ['a', 250])
    const first = charges[0]!.grow(100)!
    const refusal = await rejection(charges[1]!.grow(100))
    expect(refusal.code).equal('rate_limit_exceeded')
    charges[1]!.release()
    await first
    expect(budget.used).equal(350)

    const process = budgetWith({ accountShare: 1 }, ['a', 500], ['b', 500])
    const waiting = process.charges[0]!.grow(10)!
    expect(await rejection(process.charges[1]!.grow(10))).include({ status: 503 })
    process.charges[1]!.release()
    await waiting
  })

  it('refuses one after the other of those that wait for each other, until one of them has enough', async () => {
    const { budget, charges } = budgetWith({}, ...Array.from({ length: 10 }, () => ['a', 50] as const))
    const ended = charges.map(async charge => {
      try {
        await charge.grow(200)
        return 'served'
      } catch {
        return 'refused'
      } finally {
        // A moment of work.
        await new Promise(setImmediate)
        charge.release()
      }
    })
    const newcomer = budget.open('a').grow(10)!
    const results = await Promise.all(ended)
    expect(results.filter(result => result === 'served')).lengthOf(6)
    expect(results.slice(0, 6)).deep.equal(Array(6).fill('served'))
    await newcomer
    expect(budget.used).equal(10)
  })

  it('forgets a body that is released while it waits', async () => {
    const { budget, charges, refused } = budgetWith({}, ['a', 500])
    const gone = budget.open('a')
    const waiting = rejection(gone.grow(10))
    gone.release()
    await waiting
    charges[0]!.release()
    expect([budget.waiting, budget.used, budget.accounts, refused.length]).deep.equal([0, 0, 0, 0])
  })

  it('lets several callers of one charge wait one after the other, and forgets them all when it is released', async () => {
    const { budget, charges } = budgetWith({}, ['a', 300], ['a', 100])
    const done: string[] = []
    const [first, second] = ['first', 'second'].map(async name => {
      await charges[1]!.growInOrder(200)
      done.push(name)
    })
    expect(budget.waiting).equal(1)
    charges[0]!.release()
    await first
    await second
    expect([done, budget.used]).deep.equal([['first', 'second'], 500])

    const { charges: others, budget: other } = budgetWith({}, ['a', 400], ['a', 100])
    const waiting = [rejection(others[1]!.growInOrder(200)), rejection(others[1]!.growInOrder(200))]
    others[1]!.release()
    for (const refused of waiting) expect((await refused).code).equal('rate_limit_exceeded')
    others[0]!.release()
    expect([other.used, other.waiting, other.accounts]).deep.equal([0, 0, 0])
  })

  it('bounds how many bodies wait', async () => {
    const { budget } = budgetWith({}, ['a', 500])
    const waiting = Array.from({ length: 2000 }, () => rejection(budget.open('a').grow(1)))
    expect(budget.waiting).below(2000)
    expect(await Promise.race(waiting.slice(-1))).include({ code: 'rate_limit_exceeded' })
    budget.update({ ...LIMITS, bodiesBytes: 10_000 })
    await eventually(() => budget.waiting === 0)
  })

  it('gives waiting bodies what a reload adds', async () => {
    const { budget } = budgetWith({}, ['a', 500])
    const waiting = budget.open('a').grow(100)!
    budget.update({ ...LIMITS, bodiesBytes: 2000 })
    await waiting
    expect(budget.used).equal(600)
  })
})
