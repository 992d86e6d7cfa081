import { expect } from 'chai'
import { ModelCatalog } from '../../../../lib/accounts/access.ts'
import { testServices } from '../../../../lib/testing.ts'
import { keyLimitsOf, limitsTable } from '../../../../plugins/console/console-keys/key-limits.ts'
import { ManualClock } from '../../../support/clock.ts'
import { ACCOUNT_ID, configOf, MODEL } from '../../../support/config.ts'
import { fakeReports } from '../../../support/reports.ts'
import { ownAccount } from '../../../support/visitors.ts'

const config = configOf(`${MODEL}
plans:
  team:
    concurrency: 9
    requests: { limit: 1000, window: 1d }
    limits: { requests_per_minute: 60, tokens_per_minute: 5000, budget_cents: { amount: 400, window: 1d } }
  empty: {}
`)
const catalog = new ModelCatalog([{ ...config.models[0]!, pricing: { input: 100, cached_input: 100, output: 0 } }])
const account = ownAccount({ plan: 'team' })
const CLAIM = { account: ACCOUNT_ID, enforced: true, onStoreFailure: 'local_share' } as const
const DAY = 86_400_000

describe('limits of a key on its page', () => {
  const clock = new ManualClock()
  const { reports, asked } = fakeReports({
    usage: async ({ from, to, key_id }) => {
      const row = { user_id: 'alice', date: '2025-06-15', requests: 1, output_tokens: 0, cache_read_tokens: 0 }
      const ofModel = (model: string) => ({
        ...row,
        model,
        input_tokens: key_id === undefined ? 2e6 : 5e5,
        units: 0,
        batch: 0,
      })
      return { rows: [ofModel('m'), ofModel('gone')], from, to }
    },
  })
  const services = testServices([], { config, clock, reports, models: catalog })

  it('are those of the plan and of the key, each with what is used', async () => {
    const { rates, leases, quotas } = services.limits
    const end = (Math.floor(clock.now() / DAY) + 1) * DAY
    await quotas.take({ ...CLAIM, id: '1', limit: 1000, windowMs: DAY })
    await rates.take({ ...CLAIM, id: '1', name: 'inference', perMinute: 60 })
    await rates.take({ ...CLAIM, id: '1', name: 'tokens', perMinute: 5000, needs: 70 })
    for (const id of ['1', '2']) await leases.take({ ...CLAIM, id, limit: 9 })
    await leases.take({ ...CLAIM, id: '1', scope: 'key_1', limit: 3 })
    await rates.take({ ...CLAIM, id: '1', name: 'inference:key_1:model=m', perMinute: 5 })
    const budget_cents = { amount: 100, window: '1h' }
    const limits = { concurrency: 3, budget_cents, models: { m: { requests_per_minute: 5, budget_cents } } }
    const found = await keyLimitsOf(services, { id: 'key_1', limits }, account)
    const hour = (Math.floor(clock.now() / 3_600_000) + 1) * 3_600_000
    expect(found.map(({ of, name, used, limit, end }) => [of, name, used, limit, end])).deep.equal([
      ['account', 'Requests of the plan', 1, 1000, end],
      ['account', 'Requests in a minute', 1, 60, null],
      ['account', 'Tokens in a minute', 70, 5000, null],
      ['account', 'Requests in flight', 2, 9, null],
      ['account', 'Budget of 1 day', 200, 400, end],
      ['key', 'Requests in flight', 1, 3, null],
      ['key', 'Budget of 1 hour', 50, 100, hour],
      ['key, model m', 'Requests in a minute', 1, 5, null],
      ['key, model m', 'Budget of 1 hour', 50, 100, hour],
    ])
    const filters = asked.filter(([name]) => name === 'usage').map(([, filter]) => filter)
    expect(filters[0]).include({ account_id: ACCOUNT_ID, key_id: undefined, from: (end - DAY) * 1000, to: end * 1000 })
    expect(filters[1]).include({ account_id: ACCOUNT_ID, key_id: 'key_1', to: hour * 1000 })
    const page = limitsTable(found, 'EUR').toString()
    expect(page).contain('2.00 EUR').and.contain('4.00 EUR').and.contain('class="meter"').and.contain('<time')
    expect(page.match(/href="[^"]*"/g)).deep.equal(
      Array(2).fill(`href="/console/requests?account=${ACCOUNT_ID}&amp;key=key_1&amp;model=m&amp;since=30d"`),
    )
  })

  it('are none without limits, and unknown in an account that the user has left', async () => {
    const bare = ownAccount({ plan: 'empty' })
    expect(await keyLimitsOf(services, { id: 'key_1', limits: undefined }, bare)).deep.equal([])
    expect(await keyLimitsOf(services, { id: 'key_1', limits: undefined }, ownAccount())).deep.equal([])
    expect(await keyLimitsOf(services, { id: 'key_1', limits: { concurrency: 1 } }, undefined)).deep.equal([])
    expect(limitsTable([], 'EUR').toString()).contain('Neither the plan')
  })
})
