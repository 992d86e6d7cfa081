import { join } from 'node:path'
import { expect } from 'chai'
import { accountRoutes } from '../../../../lib/admin/pages/account.ts'
import type { CallInput, PageReply } from '../../../../lib/admin/pages/page.ts'
import type { JsonObject } from '../../../../lib/base/json.ts'
import { applyGroups } from '../../../../lib/store/group-members.ts'
import { openStore } from '../../../../lib/store/store.ts'
import { configOf, MODEL } from '../../../support/config.ts'
import { ACCOUNT, eventually } from '../../../support/gateway.ts'
import { hiddenIn, textIn, usePages } from '../../../support/operators.ts'
import { silent } from '../../../support/stores.ts'

describe('the page of an account', () => {
  const pages = usePages({ more: { plans: { small: { concurrency: 1 }, large: { concurrency: 9 } } } })
  let path = ''
  const audited = async () => {
    const { entries } = await pages().api('GET', `/admin/v1/audit?account=${path.split('/').at(-1)}`)
    return (entries as { action: string; actor: string }[]).map(
      ({ action, actor }) => `${actor.split(' (')[0]}: ${action}`,
    )
  }
  before(async () => {
    const { id } = await pages().api('POST', '/admin/v1/accounts', { name: 'Acme', plan: 'small', models: ['m'] })
    path = `/accounts/${id}`
  })

  it('changes plan, models and state, in the name of the operator', async () => {
    const fields = { plan: 'large', models: '', credits_cents: '100', disabled: 'on' }
    const asked = await pages().send(path, fields)
    expect(textIn(asked.text)).contain('Disable Acme? All requests of the account are refused until it is enabled.')
    expect(textIn((await pages().get(path)).text)).contain('State active')
    const { text } = await pages().send(path, { ...fields, confirmed: 'yes' })
    expect(textIn(text))
      .contain(
        'Acme is changed: plan, models, initial balance, state. It is disabled: its requests are refused. Enable',
      )
      .and.contain('Plan large')
      .and.contain('Limits of the plan 9 in flight')
      .and.contain('State disabled')
    expect(textIn(text)).contain('plan: small → large').and.contain('Models: *.')
    await pages().send(path, { plan: '', credits_cents: '100' })
    expect(textIn((await pages().get(path)).text))
      .contain('Plan –')
      .and.contain('State active')
    expect((await audited()).slice(0, 2)).deep.equal([
      'operator alice: account.change',
      'operator alice: account.change',
    ])
  })

  it('names the group that makes a user a member', async () => {
    const store = await openStore(`sqlite:${join(pages().gateway.dir, 'store.db')}`, { log: silent })
    const account = path.split('/').at(-1)!
    const wanted = [{ account, role: 'admin', group: '<devs>' } as const]
    const actor = { name: 'issuer login.test', address: null }
    await applyGroups(store, { user: 'bob', wanted, inFile: new Set(), actor, now: 1 })
    await store.close()
    expect((await pages().get(path)).text).contain('Members: bob (admin, by group &lt;devs&gt;).')
  })

  it('says that nothing was changed, or enables an account again by the button of the note', async () => {
    const same = { plan: '', credits_cents: '100' }
    expect(textIn((await pages().send(path, same)).text)).contain('Acme had these values already')
    const { text } = await pages().send(path, { ...same, disabled: 'on', confirmed: 'yes' })
    const undone = await pages().send(path, hiddenIn(text.split('role="status"')[1]!.split('</form>')[0]!))
    expect(textIn(undone.text)).contain('Acme is changed: state.').and.contain('State active')
  })

  it('adds credit with its note once, even if the form is sent several times', async () => {
    const { text } = await pages().get(path)
    const key = /name="idempotency_key" value="([^"]+)"/.exec(text)![1]!
    const fields = { idempotency_key: key, amount_cents: '250', note: 'Invoice 7' }
    for (let i = 0; i < 3; i++) {
      const sent = await pages().send(`${path}/credits`, fields)
      expect(sent.text).contain('<strong id="balance"><span title="3.50 USD">3.50 USD</span></strong>')
      expect(textIn(sent.text)).contain('Invoice 7')
    }
    expect((await audited()).filter(line => line.endsWith('credits.add'))).lengthOf(1)
    const again = /name="idempotency_key" value="([^"]+)"/.exec((await pages().get(path)).text)![1]
    expect(again).not.equal(key)
  })

  it('refuses wrong amounts and plans, and shows the page again', async () => {
    for (const amount_cents of ['', '0', '1.5', 'much', '99999999999999']) {
      const { status, text } = await pages().send(`${path}/credits`, { amount_cents, note: 'x' })
      expect(status, amount_cents).within(400, 422)
      expect(text).contain('<h1>Acme</h1>').and.contain('role="alert"')
    }
    const { status } = await pages().send(path, { plan: 'none of these' })
    expect(status).within(400, 422)
  })

  it('names the place of an account of the file, and does not change it', async () => {
    const { text } = await pages().get(`/accounts/${ACCOUNT}`)
    expect(textIn(text)).contain('This account is accounts[0] of the configuration file')
    const sent = await pages().send(`/accounts/${ACCOUNT}`, { plan: 'large' })
    expect(sent.status).equal(400)
    expect(textIn(sent.text)).contain("Account 'test' is accounts[0] of the configuration file: change it there.")
  })

  it('shows its usage by day, as a plot and in numbers', async () => {
    const body = { model: 'm', messages: [{ role: 'user', content: 'Hello' }] }
    await (await pages().gateway.post('/v1/chat/completions', body)).text()
    const today = new Date().toISOString().slice(0, 10)
    await eventually(async () => textIn((await pages().get(`/accounts/${ACCOUNT}`)).text).includes(`${today} 1`))
    expect((await pages().get(`/accounts/${ACCOUNT}`)).text)
      .contain('data-plot="')
      .and.contain('plot.js')
  })

  it('answers 404 for an unknown account', async () => {
    expect((await pages().get('/accounts/0d7f5c5e-6d4c-4a53-9f0e-2f5d2b6f1a09')).status).equal(404)
    expect((await pages().send('/accounts/x', { plan: '' })).status).equal(404)
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
const page = accountRoutes[0]!
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
    const replies: Readonly<Record<string, JsonObject>> = {
      account: { id: 'a', name: 'Acme', plan, models: ['*'], members: [], source: 'store', credits_cents: null },
      credits: { balance_cents: null, ledger: [] },
      'list-keys': { keys: [] },
      audit: { entries: [] },
    }
    const call = async (name: string, { query }: CallInput = {}): Promise<JsonObject> => {
      if (name !== 'usage') return replies[name]!
      if (query!.group_by === 'day') return { rows: days }
      asked.push(query)
      return { rows }
    }
    const [query, form] = [new URLSearchParams(), new URLSearchParams()]
    const visitor = { operator: { id: 'op_1', name: 'alice' }, secret: 's' }
    const params = { id: 'a' }
    const csv = () => Promise.reject(new Error('not called'))
    const reply = await page.handle({ visitor, params, query, form, config, now: NOW, problem: null, call, csv })
    return textIn(/Quota left<\/dt><dd>(.*?)<\/dd>/.exec((reply as PageReply).body.toString())![1]!)
  }

  it('is the rest of the window, by the days that the page has', async () => {
    expect(await of('day')).equal('1,000 of 2,000 until 2026-11-24 00:00:00')
    expect(await of('days')).equal('770 of 2,000 until 2026-11-26 00:00:00')
    expect(await of('day', { days: [] })).match(/^2,000 of/)
    expect(await of('day', { days: [{ day: '2026-11-23', requests: 2100 }] })).match(/^0 of/)
    expect(asked).deep.equal([])
  })

  it('calls for usage if the window is longer, or ends within a day', async () => {
    expect(await of('hours', { rows: [{ requests: 1500 }] })).equal('500 of 2,000 until 2026-11-23 12:00:00')
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
    expect(await of('short')).equal('– of 10 per 5m')
    for (const plan of ['none', null, 'gone']) expect(await of(plan)).equal('no quota')
  })
})
