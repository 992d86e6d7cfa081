import { expect } from 'chai'
import { ModelCatalog } from '../../../lib/accounts/access.ts'
import type { Config } from '../../../lib/plugin.ts'
import type { UsageRow } from '../../../lib/store/queries/usage.ts'
import { play } from '../../../lib/testing.ts'
import { key } from '../../../plugins/slots.ts'
import plugin from '../../../plugins/usage-reports/usage-me/index.ts'
import { ManualClock } from '../../support/clock.ts'
import { ACCOUNT_ID } from '../../support/config.ts'
import { keyOf } from '../../support/key.ts'
import { fakeReports } from '../../support/reports.ts'

const clock = new ManualClock()
const NOW = clock.now() * 1000
const DAY = 86_400_000_000
const week = { from: NOW - 7 * DAY, to: NOW }

const config = { hosts: { gateway: ['pass.test'], api: null }, plans: {} } as unknown as Config
const models = new ModelCatalog([
  { id: 'a', aliases: [], pricing: { input: 10, cached_input: 2, output: 40 } },
  { id: 'b', aliases: [] },
] as never)

const usage = {
  user_id: 'alice@acme.test',
  requests: 2,
  input_tokens: 1000,
  output_tokens: 100,
  cache_read_tokens: 400,
  units: 0,
  batch: 0,
}
const rows: readonly UsageRow[] = [
  { ...usage, date: '2026-11-20', model: 'a' },
  { ...usage, date: '2026-11-21', model: 'a' },
  { ...usage, date: '2026-11-21', model: 'b' },
]

const ask = async (query: string, caller = keyOf(), widened = 0) => {
  const { reports, asked } = fakeReports({ usage: async ({ from, to }) => ({ rows, from: from - widened, to }) })
  const services = { reports, clock, config, models }
  return { ...(await play(plugin, { given: [[key, caller]], query, services })), asked }
}

describe('usage-me', () => {
  it('answers with days, models and totals', async () => {
    const { reply } = await ask('period=7d')
    const once = {
      input_tokens: 1000,
      output_tokens: 100,
      cache_read_tokens: 400,
      requests: 2,
      estimated_cost_cents: 0.0108,
    }
    const twice = { input_tokens: 2000, output_tokens: 200, cache_read_tokens: 800, requests: 4 }
    expect(reply).include({ status: 200 })
    expect(reply?.body).deep.equal({
      days: [
        { date: '2026-11-20', ...once },
        { date: '2026-11-21', ...twice, estimated_cost_cents: 0.0108 },
      ],
      models: [
        { model: 'a', ...twice, estimated_cost_cents: 0.0216 },
        { model: 'b', ...once, estimated_cost_cents: 0 },
      ],
      total_input_tokens: 3000,
      total_output_tokens: 300,
      total_cache_read_tokens: 1200,
      total_requests: 6,
      total_estimated_cost_cents: 0.0216,
    })
  })

  it('has the price of batches for lines of batches', async () => {
    const line = { ...usage, date: '2026-11-20', model: 'a', batch: 1 }
    const { reports } = fakeReports({ usage: async ({ from, to }) => ({ rows: [...rows, line], from, to }) })
    const plans = { p: { batches: { priceFactor: 0.5 } } }
    const services = { reports, clock, config: { ...config, plans } as unknown as Config, models }
    const { reply } = await play(plugin, { given: [[key, keyOf({ plan: 'p' })]], query: 'period=7d', services })
    expect(reply?.body).include({ total_requests: 8, total_estimated_cost_cents: 0.027 })
  })

  it('has its period if it differs from the requested one', async () => {
    const range = 'start_at=2026-11-21T10:20:00Z&end_at=2026-11-21T12:00:00Z'
    const { reply } = await ask(range, undefined, 1_200_000_000)
    expect(reply?.body).include({ from: '2026-11-21T10:00:00.000Z', to: '2026-11-21T12:00:00.000Z' })
    expect((await ask(range)).reply?.body).not.have.any.keys('from', 'to')
  })

  it("reads the user's usage in the account, on all endpoints", async () => {
    const { asked } = await ask('period=7d')
    expect(asked).deep.equal([['usage', { account_id: ACCOUNT_ID, user_id: 'alice@acme.test', ...week }]])
  })

  it('reads only that of the key if it belongs to no user', async () => {
    const { asked } = await ask('period=7d', keyOf({}, { user: undefined }))
    expect(asked).deep.equal([['usage', { account_id: ACCOUNT_ID, key_id: 'k1', ...week }]])
  })

  it('selects one endpoint, or the gateway by its host', async () => {
    expect((await ask('period=7d&endpoint=A.test')).asked[0]![1]).include({ endpoint: 'a.test' })
    const { asked } = await ask('period=7d&endpoint=pass.test')
    expect(asked[0]![1]).include({ surface: 'gateway' }).and.not.property('endpoint')
  })

  it('reads the account of the key and no other', async () => {
    expect((await ask(`period=1d&pass_account_id=${ACCOUNT_ID.toUpperCase()}`)).reply).include({ status: 200 })
    for (const id of ['00000000-0000-4000-8000-000000000000', 'acme', '']) {
      const { error, asked } = await ask(`period=1d&pass_account_id=${id}`)
      expect(error, id).include({ code: 'http_400', status: 400 })
      expect(error!.details.param).equal('pass_account_id')
      expect(asked).deep.equal([])
    }
  })

  it('refuses an invalid time', async () => {
    for (const query of ['', 'period=2d', 'start_at=2026-11-01', 'period=1d&end_at=2026-11-01']) {
      const { error, asked } = await ask(query)
      expect(error, query).include({ code: 'http_400', status: 400 })
      expect(asked).deep.equal([])
    }
  })

  it('exists on the gateway and on the management API', async () => {
    for (const surface of ['gateway', 'api'] as const) {
      const scene = {
        given: [[key, keyOf()]] as const,
        query: 'period=1d',
        surface,
        services: { clock, config, models },
      }
      expect((await play(plugin, scene)).reply).include({ status: 200 })
    }
  })
})
