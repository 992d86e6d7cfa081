import { expect } from 'chai'
import { quotaText } from '../../../../lib/admin/pages/account-limits.ts'
import type { CallInput } from '../../../../lib/admin/pages/page.ts'
import type { JsonObject } from '../../../../lib/base/json.ts'
import { configOf, MODEL } from '../../../support/config.ts'
import { ACCOUNT } from '../../../support/gateway.ts'
import { textIn, usePages } from '../../../support/operators.ts'

const DAY_MS = 86_400_000

describe('the tab with the limits of an account', () => {
  const pages = usePages({ more: { plans: { small: { concurrency: 1 }, large: { concurrency: 9 } } } })
  let path = ''
  before(async () => {
    const { id } = await pages().api('POST', '/admin/v1/accounts', { name: 'Acme', plan: 'small', models: ['m'] })
    path = `/accounts/${id}`
  })

  it('changes plan and models in the name of the operator, and returns to its tab', async () => {
    const { text } = await pages().send(`${path}/limits`, { plan: 'large', models: '' })
    expect(textIn(text))
      .contain('Acme is changed: plan, models.')
      .and.contain('Plan large')
      .and.contain('Limits of the plan 9 in flight')
      .and.contain('Models all')
    expect(textIn((await pages().get(`${path}/audit`)).text)).contain('plan: small → large')
    await pages().send(`${path}/limits`, { plan: '' })
    expect(textIn((await pages().get(path)).text)).contain('Plan –')
    expect(textIn((await pages().send(`${path}/limits`, { plan: '' })).text)).contain('Acme had these values already')
    const { entries } = await pages().api('GET', `/admin/v1/audit?account=${path.split('/').at(-1)}`)
    const lines = (entries as JsonObject[]).map(({ actor, action }) => `${String(actor)} ${String(action)}`)
    for (const line of lines.slice(0, 2)) expect(line).match(/^operator alice \(op_\w+\) account\.change$/)
  })

  it('shows a refused form again, with what was entered', async () => {
    const { status, text } = await pages().send(`${path}/limits`, { plan: 'none of these', models: 'm, m' })
    expect(status).within(400, 422)
    expect(text).contain('<h2 class="hidden">Limits</h2>').and.contain('>m, m</textarea>')
  })

  it('does not change an account of the file', async () => {
    const sent = await pages().send(`/accounts/${ACCOUNT}/limits`, { plan: 'large' })
    expect(sent.status).equal(400)
    expect(textIn(sent.text)).contain("Account 'test' is accounts[0] of the configuration file: change it there.")
  })
})

const config = configOf(`${MODEL}
plans:
  day: { requests: { limit: 2000, window: 1d } }
  days: { requests: { limit: 2000, window: 7d } }
  long: { requests: { limit: 2000, window: 90d } }
  hours: { requests: { limit: 2000, window: 12h } }
  short: { requests: { limit: 10, window: 5m } }
  none: { concurrency: 1 }
`)
const NOW = Date.parse('2026-11-23T04:00:00Z') * 1000
/** The window of seven days began on the 19th, because windows are counted from 1970. */
const DAYS = [
  { day: '2026-11-18', requests: 7 },
  { day: '2026-11-19', requests: 30 },
  { day: '2026-11-22', requests: 200 },
  { day: '2026-11-23', requests: 1000 },
]

describe('the quota on the page of an account', () => {
  let asked: unknown[]
  beforeEach(() => {
    asked = []
  })
  const of = async (plan: string | null, { days = DAYS, rows = [] as { requests: number }[] } = {}) => {
    const call = async (_name: string, { query }: CallInput = {}): Promise<JsonObject> => {
      asked.push(query)
      return { rows }
    }
    const from = new Date(Math.floor(NOW / 1000 / DAY_MS) * DAY_MS - 29 * DAY_MS).toISOString()
    const shown = await quotaText({ config, now: NOW, call }, { id: 'a', plan }, { from, days })
    return textIn(shown.toString())
  }

  it('is the rest of the window, by the days that the page has', async () => {
    expect(await of('day')).equal('1,000 of 2,000 requests until 2026-11-24 00:00:00')
    expect(await of('days')).equal('770 of 2,000 requests until 2026-11-26 00:00:00')
    expect(await of('day', { days: [] })).match(/^2,000 of/)
    expect(await of('day', { days: [{ day: '2026-11-23', requests: 2100 }] })).match(/^0 of/)
    expect(asked).deep.equal([])
  })

  it('calls for usage if the window is longer, or ends within a day', async () => {
    expect(await of('hours', { rows: [{ requests: 1500 }] })).equal('500 of 2,000 requests until 2026-11-23 12:00:00')
    expect(await of('long')).match(/^2,000 of/)
    expect(asked).deep.equal([
      { account: 'a', from: '2026-11-23T00:00:00.000Z', group_by: '' },
      {
        account: 'a',
        from: new Date(Math.floor(NOW / 1000 / 7_776_000_000) * 7_776_000_000).toISOString(),
        group_by: '',
      },
    ])
  })

  it('is not known for short windows and for plans without a quota', async () => {
    expect(await of('short')).equal('– of 10 requests per 5m')
    for (const plan of ['none', null, 'gone']) expect(await of(plan)).equal('no quota')
  })
})
