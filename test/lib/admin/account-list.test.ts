import { expect } from 'chai'
import { type AccountQuery, accountList } from '../../../lib/admin/account-list.ts'
import { createAccount } from '../../../lib/admin/accounts.ts'
import { addCredits } from '../../../lib/admin/credits.ts'
import { saveAccount } from '../../../lib/store/accounts.ts'
import { useAdminContext } from '../../support/admin-context.ts'
import { ACCOUNT_ID } from '../../support/config.ts'

describe('the list of accounts, for operators', () => {
  const { context } = useAdminContext()

  it('has pages, those of the file first, without duplicates', async () => {
    const ids = [ACCOUNT_ID]
    for (const name of ['a', 'b', 'c']) ids.push((await createAccount(context(), { name })).id)
    const shadowed = { id: ACCOUNT_ID, name: 'x', kind: 'serverless', models: ['*'], zdr_required: false } as const
    await saveAccount(context().store, { ...shadowed, plan: undefined, credits_cents: undefined }, 1)
    for (const limit of [1, 2, 3, 4, 9]) {
      const seen: unknown[] = []
      for (let cursor: string | undefined, turns = 0; turns < 9; turns++) {
        const page = await accountList(context(), { limit, ...(cursor !== undefined && { cursor }) })
        const accounts = page.accounts as { id: string }[]
        expect(accounts.length).most(limit)
        seen.push(...accounts.map(({ id }) => id))
        expect(page.has_more).equal(page.cursor !== null)
        if (page.cursor === null) break
        cursor = String(page.cursor)
      }
      expect(seen, `pages of ${limit}`).deep.equal(ids)
    }
  })

  it('is sorted over the file and the store, in pages', async () => {
    const { id } = await createAccount(context(), { name: 'Beta', plan: 'small', credits_cents: 100 })
    await createAccount(context(), { name: 'aardvark', credits_cents: 200 })
    await createAccount(context(), { name: 'zebra' })
    await addCredits(context(), id, { amount_cents: 900 })
    const namesBy = async (query: Partial<AccountQuery>) => {
      const names: unknown[] = []
      for (let cursor: string | undefined; ; ) {
        const page = await accountList(context(), { limit: 1, ...query, ...(cursor !== undefined && { cursor }) })
        names.push(...(page.accounts as { name: string }[]).map(({ name }) => name))
        if (page.cursor === null) return names
        cursor = String(page.cursor)
      }
    }
    expect(await namesBy({ sort: 'name' })).deep.equal(['aardvark', 'acme', 'Beta', 'zebra'])
    expect(await namesBy({ sort: 'name', order: 'desc', limit: 3 })).deep.equal(['zebra', 'Beta', 'acme', 'aardvark'])
    expect((await namesBy({ sort: 'balance' })).slice(0, 2)).deep.equal(['Beta', 'aardvark'])
    expect((await namesBy({ sort: 'plan', order: 'desc', limit: 2 }))[0]).equal('Beta')
    const { accounts } = await accountList(context(), { limit: 9, sort: 'balance' })
    const balances = (accounts as { balance_cents: number | null }[]).map(({ balance_cents: cents }) => cents)
    expect(balances).deep.equal([1000, 200, null, null])
  })
})
