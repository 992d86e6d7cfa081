import { expect } from 'chai'
import { accountHistory } from '../../../lib/admin/account-history.ts'
import { createAccount } from '../../../lib/admin/accounts.ts'
import { addCredits } from '../../../lib/admin/credits.ts'
import type { JsonObject } from '../../../lib/base/json.ts'
import { bookCredits } from '../../../lib/store/credits.ts'
import { transact } from '../../../lib/store/database.ts'
import type { Store } from '../../../lib/store/store.ts'
import { refusal, useAdminContext } from '../../support/admin-context.ts'
import { ACCOUNT_ID } from '../../support/config.ts'
import { insertRecords, makeRecord } from '../../support/record.ts'

const DAY = 86_400_000_000

describe('an account over time, for operators', () => {
  const { context } = useAdminContext()

  it('has usage, refused requests and the balance of each day, backwards from the present one', async () => {
    const { id } = await createAccount(context(), { name: 'globex', credits_cents: 100 })
    await addCredits(context(), id, { amount_cents: 50 })
    const { now, store } = context()
    const charge = {
      ...{ request_id: 'r', account_id: id, amount_microcents: -20_000_000, kind: 'charge' },
      created_at: now - DAY,
    }
    await transact(store, session => bookCredits(session, [charge]))
    await insertRecords(store as Store, [
      makeRecord({ created_at: now, account_id: id, input_tokens: 5 }),
      makeRecord({
        ...{ created_at: now - DAY, account_id: id, status_code: 429, error_code: 'rate_limit_exceeded' },
        ...{ dispatched: false, input_tokens: 0, output_tokens: 0, cache_read_tokens: 0 },
      }),
    ])
    const history = (await accountHistory(context(), id, { range: '7d' })) as JsonObject & { points: JsonObject[] }
    expect(history).include({ account_name: 'globex', step: '1d' })
    expect(history.points).lengthOf(7)
    const seen = history.points
      .slice(-3)
      .map(point => [
        ...[point.requests, point.refused, point.added_cents],
        ...[point.charged_cents, point.balance_cents],
      ])
    expect(seen).deep.equal([
      [0, {}, 0, 0, 100],
      [0, { rate_limit_exceeded: 1 }, 0, 20, 80],
      [1, {}, 50, 0, 130],
    ])
    expect((history.total as JsonObject).refused).deep.equal({ rate_limit_exceeded: 1 })
    const hours = (await accountHistory(context(), id, { range: '24h' })) as { points: JsonObject[] }
    expect(hours.points).lengthOf(24)
    expect(hours.points.at(-1)).include({ requests: 1 })
  })

  it('has the spend limits of its plan, and no balance if it is not prepaid', async () => {
    const own = context()
    const budget = { amount: 500, window: '30d' }
    const plan = { ...own.config.plans.small!, limits: { budget_cents: budget } }
    const accounts = own.config.accounts.map(account => ({ ...account, plan: 'small' }))
    const config = { ...own.config, accounts, plans: { small: plan }, retention_days: 3 }
    const history = (await accountHistory({ ...own, config }, ACCOUNT_ID, { range: 'retention' })) as JsonObject
    expect(history.budgets).deep.equal([{ amount_cents: 500, window: '30d' }])
    expect((history.points as JsonObject[]).map(point => point.balance_cents)).deep.equal([null, null, null])
  })

  it('is unknown for an unknown account', async () => {
    expect(await refusal(accountHistory(context(), 'none', { range: '7d' }))).contain('404')
  })
})
