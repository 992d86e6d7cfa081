import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { sql } from 'kysely'
import { saveAccount } from '../../../../lib/store/accounts.ts'
import { bookCredits } from '../../../../lib/store/credits.ts'
import { alertCandidates, type CandidateFilter, requestCounts } from '../../../../lib/store/queries/alert-candidates.ts'
import { insertRecords, makeRecord } from '../../../support/record.ts'
import { onEveryStore } from '../../../support/stores.ts'

const DAY = 86_400_000_000
const NOON = Date.UTC(2026, 10, 21, 12) * 1000
const FILTER: CandidateFilter = {
  creditBelowCents: 100,
  quotas: [
    { plan: 'small', fromDay: Math.floor(NOON / DAY), requests: 2 },
    { plan: 'large', fromDay: Math.floor(NOON / DAY) - 1, requests: 3 },
  ],
}

describe('candidates for alerts', () => {
  onEveryStore(store => {
    const save = async (id: string, fields: { plan?: string; credits_cents?: number } = {}) => {
      const account = { id, name: id, kind: 'serverless', zdr_required: false, models: ['*'] } as const
      await saveAccount(store(), { ...account, plan: undefined, credits_cents: undefined, ...fields }, 1)
    }
    const book = (account_id: string, cents: number) => {
      const entry = { account_id, amount_microcents: cents * 1e6, kind: 'top-up', created_at: 1 }
      return bookCredits(store(), [{ request_id: randomUUID(), ...entry }])
    }
    const use = (account_id: string, ...times: number[]) =>
      insertRecords(
        store(),
        times.map(created_at => makeRecord({ account_id, created_at })),
      )
    /** Without the last account of each slice, which is always returned. */
    const found = async (filter: CandidateFilter = FILTER) => {
      await save('zzz')
      const { accounts } = await alertCandidates(store(), filter, '', 1000)
      return accounts.map(({ id }) => id).filter(id => id !== 'zzz')
    }

    it('have a low balance, including the ledger', async () => {
      await save('free')
      await save('rich', { credits_cents: 150 })
      await save('poor', { credits_cents: 99 })
      await save('spent', { credits_cents: 150 })
      await book('spent', -50.1)
      await save('filled', { credits_cents: 1 })
      await book('filled', 150)
      await book('free', -1000)
      // The largest balances do not overflow.
      await save('richest', { credits_cents: Number.MAX_SAFE_INTEGER })
      expect(await found()).deep.equal(['poor', 'spent'])
      expect(await found({ ...FILTER, creditBelowCents: undefined })).deep.equal([])
    })

    it('have used a share of their quota since the start of its window', async () => {
      for (const id of ['a', 'b', 'c']) await save(id, { plan: 'small' })
      for (const id of ['d', 'e']) await save(id, { plan: 'large' })
      await save('f', { plan: 'open' })
      await use('a', NOON, NOON + 1)
      await use('b', NOON, NOON - DAY)
      await use('d', NOON, NOON - DAY, NOON + 1)
      await use('e', NOON, NOON - 2 * DAY, NOON + 1)
      await use('f', NOON, NOON, NOON)
      // No quota counts lines of batches.
      await insertRecords(
        store(),
        [0, 1, 2].map(i => makeRecord({ account_id: 'b', created_at: NOON + i, surface: 'batch', endpoint: null })),
      )
      expect(await found()).deep.equal(['a', 'd'])
      expect(await found({ ...FILTER, quotas: [] })).deep.equal([])
    })

    it('are read in slices, which return the start of the next one', async () => {
      for (const id of ['a', 'b', 'c', 'd', 'e']) await save(id, { credits_cents: id === 'b' ? 1 : 500 })
      const slice = async (after: string) => {
        const { accounts, last } = await alertCandidates(store(), FILTER, after, 2)
        return [accounts.map(({ id }) => id), last]
      }
      expect(await slice('')).deep.equal([['b'], 'b'])
      expect(await slice('b')).deep.equal([['d'], 'd'])
      expect(await slice('d')).deep.equal([['e'], null])
      expect(await slice('e')).deep.equal([[], null])
    })
  })
})

const HOUR = 3_600_000_000
const OTHER = '00000000-0000-4000-8000-000000000002'

describe('counts of requests', () => {
  onEveryStore(store => {
    it('are those of whole hours since a time, per account', async () => {
      const record = makeRecord({ created_at: NOON })
      const others = [NOON + 1, NOON + HOUR].map(created_at => makeRecord({ created_at }))
      await insertRecords(store(), [record, ...others, makeRecord({ created_at: NOON, account_id: OTHER })])
      const account = record.account_id!
      const counts = async (from: number) =>
        Object.fromEntries(await requestCounts(store(), [account, OTHER, 'none'], from))
      expect(await counts(NOON)).deep.equal({ [account]: 3, [OTHER]: 1 })
      expect(await counts(NOON + 1)).deep.equal({ [account]: 1 })
      expect(await counts(NOON + 2 * HOUR)).deep.equal({})
    })

    it('are read from totals of days, and only before the first day from totals of hours', async () => {
      const DAY = 24 * HOUR
      const times = [NOON - 2 * DAY, NOON - DAY, NOON - HOUR, NOON, NOON + DAY]
      await insertRecords(
        store(),
        times.map(created_at => makeRecord({ created_at })),
      )
      const account = makeRecord({ created_at: NOON }).account_id!
      const count = async (from: number) => (await requestCounts(store(), [account], from)).get(account)
      expect(await count(NOON - 2 * DAY)).equal(5)
      expect(await count(NOON - 2 * DAY + HOUR)).equal(4)
      expect(await count(NOON)).equal(2)
      // Only the totals of days have these.
      await sql`delete from usage_hours where hour >= ${(NOON - (NOON % DAY)) / HOUR}`.execute(store().db)
      expect(await count(NOON - DAY)).equal(4)
    })
  })
})
