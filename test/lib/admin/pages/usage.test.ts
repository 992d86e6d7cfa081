import { expect } from 'chai'
import { ACCOUNT, eventually } from '../../../support/gateway.ts'
import { textIn, usePages } from '../../../support/operators.ts'

describe('the page of usage over all accounts', () => {
  const pages = usePages()

  before(async () => {
    await pages().gateway.post('/v1/chat/completions', { model: 'm', messages: [{ role: 'user', content: 'Hi' }] })
    await eventually(async () => (await pages().get('/usage')).text.includes(`/accounts/${ACCOUNT}`))
  })

  it('shows sums by account and model, with names', async () => {
    const { text } = await pages().get('/usage')
    expect(textIn(text)).match(/ Model Account Requests .* m test 1 /)
    expect(text).contain('value="account" checked').and.not.contain('value="hour" checked')
  })

  it('groups by any group, and keeps the filters in the file', async () => {
    const today = new Date().toISOString().slice(0, 10)
    const { text, status } = await pages().get(`/usage?from=${today}&by=hour&by=user&by=backend`)
    expect(status).equal(200)
    expect(textIn(text)).match(/ User Backend Requests .* \d\d:00:00 \S+ :\d+ 1 /)
    const [, path = ''] = /href="(\/usage\.csv[^"]*)"/.exec(text) ?? []
    const file = await pages().get(path.replaceAll('&amp;', '&'))
    expect(file.headers.get('content-disposition')).equal('attachment; filename="usage.csv"')
    expect(file.headers.get('content-type')).equal('text/csv; charset=utf-8')
    expect(file.text).match(/^hour,user,backend,requests,.*\r\n\d{4}-\d\d-\d\dT\d\d:00:00Z,/)
  })

  it('shows the clients of an account, and filters by one', async () => {
    expect(textIn((await pages().get('/usage?by=client')).text)).match(/ Client Requests .* Cost (?:other|node) 1 /)
    expect(textIn((await pages().get('/usage?by=client&client=codex')).text)).contain('No usage in this time')
    expect((await pages().get('/requests?client=codex')).text).contain('No such requests')
  })

  it('links numbers to the requests behind them, where the list can filter by all groups', async () => {
    const hrefs = async (query: string) =>
      Array.from((await pages().get(`/usage?${query}`)).text.matchAll(/<td[^>]*><a href="(\/requests[^"]*)">1</g), m =>
        m[1]!.replaceAll('&amp;', '&'),
      )
    const [byDay = ''] = await hrefs('by=day&by=model&client=other')
    const today = new Date().toISOString().slice(0, 10)
    if (byDay !== '') expect(byDay).contain(`from=${today}T00%3A00%3A00.000Z`).and.contain('client=other')
    const [byModel = ''] = await hrefs('by=model&by=backend')
    const query = new URLSearchParams(byModel.slice(byModel.indexOf('?')))
    expect(query.get('model')).equal('m')
    expect(query.get('backend')).match(/^http:/)
    const list = await pages().get(byModel)
    expect(list.text)
      .match(/href="\/requests\/[0-9a-f-]{36}">/)
      .and.contain('id="from" name="from"')
    const [ofDay = ''] = await hrefs('by=day')
    expect((await pages().get(ofDay)).text).match(/href="\/requests\/[0-9a-f-]{36}">/)
    expect((await hrefs('by=key'))[0]).match(/^\/requests\?key=k1&from=/)
    expect((await hrefs('by=account&by=user'))[0]).contain(`account=${ACCOUNT}&user=`)
    expect(await hrefs('by=batch')).deep.equal([])
  })

  it('links names to their pages, or to the requests behind them', async () => {
    const query = 'account=test&by=account&by=key&by=user&by=model&by=backend&by=client'
    const { text } = await pages().get(`/usage?${query}`)
    for (const link of [
      `href="/accounts/${ACCOUNT}">test<`,
      'href="/models/m/history">m<',
      `href="/requests?account=${ACCOUNT}&amp;key=k1&amp;from=`,
      `href="/requests?account=${ACCOUNT}&amp;user=`,
      `href="/requests?account=${ACCOUNT}&amp;backend=http`,
      `href="/requests?account=${ACCOUNT}&amp;client=`,
    ])
      expect(text).contain(link)
  })

  it('refuses a wrong day with its name', async () => {
    const { status, text } = await pages().get('/usage?from=yesterday')
    expect(status).equal(422)
    expect(textIn(text)).match(/'From' must be a day/)
  })

  it('offers every list as a file', async () => {
    const heads = {
      '/requests': [/\/requests\.csv/, /^request_id,id,created_at,/],
      '/accounts': [/\/accounts\.csv/, /^id,name,kind,plan,/],
      '/audit': [/\/audit\.csv/, /^id,created_at,actor,.*account_id,account_name,/],
      [`/accounts/${ACCOUNT}/keys`]: [/\/accounts\/[^/"]+\/keys\.csv/, /^id,account_id,user,/],
    } as const
    for (const [page, [link, head]] of Object.entries(heads)) {
      const { text } = await pages().get(page)
      const path = link.exec(text)?.[0] ?? ''
      expect((await pages().get(path)).text, page).match(head)
    }
    const { text } = await pages().get('/requests.csv')
    expect(text).match(/\r\nreq_\w+,.*test,/)
  })
})
