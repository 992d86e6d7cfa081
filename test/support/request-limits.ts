/** A test suite for the limits of plans and keys, for every implementation of Limits. */
import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import type { Limits, RateClaim, RateState, SpendClaim, SpendState } from '../../lib/limits/limits.ts'
import { eventually } from './gateway.ts'
import { answerOf, type Instances, leaseOf, newAccount, rateOf } from './limits.ts'

const HOUR = 3_600_000

/** A claim on a limit of 1000 micro-cents per hour. */
export const spendOf = (account: string, microcents: number, own: Partial<SpendClaim> = {}): SpendClaim => ({
  ...{ enforced: true, onStoreFailure: 'local_share', account, id: randomUUID() },
  ...{ limitMicrocents: 1000, windowMs: HOUR, microcents, ...own },
})

/** A rate limit of 1000 tokens per minute. */
const tokensOf = (account: string, needs: number, takes = needs, name = 'tokens'): RateClaim => ({
  ...rateOf(account, 1000, name),
  needs,
  takes,
})

/** Declares the tests. */
export function requestLimitsSuite(instances: () => Instances): void {
  const one = () => instances().pair[0]
  const other = () => instances().pair[1]
  /** Sends 200 checks at once, half of them to each instance. Returns the results. */
  const ask = <T>(take: (limits: Limits) => T) =>
    Promise.all(Array.from({ length: 200 }, async (_, i) => take(instances().pair[i % 2]!)))

  describe('leases of a key', () => {
    const ofKey = (account: string, key: string, id: string) => ({ ...leaseOf(account, 2, id), scope: key })

    it('are counted and released separately from those of its account', async () => {
      const account = newAccount()
      for (const id of ['a', 'b']) {
        expect(await one().leases.take(leaseOf(account, 3, id))).equal(true)
        expect(await one().leases.take(ofKey(account, 'k1', id))).equal(true)
      }
      expect(await other().leases.take(ofKey(account, 'k1', 'c'))).equal(false)
      expect(await other().leases.take(ofKey(account, 'k2', 'c'))).equal(true)
      expect(await other().leases.take(leaseOf(account, 3, 'c'))).equal(true)
      expect(await other().leases.take(leaseOf(account, 3, 'd'))).equal(false)
      one().leases.release(account, 'a', 'k1')
      await eventually(async () => (await other().leases.take(ofKey(account, 'k1', 'd'))) === true)
      expect(await other().leases.take(leaseOf(account, 3, 'e'))).equal(false)
    })

    it('are exactly as many as the limit for 200 concurrent requests', async () => {
      const account = newAccount()
      const taken = await ask(({ leases }) => leases.take({ ...leaseOf(account, 17), scope: 'k1' }))
      expect(taken.filter(Boolean)).lengthOf(17)
    })
  })

  describe('tokens a minute', () => {
    it('are counted as estimated and settled as used, at the time of the request', async () => {
      const account = newAccount()
      const claim = tokensOf(account, 600)
      const state = await answerOf(one().rates.take(claim))
      expect(state).include({ allowed: true, amount: 600, remaining: 400 })
      const refused = await answerOf(other().rates.take(tokensOf(account, 500)))
      expect(refused).include({ allowed: false, amount: 0, remaining: 400 })
      expect(refused.resetMs).within(1, 61_000)
      one().rates.settle(account, claim.id, 'tokens', state, 100)
      let next: RateState | undefined
      await eventually(async () => {
        next = await answerOf(other().rates.take(tokensOf(account, 500)))
        return next.allowed
      })
      expect(next).include({ amount: 500, remaining: 400 })
    })

    it('refuse the next request after a settlement above the limit', async () => {
      const account = newAccount()
      const claim = tokensOf(account, 600)
      const state = await answerOf(one().rates.take(claim))
      one().rates.settle(account, claim.id, 'tokens', state, 1500)
      await eventually(async () => {
        const next = await answerOf(other().rates.take(tokensOf(account, 1)))
        return !next.allowed && next.remaining === 0
      })
    })

    it('are the rest of the limit if only the needed amount fits', async () => {
      const account = newAccount()
      expect(await one().rates.take(tokensOf(account, 10, 700))).include({ allowed: true, amount: 700 })
      expect(await one().rates.take(tokensOf(account, 10, 700))).include({ allowed: true, amount: 300, remaining: 0 })
      expect(await one().rates.take(tokensOf(account, 10, 700))).include({ allowed: false })
    })

    it('admit a request that needs more than the limit if nothing else is counted', async () => {
      const account = newAccount()
      expect(await one().rates.take(tokensOf(account, 5000))).include({ allowed: true, amount: 1000 })
      expect(await one().rates.take(tokensOf(account, 5000))).include({ allowed: false })
    })

    it('are given back completely, and never become negative', async () => {
      const account = newAccount()
      const claim = tokensOf(account, 600)
      const state = await answerOf(one().rates.take(claim))
      for (let i = 0; i < 3; i++) one().rates.giveBack(account, claim.id, 'tokens', state)
      await eventually(async () => (await answerOf(one().rates.take(tokensOf(account, 1000)))).allowed)
      expect(await one().rates.take(tokensOf(account, 1))).include({ allowed: false })
    })

    it('of account and key are counted separately, and exactly for 200 concurrent requests', async () => {
      const account = newAccount()
      const states = await ask(({ rates }) => rates.take(tokensOf(account, 70)))
      expect(states.filter(state => state?.allowed)).lengthOf(14)
      expect(await one().rates.take(tokensOf(account, 70, 70, 'tokens:k1'))).include({ allowed: true })
    })
  })

  describe('spend limits', () => {
    it('are reserved and settled in their window', async () => {
      const account = newAccount()
      const before = Date.now()
      const claim = spendOf(account, 700)
      const state = await answerOf(one().spendLimits.reserve(claim))
      expect(state).include({ allowed: true, remainingMicrocents: 300 })
      expect(state.end % HOUR).equal(0)
      expect(state.end).within(before, before + HOUR + 1)
      expect(state.resetMs).within(1, HOUR)
      const refused = await answerOf(other().spendLimits.reserve(spendOf(account, 400)))
      expect(refused).include({ allowed: false, remainingMicrocents: 300, end: state.end })
      one().spendLimits.settle(account, claim.id, state, 50)
      let next: SpendState | undefined
      await eventually(async () => {
        next = await answerOf(other().spendLimits.reserve(spendOf(account, 400)))
        return next.allowed
      })
      expect(next).include({ remainingMicrocents: 550 })
    })

    it('charge nothing for a failed request, and more than reserved for one that cost more', async () => {
      const account = newAccount()
      const [failed, long] = [spendOf(account, 1000), spendOf(account, 200)]
      one().spendLimits.settle(account, failed.id, await answerOf(one().spendLimits.reserve(failed)), 0)
      let state: SpendState | undefined
      await eventually(async () => {
        state = await answerOf(one().spendLimits.reserve(long))
        return state.allowed
      })
      one().spendLimits.settle(account, long.id, state!, 1200)
      await eventually(async () => !(await answerOf(one().spendLimits.reserve(spendOf(account, 1)))).allowed)
    })

    it('of account, keys and window lengths are counted separately', async () => {
      const account = newAccount()
      expect(await one().spendLimits.reserve(spendOf(account, 1000))).include({ allowed: true })
      for (const own of [
        { scope: 'k1' },
        { scope: 'k2' },
        { windowMs: 2 * HOUR },
        { scope: 'k1', windowMs: 2 * HOUR },
      ]) {
        expect(await other().spendLimits.reserve(spendOf(account, 1000, own))).include({ allowed: true })
        expect(await one().spendLimits.reserve(spendOf(account, 1, own))).include({ allowed: false })
      }
    })

    it('of one request are settled separately', async () => {
      const account = newAccount()
      const id = randomUUID()
      const whole = await answerOf(one().spendLimits.reserve(spendOf(account, 600, { id })))
      const ofKey = await answerOf(one().spendLimits.reserve(spendOf(account, 600, { id, scope: 'k1' })))
      one().spendLimits.settle(account, id, whole, 100)
      one().spendLimits.settle(account, id, ofKey, 500)
      await eventually(async () => (await answerOf(other().spendLimits.reserve(spendOf(account, 900)))).allowed)
      expect(await other().spendLimits.reserve(spendOf(account, 501, { scope: 'k1' }))).include({ allowed: false })
      expect(await other().spendLimits.reserve(spendOf(account, 500, { scope: 'k1' }))).include({ allowed: true })
    })

    it('are never exceeded by 200 concurrent requests', async () => {
      const account = newAccount()
      const states = await ask(({ spendLimits }) => spendLimits.reserve(spendOf(account, 77)))
      expect(states.filter(state => state?.allowed)).lengthOf(12)
    })

    it('have their reservations back when a process has died', async () => {
      const account = newAccount()
      expect(await one().spendLimits.reserve(spendOf(account, 1000))).include({ allowed: true })
      await instances().crash(0)
      await eventually(async () => (await answerOf(one().spendLimits.reserve(spendOf(account, 1000)))).allowed)
    })
  })
}
