import { expect } from 'chai'
import { saveAccount } from '../../../../lib/store/accounts.ts'
import { bookCredits } from '../../../../lib/store/credits.ts'
import { transact } from '../../../../lib/store/database.ts'
import {
  type AccountSort,
  accountsInOrder,
  isBefore,
  sortKey,
  sortKeyOf,
} from '../../../../lib/store/queries/account-order.ts'
import { onEveryStore } from '../../../support/stores.ts'

describe('accounts in the order of a column', () => {
  onEveryStore(store => {
    beforeEach(async () => {
      const accounts = [
        ['1', 'beta', 'small', 100],
        ['2', 'Alpha', undefined, undefined],
        ['3', 'al-pha', 'large', 300],
        ['4', 'Zoë_', 'small', 0],
      ] as const
      for (const [id, name, plan, credits_cents] of accounts) {
        const fields = {
          id,
          name,
          kind: 'serverless',
          plan,
          credits_cents,
          zdr_required: false,
          models: ['*'],
        } as const
        await saveAccount(store(), fields, 1)
      }
      const entry = { request_id: 'r', account_id: '1', amount_microcents: 500e6, kind: 'top-up', created_at: 1 }
      await transact(store(), session => bookCredits(session, [entry]))
    })

    const idsBy = async (by: AccountSort, order: 'asc' | 'desc', name = '') => {
      const ids: string[] = []
      // One account per page.
      for (let after: Awaited<ReturnType<typeof sortKeyOf>>; ; ) {
        const [row] = await accountsInOrder(store(), { by, order, name, after }, 1)
        if (row === undefined) return ids
        ids.push(row.account.id)
        expect(await sortKeyOf(store(), { by, order }, row.account.id)).deep.equal(row.key)
        if (by !== 'balance') expect(sortKey(row.account, { by, order }, null)).deep.equal(row.key)
        if (after !== undefined) expect(isBefore(after, row.key, order)).equal(true)
        after = row.key
      }
    }

    it('have text without regard to capitals, and accounts that are not prepaid last', async () => {
      expect(await idsBy('name', 'asc')).deep.equal(['3', '2', '1', '4'])
      expect(await idsBy('name', 'desc')).deep.equal(['4', '1', '2', '3'])
      expect(await idsBy('plan', 'asc')).deep.equal(['2', '3', '1', '4'])
      expect(await idsBy('balance', 'desc')).deep.equal(['1', '3', '4', '2'])
      expect(await idsBy('balance', 'asc')).deep.equal(['4', '3', '1', '2'])
      expect(await idsBy('name', 'asc', 'pha')).deep.equal(['3', '2'])
      expect(await sortKeyOf(store(), { by: 'name', order: 'asc' }, 'none')).equal(undefined)
    })
  })
})
