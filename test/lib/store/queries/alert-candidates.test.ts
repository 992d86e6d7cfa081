import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { saveAccount } from '../../../../lib/store/accounts.ts'
import { bookCredits } from '../../../../lib/store/credits.ts'
import { alertCandidates, type CandidateFilter } from '../../../../lib/store/queries/alert-candidates.ts'
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

describe('accounts that operators may have to be told of', () => {
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
    /** Without the account at the end of each slice, which is named whatever it is. */
    const found = async (filter: CandidateFilter = FILTER) => {
      await save('zzz')
      const { accounts } = await alertCandidates(store(), filter, '', 1000)
      return accounts.map(({ id }) => id).filter(id => id !== 'zzz')
    }

    it('have a low balance, with what was booked', async () => {
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

    it('have used a share of the quota of their plan since the beginning of its window', async () => {
      for (const id of ['a', 'b', 'c']) await save(id, { plan: 'small' })
      for (const id of ['d', 'e']) await save(id, { plan: 'large' })
      await save('f', { plan: 'open' })
      await use('a', NOON, NOON + 1)
      await use('b', NOON, NOON - DAY)
      await use('d', NOON, NOON - DAY, NOON + 1)
      await use('e', NOON, NOON - 2 * DAY, NOON + 1)
      await use('f', NOON, NOON, NOON)
      expect(await found()).deep.equal(['a', 'd'])
      expect(await found({ ...FILTER, quotas: [] })).deep.equal([])
    })

    it('are read in slices, each of which says where the next begins', async () => {
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
