import { expect } from 'chai'
import { hiddenIn, textIn, usePages } from '../../../support/operators.ts'

describe('credit on the page of an account', () => {
  const pages = usePages()
  let path = ''
  const formIn = (text: string) => hiddenIn(text.split('<main')[1]!.split('</form>')[0]!)
  const balance = (text: string) => /id="balance"><span[^>]*>([^<]*)/.exec(text)?.[1]
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
      expect(balance(undone.text)).equal('10.00 USD')
    }
  })

  it('is taken after a question', async () => {
    const fields = { amount_cents: '-400', note: 'Refund', idempotency_key: 'k' }
    const { status, text } = await pages().send(`${path}/credits`, fields)
    expect(status).equal(200)
    expect(textIn(text)).contain('Take 4.00 USD from Acme? The balance is 10.00 USD, and 6.00 USD after this.')
    expect(balance((await pages().get(path)).text)).equal('10.00 USD')
    const taken = await pages().send(`${path}/credits`, formIn(text))
    expect(textIn(taken.text)).contain('4.00 USD is taken from the balance of Acme: Refund Undo')
    expect(balance(taken.text)).equal('6.00 USD')
  })

  it('is not named by a query with another entry', async () => {
    expect((await pages().get(`${path}?done=credits&entry=x`)).text).not.contain('role="status"')
  })
})
