import { join } from 'node:path'
import { expect } from 'chai'
import { applyGroups } from '../../../../lib/store/group-members.ts'
import { openStore } from '../../../../lib/store/store.ts'
import { ACCOUNT, eventually } from '../../../support/gateway.ts'
import { hiddenIn, textIn, usePages } from '../../../support/operators.ts'
import { silent } from '../../../support/stores.ts'

describe('the page of an account', () => {
  const pages = usePages()
  let path = ''
  const audited = async () => {
    const { entries } = await pages().api('GET', `/admin/v1/audit?account=${path.split('/').at(-1)}`)
    return (entries as { action: string; actor: string }[]).map(
      ({ action, actor }) => `${actor.split(' (')[0]}: ${action}`,
    )
  }
  before(async () => {
    const { id } = await pages().api('POST', '/admin/v1/accounts', { name: 'Acme' })
    path = `/accounts/${id}`
  })

  it('is disabled after a question, and enabled by the button of the note', async () => {
    const asked = await pages().send(`${path}/state`, { disabled: 'yes' })
    expect(textIn(asked.text)).contain('Disable Acme? All requests of the account are refused until it is enabled.')
    expect(textIn((await pages().get(path)).text)).contain('State active')
    const { text } = await pages().send(`${path}/state`, { disabled: 'yes', confirmed: 'yes' })
    expect(textIn(text))
      .contain('Acme is disabled: its requests are refused until it is enabled. Undo')
      .and.contain('State disabled')
    const undone = await pages().send(`${path}/state`, hiddenIn(text.split('role="status"')[1]!.split('</form>')[0]!))
    expect(textIn(undone.text)).contain('Acme is enabled. Undo').and.contain('State active')
    await pages().send(`${path}/credits/initial`, { initial_cents: '100' })
  })

  it('names the group that makes a user a member', async () => {
    const store = await openStore(`sqlite:${join(pages().gateway.dir, 'store.db')}`, { log: silent })
    const account = path.split('/').at(-1)!
    const wanted = [{ account, role: 'admin', group: '<devs>' } as const]
    const actor = { name: 'issuer login.test', address: null }
    await applyGroups(store, { user: 'bob', wanted, inFile: new Set(), actor, now: 1 })
    await store.close()
    const { text } = await pages().get(`${path}/members`)
    expect(textIn(text)).contain('bob admin <devs>')
    expect(text).contain(`href="/requests?account=${account}&amp;user=bob">bob<`)
  })

  it('adds credit with its note once, even if the form is sent several times', async () => {
    const { text } = await pages().get(`${path}/credits`)
    const key = /name="idempotency_key" value="([^"]+)"/.exec(text)![1]!
    const fields = { idempotency_key: key, amount_cents: '250', note: 'Invoice 7' }
    for (let i = 0; i < 3; i++) {
      const sent = await pages().send(`${path}/credits`, fields)
      expect(sent.text).contain(
        '<span id="balance"><span title="3.50 USD">3.50 <span class="unit">USD</span></span></span>',
      )
      expect(textIn(sent.text)).contain('Invoice 7')
    }
    expect((await audited()).filter(line => line.endsWith('credits.add'))).lengthOf(1)
    const again = /name="idempotency_key" value="([^"]+)"/.exec((await pages().get(`${path}/credits`)).text)![1]
    expect(again).not.equal(key)
  })

  it('refuses wrong amounts and plans, and shows the page again', async () => {
    for (const amount_cents of ['', '0', '1.5', 'much', '99999999999999']) {
      const { status, text } = await pages().send(`${path}/credits`, { amount_cents, note: 'x' })
      expect(status, amount_cents).within(400, 422)
      expect(text)
        .contain('<h2 class="hidden">Credit</h2>')
        .and.contain('role="alert"')
        .and.contain(`value="${amount_cents}"`)
      expect(text).contain('required value="x"')
    }
  })

  it('names the place of an account of the file, and does not change it', async () => {
    for (const end of ['', '/limits']) {
      const { text } = await pages().get(`/accounts/${ACCOUNT}${end}`)
      expect(textIn(text)).contain('This account is accounts[0] of the configuration file')
    }
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
    expect((await pages().send('/accounts/x/state', {})).status).equal(404)
  })
})
