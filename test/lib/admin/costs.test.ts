import { expect } from 'chai'
import { createAccount } from '../../../lib/admin/accounts.ts'
import { type CostQuery, costReport } from '../../../lib/admin/costs.ts'
import type { TextReply } from '../../../lib/admin/csv.ts'
import type { JsonObject } from '../../../lib/base/json.ts'
import type { Store } from '../../../lib/store/store.ts'
import { useAdminContext } from '../../support/admin-context.ts'
import { ACCOUNT_ID } from '../../support/config.ts'
import { insertRecords, makeRecord } from '../../support/record.ts'

const DAY = 86_400_000_000

describe('costs of accounts, for operators', () => {
  const { context } = useAdminContext()
  const report = async (query: Partial<CostQuery> = {}) => {
    const own = context()
    const models = own.config.models.map(model => ({ ...model, pricing: { input: 100, cached_input: 100, output: 0 } }))
    const all = { range: '7d', limit: 9, sort: 'cost', format: 'json', ...query } as const
    return costReport({ ...own, config: { ...own.config, models } }, all)
  }

  it('are ranked, with the share and the trend of each', async () => {
    const { id } = await createAccount(context(), { name: 'globex' })
    const { now, store } = context()
    const used = (account_id: string, days: number, input_tokens: number) =>
      makeRecord({ created_at: now - days * DAY, account_id, model_resolved: 'm', input_tokens, cache_read_tokens: 0 })
    await insertRecords(store as Store, [
      used(ACCOUNT_ID, 0, 1_000_000),
      used(ACCOUNT_ID, 2, 1_000_000),
      used(id, 1, 6_000_000),
      used(id, 8, 9_000_000),
    ])
    const { accounts, total, count } = (await report()) as JsonObject & { accounts: JsonObject[]; total: JsonObject }
    expect([count, total.estimated_cost_cents]).deep.equal([2, 800])
    expect(accounts).deep.equal([
      {
        ...{ account: id, account_name: 'globex', share_pct: 75, trend_cents: [0, 0, 0, 0, 0, 600, 0] },
        ...{ requests: 1, input_tokens: 6_000_000, output_tokens: accounts[0]!.output_tokens, cache_read_tokens: 0 },
        estimated_cost_cents: 600,
      },
      {
        ...{ account: ACCOUNT_ID, account_name: 'acme', share_pct: 25, trend_cents: [0, 0, 0, 0, 100, 0, 100] },
        ...{ requests: 2, input_tokens: 2_000_000, output_tokens: accounts[1]!.output_tokens, cache_read_tokens: 0 },
        estimated_cost_cents: 200,
      },
    ])
    const first = (await report({ sort: 'account', limit: 1 })) as { accounts: JsonObject[] }
    expect(first.accounts.map(({ account_name: name }) => name)).deep.equal(['acme'])
    const hours = (await report({ range: '24h' })) as { accounts: JsonObject[] }
    expect((hours.accounts[0]!.trend_cents as number[]).slice(-1)).deep.equal([100])
    const { text } = (await report({ format: 'csv', limit: 1 })) as TextReply
    expect(text).match(/^\ufeff?account,account_name,requests,.*,estimated_cost_cents \(USD\),share_pct\r\n/)
    expect(text.trim().split('\r\n')).lengthOf(3)
  })

  it('are nothing without usage', async () => {
    expect(await report()).deep.include({ accounts: [], count: 0 })
  })
})
