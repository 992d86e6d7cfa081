import { expect } from 'chai'
import { ACCOUNT, eventually } from '../../../support/gateway.ts'
import { textIn, usePages } from '../../../support/operators.ts'

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
    const { text } = await pages().send(path, fields)
    expect(textIn(text))
      .contain('The account is changed.')
      .and.contain('Plan large')
      .and.contain('Limits of the plan 9 in flight')
      .and.contain('State disabled')
    expect(textIn(text)).contain('plan: small → large').and.contain('Models: *.')
    await pages().send(path, { plan: '', credits_cents: '100' })
    expect(textIn((await pages().get(path)).text))
      .contain('Plan –')
      .and.contain('State in use')
    expect((await audited()).slice(0, 2)).deep.equal([
      'operator alice: account.change',
      'operator alice: account.change',
    ])
  })

  it('adds credit with its note once, however often the form is sent', async () => {
    const { text } = await pages().get(path)
    const key = /name="idempotency_key" value="([^"]+)"/.exec(text)![1]!
    const fields = { idempotency_key: key, amount_cents: '250', note: 'Invoice 7' }
    for (let i = 0; i < 3; i++) {
      const sent = await pages().send(`${path}/credits`, fields)
      expect(sent.text).contain('<strong id="balance">3.50</strong>')
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

  it('says where an account of the file stands, and does not change it', async () => {
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

  it('says so where there is none', async () => {
    expect((await pages().get('/accounts/0d7f5c5e-6d4c-4a53-9f0e-2f5d2b6f1a09')).status).equal(404)
    expect((await pages().send('/accounts/x', { plan: '' })).status).equal(404)
  })
})
