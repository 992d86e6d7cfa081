/** A test suite for every implementation of Limits. */

import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { type Ledger, type LedgerTotals, LedgerView } from '../../lib/limits/ledger.ts'
import type { CreditClaim, LeaseClaim, Limits, MaybePromise, QuotaClaim, RateClaim } from '../../lib/limits/limits.ts'
import { seededRandom } from '../../simulator/random.ts'
import { eventually } from './gateway.ts'

/** A ledger with the entries of a test. */
export class TestLedger implements Ledger {
  readonly entries = new Map<string, LedgerTotals>()
  reads = 0
  /** Error of the next reads. */
  problem: Error | null = null

  async totals(accounts: readonly string[]): Promise<ReadonlyMap<string, LedgerTotals>> {
    this.reads++
    if (this.problem !== null) throw this.problem
    return new Map(
      accounts.flatMap(account => {
        const entry = this.entries.get(account)
        return entry === undefined ? [] : [[account, entry]]
      }),
    )
  }

  view(): LedgerView {
    return new LedgerView(this, { everyMs: 20 })
  }
}

export const newAccount = () => `account-${randomUUID()}`

const CLAIM = { enforced: true, onStoreFailure: 'local_share' } as const

export const leaseOf = (account: string, limit: number, id: string = randomUUID()): LeaseClaim => {
  return { ...CLAIM, account, id, limit }
}
export const quotaOf = (account: string, limit: number, windowMs: number, id: string = randomUUID()): QuotaClaim => {
  return { ...CLAIM, account, id, limit, windowMs }
}
export const rateOf = (account: string, perMinute: number, name = 'endpoints'): RateClaim => {
  return { ...CLAIM, account, id: randomUUID(), name, perMinute }
}
/** The credit check of an account with 1000 micro-cents. */
export const creditOf = (account: string, microcents: number, id: string = randomUUID()): CreditClaim => {
  return { ...CLAIM, onStoreFailure: 'fail_closed', account, id, microcents, initialMicrocents: 1000 }
}

/** The result of one check. */
export async function answerOf<T>(asked: MaybePromise<T | undefined>): Promise<T> {
  const answer = await asked
  if (answer === undefined) throw new Error('another limit has refused')
  return answer
}

/** Time until a charge is in the ledger. */
const RECORD_MS = 400

export interface Instances {
  /** Two processes, or twice the same one for limits in memory. */
  readonly pair: readonly [Limits, Limits]
  readonly ledger: TestLedger
  /** Kills one of the pair and starts it again. Resolves when its leases and reservations have ended. */
  crash(index: 0 | 1): Promise<void>
}

