import { expect } from 'chai'
import { accountNames, withAccountNames, withNameMember } from '../../../lib/admin/account-names.ts'
import { createAccount } from '../../../lib/admin/accounts.ts'
import { useAdminContext } from '../../support/admin-context.ts'
import { ACCOUNT_ID } from '../../support/config.ts'

describe('names of accounts next to their ids', () => {
  const { context } = useAdminContext()

  it('are those of the file and of the store', async () => {
    const { id } = await createAccount(context(), { name: 'globex' })
    expect([...(await accountNames(context(), [id, id, 'gone']))]).deep.equal([
      [ACCOUNT_ID, 'acme'],
      [id, 'globex'],
    ])
    const many = Array.from({ length: 1200 }, (_, at) => `id-${at}`)
    expect((await accountNames(context(), [...many, id])).get(id)).equal('globex')
  })

  it('follow the id, and are null without an account', async () => {
    const rows = await withAccountNames(context(), [
      { id: 1, account_id: ACCOUNT_ID, model: 'm' },
      { id: 2, account_id: null, model: 'm' },
      { id: 3, account_id: 'gone', model: 'm' },
    ])
    expect(rows.map(row => row.account_name)).deep.equal(['acme', null, null])
    expect(Object.keys(rows[0]!)).deep.equal(withNameMember(['id', 'account_id', 'model']))
    expect(withNameMember(['account'], 'account')).deep.equal(['account', 'account_name'])
  })
})
