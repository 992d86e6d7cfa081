import { expect } from 'chai'
import { sql } from 'kysely'
import { isRefusal } from '../../../lib/store/refusal.ts'
import { onEveryStore } from '../../support/stores.ts'

describe('refusals of a store', () => {
  onEveryStore(store => {
    const failure = (statement: ReturnType<typeof sql>) =>
      statement.execute(store().db).then(
        () => expect.fail('did not fail'),
        (error: unknown) => error,
      )

    it('are about values', async () => {
      const missing = sql`insert into credit_balances (account_id, balance_microcents) values ('a', null)`
      expect(isRefusal(await failure(missing))).equal(true)
      const twice = sql`insert into keys (id, account_id, kind, sha256, endpoints, created_at) values ('1', '', '', 'x', '', 1), ('2', '', '', 'x', '', 1)`
      expect(isRefusal(await failure(twice))).equal(true)
    })

    it('are not about statements', async () => {
      expect(isRefusal(await failure(sql`select no_such_column from requests`))).equal(false)
    })
  })

  it('are not about the connection, nor about a partition that is still to be made', () => {
    expect(isRefusal(new Error('connect ECONNREFUSED'))).equal(false)
    expect(isRefusal(undefined)).equal(false)
  })
})
