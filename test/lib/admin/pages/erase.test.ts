import { expect } from 'chai'
import { textIn, usePages } from '../../../support/operators.ts'

describe('erasing an account on its page', () => {
  const pages = usePages()

  it('asks first, then leaves a page without names and forms', async () => {
    const members = [{ user: 'bob', role: 'owner' }]
    const { id } = await pages().api('POST', '/admin/v1/accounts', { name: 'Acme', members })
    const path = `/accounts/${id}`
    const asked = await pages().send(`${path}/erase`, {})
    expect(textIn(asked.text)).contain('Erase Acme? Its keys are refused, its requests end,').and.contain('cannot undo')
    expect(textIn((await pages().get(path)).text)).contain('State active')
    const { text } = await pages().send(`${path}/erase`, { confirmed: 'yes' })
    expect(textIn(text))
      .contain('The account is erased.')
      .and.contain('State erased')
      .and.not.contain('Keys')
      .and.not.contain('Disable')
    expect(textIn((await pages().get(`${path}/audit`)).text)).contain('account.erase')
    expect((await pages().get(`${path}/credits`)).text).not.contain('name="amount_cents"')
    expect((await pages().send(`${path}/erase`, { confirmed: 'yes' })).status).equal(200)
    const accounts = await pages().api('GET', '/admin/v1/accounts')
    expect(JSON.stringify(accounts)).not.contain('Acme').and.not.contain('bob')
  })
})
