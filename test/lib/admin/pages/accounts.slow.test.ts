import { expect } from 'chai'
import { ACCOUNT } from '../../../support/gateway.ts'
import { textIn, usePages } from '../../../support/operators.ts'

describe('the page of accounts', () => {
  const pages = usePages({ more: { plans: { small: { concurrency: 1 } } } })

  it('lists accounts of the file and of the store', async () => {
    const { text } = await pages().get('/accounts')
    expect(textIn(text)).contain('test active serverless – not prepaid 1 file')
    expect(textIn((await pages().get('/accounts?name=TES')).text)).contain('not prepaid 1 file')
    expect(textIn((await pages().get('/accounts?name=nobody')).text)).contain('No such account')
  })

  it('creates an account and shows it', async () => {
    const fields = {
      name: 'Acme <b>',
      kind: 'serverless',
      plan: 'small',
      models: 'alias',
      credits_cents: '500',
      owners: 'ann, bob',
    }
    const { status, text } = await pages().send('/accounts', fields)
    expect(status).equal(200)
    expect(text).contain('<h1>Acme &lt;b&gt;</h1>')
    expect(textIn(text)).contain('Plan small').and.contain('Balance 5.00 USD').and.contain('Models m')
    expect(textIn(text)).contain('Acme <b> is created.')
    const path = /href="(\/accounts\/[^"]+)\/members"/.exec(text)![1]!
    expect(textIn((await pages().get(`${path}/members`)).text)).contain('ann owner – bob owner –')
    expect(textIn((await pages().get(`${path}/audit`)).text)).contain('account.create')
    expect(textIn((await pages().get('/accounts')).text)).contain('small 5.00 USD 2 store')
  })

  it('has pages, finds accounts by a part of the name, and one by its id', async () => {
    for (let i = 0; i < 105; i++) await pages().api('POST', '/admin/v1/accounts', { name: `Many ${i}_%` })
    const { text } = await pages().get('/accounts?name=many')
    const [, next = ''] = /rel="next" href="([^"]+)"/.exec(text) ?? []
    const rest = await pages().get(next.replaceAll('&amp;', '&'))
    const names = (page: string) => [...page.matchAll(/>(Many \d+_%)</g)].map(([, name]) => name)
    expect(new Set([...names(text), ...names(rest.text)]).size).equal(105)
    expect(names((await pages().get('/accounts?name=104_%25')).text)).deep.equal(['Many 104_%'])
    expect((await pages().get(`/accounts?name=${ACCOUNT}`)).text).contain('<h1>test</h1>')
  })

  it('shows refusals of the API next to the form', async () => {
    const wrong: readonly (readonly [Record<string, string>, RegExp])[] = [
      [{ name: '' }, /'Name' must be filled in/],
      [{ name: 'test' }, /already an account with this name/],
      [{ name: 'a', plan: 'large' }, /'Plan' is 'large', which is not in the configuration/],
      [{ name: 'a', models: 'n' }, /'Models' is 'n', which is not a model/],
      [{ name: 'a', credits_cents: 'much' }, /'Prepaid' must/],
      [{ name: 'a', kind: 'odd' }, /'Kind' must/],
    ]
    for (const [fields, message] of wrong) {
      const { status, text } = await pages().send('/accounts', fields)
      expect(status, JSON.stringify(fields)).within(400, 422)
      expect(text)
        .contain('id="new"')
        .and.match(new RegExp(`name="name"[^>]* value="${fields.name}"`))
      expect(/role="alert">([^<]*)/.exec(text)?.[1]).match(/^Nothing was changed\. /)
      expect(textIn(text)).match(message)
    }
  })
})