/** Declares the tests. */
export function limitsSuite(instances: () => Instances): void {
  const one = () => instances().pair[0]
  const other = () => instances().pair[1]
  /** Sends 200 checks at once, half of them to each instance. Returns the number that were admitted. */
  const admitted = async (take: (limits: Limits) => unknown): Promise<number> => {
    const taken = await Promise.all(Array.from({ length: 200 }, async (_, i) => take(instances().pair[i % 2]!)))
    return taken.filter(state => (typeof state === 'boolean' ? state : (state as { allowed: boolean }).allowed)).length
  }

  describe('leases', () => {
    it('are as many as the limit, and free again when released', async () => {
      const account = newAccount()
      expect(await one().leases.take(leaseOf(account, 2, 'a'))).equal(true)
      expect(await other().leases.take(leaseOf(account, 2, 'b'))).equal(true)
      expect(await one().leases.take(leaseOf(account, 2, 'c'))).equal(false)
      other().leases.release(account, 'b')
      expect(await other().leases.take(leaseOf(account, 2, 'd'))).equal(true)
      expect(await one().leases.take(leaseOf(account, 2, 'e'))).equal(false)
    })

    it('are released once, however often release is called', async () => {
      const account = newAccount()
      for (const id of ['a', 'b']) expect(await one().leases.take(leaseOf(account, 2, id))).equal(true)
      for (let i = 0; i < 3; i++) one().leases.release(account, 'a')
      one().leases.release(account, 'never taken')
      expect(await one().leases.take(leaseOf(account, 2, 'c'))).equal(true)
      expect(await one().leases.take(leaseOf(account, 2, 'd'))).equal(false)
    })

    it('are counted, without taking one', async () => {
      const account = newAccount()
      expect(await one().leases.inFlight(account)).equal(0)
      for (const id of ['a', 'b']) expect(await one().leases.take(leaseOf(account, 2, id))).equal(true)
      await one().leases.take({ ...leaseOf(account, 2, 'c'), scope: 'k' })
      for (let i = 0; i < 2; i++) expect(await other().leases.inFlight(account)).equal(2)
      expect(await other().leases.inFlight(account, 'k')).equal(1)
      one().leases.release(account, 'a')
      expect(await one().leases.inFlight(account)).equal(1)
    })

    it('are one per request, also if it asks twice', async () => {
      const account = newAccount()
      for (let i = 0; i < 3; i++) expect(await one().leases.take(leaseOf(account, 2, 'a'))).equal(true)
      expect(await one().leases.take(leaseOf(account, 2, 'b'))).equal(true)
      expect(await one().leases.take(leaseOf(account, 2, 'a'))).equal(true)
      expect(await one().leases.take(leaseOf(account, 2, 'c'))).equal(false)
    })

    it('of one account do not affect others', async () => {
      const account = newAccount()
      expect(await one().leases.take(leaseOf(account, 1))).equal(true)
      expect(await one().leases.take(leaseOf(newAccount(), 1))).equal(true)
    })

    it('are exactly as many as the limit for 200 concurrent requests', async () => {
      const account = newAccount()
      expect(await admitted(({ leases }) => leases.take(leaseOf(account, 37)))).equal(37)
    })
  })

  describe('quotas', () => {
    it('return their use without counting', async () => {
      const account = newAccount()
      const { end, used } = await one().quotas.used(account, HOUR)
      expect(used).equal(0)
      await one().quotas.take(quotaOf(account, 2, HOUR))
      for (let i = 0; i < 3; i++) expect(await other().quotas.used(account, HOUR)).deep.equal({ used: 1, end })
      expect(await one().quotas.take(quotaOf(account, 2, HOUR))).include({ allowed: true, remaining: 0 })
    })

    const HOUR = 3_600_000

    it('admit up to the limit in a window, and return what is left and when it ends', async () => {
      const account = newAccount()
      const before = Date.now()
      const first = await answerOf(one().quotas.take(quotaOf(account, 2, HOUR)))
      expect(first).include({ allowed: true, remaining: 1 })
      expect(first.end % HOUR).equal(0)
      expect(first.end).within(before, before + HOUR + 1)
      expect(first.resetMs).within(1, HOUR)
      expect(await other().quotas.take(quotaOf(account, 2, HOUR))).include({ allowed: true, remaining: 0 })
      for (let i = 0; i < 3; i++) {
        const state = await answerOf(other().quotas.take(quotaOf(account, 2, HOUR)))
        expect(state).include({ allowed: false, remaining: 0, end: first.end })
      }
    })

    it('count each window length and each account separately', async () => {
      const account = newAccount()
      expect(await one().quotas.take(quotaOf(account, 1, HOUR))).include({ allowed: true })
      expect(await one().quotas.take(quotaOf(account, 1, 2 * HOUR))).include({ allowed: true })
      expect(await one().quotas.take(quotaOf(newAccount(), 1, HOUR))).include({ allowed: true })
    })

    it('give back a request', async () => {
      const account = newAccount()
      const state = await answerOf(one().quotas.take(quotaOf(account, 1, HOUR)))
      one().quotas.giveBack(account, 'x', HOUR, state)
      expect(await one().quotas.take(quotaOf(account, 1, HOUR))).include({ allowed: true, remaining: 0 })
      expect(await one().quotas.take(quotaOf(account, 1, HOUR))).include({ allowed: false })
    })

    it('give nothing back to another window', async () => {
      const account = newAccount()
      const state = await answerOf(one().quotas.take(quotaOf(account, 1, 50)))
      await sleep(60)
      const next = await answerOf(one().quotas.take(quotaOf(account, 1, HOUR)))
      one().quotas.giveBack(account, 'x', HOUR, { ...state })
      expect(next).include({ allowed: true })
      expect(await one().quotas.take(quotaOf(account, 1, HOUR))).include({ allowed: false })
    })

    it('admit exactly the limit for 200 concurrent requests', async () => {
      const account = newAccount()
      expect(await admitted(({ quotas }) => quotas.take(quotaOf(account, 61, HOUR)))).equal(61)
    })

    it('admit exactly the limit in each window', async () => {
      const account = newAccount()
      const LIMIT = 10
      const windows = new Map<number, { admitted: number; refused: number }>()
      const full = () => [...windows.values()].filter(({ refused }) => refused > 0).length
      const ask = async (limits: Limits) => {
        while (full() < 4) {
          const { allowed, end } = await answerOf(limits.quotas.take(quotaOf(account, LIMIT, 100)))
          const window = windows.get(end) ?? { admitted: 0, refused: 0 }
          windows.set(end, window)
          if (allowed) window.admitted++
          else window.refused++
          await new Promise(setImmediate)
        }
      }
      await Promise.all(Array.from({ length: 8 }, (_, i) => ask(instances().pair[i % 2]!)))
      for (const { admitted, refused } of windows.values()) {
        expect(admitted).most(LIMIT)
        if (refused > 0) expect(admitted).equal(LIMIT)
      }
    })
  })

  describe('rates', () => {
    it('admit up to the limit in a minute, and return when to retry', async () => {
      const account = newAccount()
      const started = Date.now()
      expect(await one().rates.take(rateOf(account, 2))).include({ allowed: true, remaining: 1, resetMs: 0 })
      expect(await other().rates.take(rateOf(account, 2))).include({ allowed: true, remaining: 0, resetMs: 0 })
      const refused = await answerOf(one().rates.take(rateOf(account, 2)))
      expect(refused).include({ allowed: false, remaining: 0 })
      expect(refused.resetMs).within(59_000 - (Date.now() - started), 61_000)
    })

    it('return the amount of the last minute without counting', async () => {
      const account = newAccount()
      expect(await one().rates.used(account, 'endpoints')).equal(0)
      await one().rates.take({ ...rateOf(account, 10), needs: 2, takes: 3 })
      for (let i = 0; i < 2; i++) expect(await other().rates.used(account, 'endpoints')).equal(3)
      expect(await one().rates.used(account, 'usage')).equal(0)
      expect(await one().rates.take({ ...rateOf(account, 10), needs: 7 })).include({ allowed: true, remaining: 0 })
    })

    it('count each name and each account separately', async () => {
      const account = newAccount()
      expect(await one().rates.take(rateOf(account, 1))).include({ allowed: true })
      expect(await one().rates.take(rateOf(account, 1, 'usage'))).include({ allowed: true })
      expect(await one().rates.take(rateOf(newAccount(), 1))).include({ allowed: true })
    })

    it('admit exactly the limit for 200 concurrent requests', async () => {
      const account = newAccount()
      expect(await admitted(({ rates }) => rates.take(rateOf(account, 20)))).equal(20)
    })

    it('give back a request', async () => {
      const account = newAccount()
      const state = await answerOf(one().rates.take(rateOf(account, 2)))
      await one().rates.take(rateOf(account, 2))
      one().rates.giveBack(account, 'x', 'endpoints', state)
      one().rates.giveBack(account, 'x', 'usage', state)
      expect(await one().rates.take(rateOf(account, 2))).include({ allowed: true, remaining: 0 })
      expect(await other().rates.take(rateOf(account, 2))).include({ allowed: false })
    })
  })

  describe('credits', () => {
    const available = async (account: string): Promise<number> => {
      const { allowed, availableMicrocents } = await answerOf(other().credits.reserve(creditOf(account, 1_000_000)))
      expect(allowed).equal(false)
      return availableMicrocents
    }

    it('are reserved up to the balance, and refusals reserve nothing', async () => {
      const account = newAccount()
      expect(await one().credits.reserve(creditOf(account, 700))).deep.equal({
        allowed: true,
        availableMicrocents: 1000,
      })
      expect(await other().credits.reserve(creditOf(account, 301))).deep.equal({
        allowed: false,
        availableMicrocents: 300,
      })
      expect(await other().credits.reserve(creditOf(account, 300))).deep.equal({
        allowed: true,
        availableMicrocents: 300,
      })
      expect(await available(account)).equal(0)
    })

    it('are charged by the settlement, and the rest is free again', async () => {
      const account = newAccount()
      await one().credits.reserve(creditOf(account, 600, 'a'))
      one().credits.settle(account, 'a', 123)
      await one().credits.reserve(creditOf(account, 0))
      expect(await available(account)).equal(877)
    })

    it('are settled once, and not after a release', async () => {
      const account = newAccount()
      await one().credits.reserve(creditOf(account, 100, 'a'))
      await one().credits.reserve(creditOf(account, 100, 'b'))
      for (let i = 0; i < 3; i++) one().credits.settle(account, 'a', 90)
      one().credits.release(account, 'a')
      one().credits.release(account, 'b')
      one().credits.settle(account, 'b', 50)
      one().credits.settle(account, 'never reserved', 50)
      await one().credits.reserve(creditOf(account, 0))
      expect(await available(account)).equal(910)
    })

    it('are reserved once per request', async () => {
      const account = newAccount()
      for (let i = 0; i < 3; i++)
        expect(await one().credits.reserve(creditOf(account, 400, 'a'))).include({ allowed: true })
      expect(await available(account)).equal(600)
    })

    it('include the grants and charges of the ledger', async () => {
      const account = newAccount()
      const { ledger } = instances()
      ledger.entries.set(account, { granted: 500, charged: 200 })
      expect(await available(account)).equal(1300)
      ledger.entries.set(account, { granted: 900, charged: 200 })
      await eventually(async () => (await available(account)) === 1700, 'the top-up')
      // Settled, then in the ledger: counted once.
      await one().credits.reserve(creditOf(account, 100, 'a'))
      one().credits.settle(account, 'a', 100)
      await one().credits.reserve(creditOf(account, 0))
      expect(await available(account)).equal(1600)
      ledger.entries.set(account, { granted: 900, charged: 300 })
      const { reads } = ledger
      // Twice by each instance.
      await eventually(() => ledger.reads > reads + 4, 'other readings')
      expect(await available(account)).equal(1600)
    })

    it('are never overdrawn by 200 concurrent requests', async () => {
      const account = newAccount()
      expect(await admitted(({ credits }) => credits.reserve(creditOf(account, 30)))).equal(33)
      expect(await available(account)).equal(10)
    })

    it('may be reserved for a request that costs nothing', async () => {
      const account = newAccount()
      await one().credits.reserve(creditOf(account, 0, 'a'))
      await one().credits.reserve(creditOf(account, 100, 'b'))
      one().credits.settle(account, 'a', 0)
      one().credits.release(account, 'b')
      await one().credits.reserve(creditOf(account, 0))
      expect(await available(account)).equal(1000)
    })

    it('are exact for every amount of a balance', async () => {
      const account = newAccount()
      const claim = { ...creditOf(account, 9_000_000_000_000_000, 'a'), initialMicrocents: 9_007_000_000_000_000 }
      expect(await one().credits.reserve(claim)).deep.equal({
        allowed: true,
        availableMicrocents: 9_007_000_000_000_000,
      })
      one().credits.settle(account, 'a', 8_999_999_999_999_999)
      const next = await answerOf(one().credits.reserve({ ...claim, id: 'b' }))
      expect(next).deep.equal({ allowed: false, availableMicrocents: 7_000_000_000_001 })
    })
  })

  describe('after 10,000 exits of every kind', () => {
    it('no lease and no reservation is left, and the balance is correct', async () => {
      const random = seededRandom(7)
      const accounts = Array.from({ length: 5 }, newAccount)
      const LIMIT = 12
      const spent = new Map(accounts.map(account => [account, 0]))
      const inFlight = new Map(accounts.map(account => [account, 0]))
      const initialMicrocents = 400_000
      const { ledger } = instances()
      const dropped = { leases: 0, reservations: 0 }
      const change = (map: Map<string, number>, account: string, by: number) => map.set(account, map.get(account)! + by)

      const exit = async (side: 0 | 1, mayDrop: boolean) => {
        const { leases, credits } = instances().pair[side]
        const account = accounts[Math.floor(random() * accounts.length)]!
        const id = randomUUID()
        if (!(await leases.take(leaseOf(account, LIMIT, id)))) return
        change(inFlight, account, 1)
        expect(inFlight.get(account)).most(LIMIT)
        const amount = Math.floor(random() * 200)
        const claim = { ...creditOf(account, amount, id), initialMicrocents }
        const { allowed, availableMicrocents } = await answerOf(credits.reserve(claim))
        expect(availableMicrocents).least(0)
        const kind = random()
        if (kind < 0.3) await new Promise(setImmediate)
        if (mayDrop && kind > 0.94) {
          // The process is killed before a release.
          dropped.leases++
          if (allowed) dropped.reservations++
          return
        }
        const cost = Math.floor(amount * random())
        if (!allowed) credits.release(account, id)
        else if (kind < 0.2) credits.release(account, id)
        else {
          credits.settle(account, id, cost)
          change(spent, account, cost)
          // Its record is in the ledger some time after the settlement in Redis.
          const charged = spent.get(account)!
          setTimeout(() => ledger.entries.set(account, { granted: 0, charged }), RECORD_MS)
        }
        if (kind > 0.5) credits.release(account, id)
        if (kind > 0.8) credits.settle(account, id, cost)
        change(inFlight, account, -1)
        leases.release(account, id)
        if (kind < 0.1) leases.release(account, id)
      }

      for (let round = 0; round < 100; round++) {
        await Promise.all(Array.from({ length: 100 }, (_, i) => exit((i % 2) as 0 | 1, round < 90 && i % 2 === 1)))
        if (round % 45 === 44) {
          // At start, the process waits until the ledger has every record of the earlier process.
          await sleep(RECORD_MS + 100)
          await instances().crash(1)
          for (const account of accounts) inFlight.set(account, 0)
        }
      }
      expect(dropped.leases).above(20)
      expect(dropped.reservations).above(20)

      for (const account of accounts) {
        for (let i = 0; i < LIMIT; i++) expect(await other().leases.take(leaseOf(account, LIMIT))).equal(true)
        expect(await other().leases.take(leaseOf(account, LIMIT))).equal(false)
        const all = { ...creditOf(account, initialMicrocents - spent.get(account)!), initialMicrocents }
        expect(await other().credits.reserve({ ...all, microcents: all.microcents + 1, id: 'more' })).include({
          allowed: false,
        })
        expect(await other().credits.reserve(all)).include({ allowed: true })
      }
    })
  })
}
