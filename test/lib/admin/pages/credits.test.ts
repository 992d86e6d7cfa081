import { join } from 'node:path'
import { expect } from 'chai'
import { bookCredits } from '../../../../lib/store/credits.ts'
import { transact } from '../../../../lib/store/database.ts'
import { openStore } from '../../../../lib/store/store.ts'
import { hiddenIn, textIn, usePages } from '../../../support/operators.ts'
import { silent } from '../../../support/stores.ts'

describe('credit on the page of an account', () => {
  const pages = usePages()
  let path = ''
  const formIn = (text: string) => hiddenIn(text.split('<main')[1]!.split('</nav>').at(-1)!.split('</form>')[0]!)
  const balance = (text: string) => /id="balance"><span[^>]*>([^<]*)<span class="unit">USD/.exec(text)?.[1]
  before(async () => {
    const { id } = await pages().api('POST', '/admin/v1/accounts', { name: 'Acme', credits_cents: 1000 })
    path = `/accounts/${id}`
  })

  it('is named when it was added, and can be taken back once', async () => {
    const { text } = await pages().send(`${path}/credits`, { amount_cents: '250', note: 'Invoice 7' })
    expect(textIn(text)).contain('2.50 USD is added to the balance of Acme: Invoice 7 Undo')
    const undo = formIn(text)
    for (let i = 0; i < 2; i++) {
      const undone = await pages().send(`${path}/credits`, undo)
      expect(textIn(undone.text)).contain('2.50 USD is taken from the balance of Acme: Undo: Invoice 7 Undo')
      expect(balance(undone.text)).equal('10.00 ')
    }
  })

  it('is taken after a question', async () => {
    const fields = { amount_cents: '-400', note: 'Refund', idempotency_key: 'k' }
    const { status, text } = await pages().send(`${path}/credits`, fields)
    expect(status).equal(200)
    expect(textIn(text)).contain('Take 4.00 USD from Acme? The balance is 10.00 USD, and 6.00 USD after this.')
    expect(balance((await pages().get(`${path}/credits`)).text)).equal('10.00 ')
    const taken = await pages().send(`${path}/credits`, formIn(text))
    expect(textIn(taken.text)).contain('4.00 USD is taken from the balance of Acme: Refund Undo')
    expect(balance(taken.text)).equal('6.00 ')
  })

  it('is not named by a query with another entry', async () => {
    expect((await pages().get(`${path}/credits?done=credits&entry=x&at=2026-11-21T00:00:00Z`)).text).not.contain(
      'role="status"',
    )
  })

  it('books another amount of a form that was sent before when it is sent again', async () => {
    const fields = { amount_cents: '5', note: 'Gift', idempotency_key: 'used' }
    await pages().send(`${path}/credits`, fields)
    const refused = await pages().send(`${path}/credits`, { ...fields, amount_cents: '6' })
    expect(refused.status).equal(400)
    expect(textIn(refused.text)).contain('Nothing was changed. This form has booked another amount')
    expect(refused.text).contain('value="6"').and.not.contain('value="used"')
    const key = /name="idempotency_key" value="([^"]+)"/.exec(refused.text)![1]!
    const booked = await pages().send(`${path}/credits`, { ...fields, amount_cents: '6', idempotency_key: key })
    expect(textIn(booked.text)).contain('0.06 USD is added')
  })

  it('has an initial balance, of which a lower one is set after a question', async () => {
    const up = await pages().send(`${path}/credits/initial`, { initial_cents: '1500' })
    expect(textIn(up.text)).contain('The initial balance of Acme is 15.00 USD. Undo')
    const asked = await pages().send(`${path}/credits/initial`, { initial_cents: '1000' })
    expect(textIn(asked.text)).contain('Take 5.00 USD from Acme?')
    const undone = await pages().send(`${path}/credits/initial`, formIn(up.text))
    expect(textIn(undone.text)).contain('The initial balance of Acme is 10.00 USD. Undo')
    const wrong = await pages().send(`${path}/credits/initial`, { initial_cents: 'much' })
    expect([wrong.status, wrong.text.includes('value="much"')]).deep.equal([422, true])
  })

  it('has the charges of a day as one row, which leads to the single ones', async () => {
    const store = await openStore(`sqlite:${join(pages().gateway.dir, 'store.db')}`, { log: silent })
    const account_id = path.split('/').at(-1)!
    const created_at = Date.parse('2026-11-20T10:00:00Z') * 1000
    const entries = ['0190-1', '0190-2', '0190-3'].map((request_id, i) => {
      return { request_id, account_id, amount_microcents: -1_000_000, kind: 'charge', created_at: created_at + i }
    })
    await transact(store, session => bookCredits(session, entries))
    await store.close()
    const { text } = await pages().get(`${path}/credits`)
    expect(textIn(text)).contain('2026-11-20 charges 3 -0.03 USD –')
    const day = await pages().get(/href="(\/accounts[^"]*day=2026-11-20)"/.exec(text)![1]!)
    expect(textIn(day.text)).contain('Ledger of 2026-11-20')
    expect(day.text.match(/charge of a request/g)).lengthOf(3)
    expect(day.text).contain('<a href="/requests/0190-3">').and.not.contain('Invoice 7')
    const csv = await pages().get(/href="([^"]*\.csv[^"]*)"/.exec(day.text)![1]!)
    expect(csv.text).contain('0190-3').and.not.contain('Invoice 7')
    expect((await pages().get(/href="([^"]*\.csv[^"]*)"/.exec(text)![1]!)).text).contain('Invoice 7')
    expect((await pages().get(`${path}/credits?day=x`)).status).equal(200)
  })
})
