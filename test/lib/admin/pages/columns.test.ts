import { expect } from 'chai'
import { ACCOUNT, eventually } from '../../../support/gateway.ts'
import { textIn, usePages } from '../../../support/operators.ts'

const PAGES = {
  '/usage': ['cost', 'requests', 'model'],
  '/accounts': ['name', 'plan', 'balance'],
  '/models': ['id', 'kind', 'backends'],
  '/backends/list': ['model', 'state', 'rate', 'errors'],
  [`/accounts/${ACCOUNT}/keys`]: ['label', 'state', 'last_used'],
}

describe('tables of operators that sort, with columns to choose', () => {
  const pages = usePages()

  before(async () => {
    await pages().gateway.post('/v1/chat/completions', { model: 'm', messages: [{ role: 'user', content: 'Hi' }] })
    await eventually(async () => (await pages().get('/usage')).text.includes(`/accounts/${ACCOUNT}`))
    await pages().send(`/accounts/${ACCOUNT}/keys`, { label: 'b' })
    await pages().send(`/accounts/${ACCOUNT}/keys`, { label: 'a' })
    await pages().send('/accounts', { name: 'Zeta', kind: 'serverless', credits_cents: '500' })
    await pages().send('/accounts', { name: 'beta', kind: 'serverless', credits_cents: '700' })
  })

  it('sort by links in their heads, and say by what', async () => {
    for (const [path, names] of Object.entries(PAGES)) {
      for (const name of names) {
        const { text, status } = await pages().get(`${path}?sort=${name}&order=asc`)
        expect(status, `${path} ${name}`).equal(200)
        const link = new RegExp(`<th[^>]* aria-sort="ascending"><a href="[^"]*sort=${name}&amp;order=desc[^"]*">`)
        expect(text, path).match(link)
      }
    }
  })

  it('have the rows in that order', async () => {
    const balances = textIn((await pages().get('/accounts?sort=balance')).text)
    expect(balances).match(/ beta .* 7\.00 USD .* Zeta .* 5\.00 USD .* test active \S+ \S+ not prepaid/)
    expect(textIn((await pages().get('/accounts?sort=name&order=desc')).text)).match(/ Zeta .* test .* beta /)
    const keys = textIn((await pages().get(`/accounts/${ACCOUNT}/keys?sort=label`)).text)
    expect(keys).match(/ a active .* b active /)
  })

  it('refuse other columns with the names of those that sort', async () => {
    for (const path of Object.keys(PAGES)) {
      const { status, text } = await pages().get(`${path}?sort=colour`)
      expect(status, path).equal(422)
      expect(textIn(text), path).contain("'sort' must be")
    }
  })

  it('keep other filters', async () => {
    const { text } = await pages().get(`/usage?account=${ACCOUNT}&by=model&sort=cost`)
    expect(text).contain(`href="/usage?account=${ACCOUNT}&amp;by=model&amp;sort=requests&amp;order=desc"`)
    expect(text).contain('<input type="hidden" name="sort" value="cost">')
    expect(text).contain('sort=cost" download>CSV</a>')
  })

  it('show the columns that this browser has chosen', async () => {
    const heads = async (cookie = '') => {
      const { text } = await pages().get('/requests', { cookie: `${pages().cookie}; ${cookie}` })
      return Array.from(text.matchAll(/<th scope="col"[^>]*>([^<]*)</g), ([, head]) => head)
    }
    const all = await heads()
    expect(all).include.members(['Status', 'Backend', 'Total'])
    expect(all).not.include('Client')
    const { text } = await pages().get('/requests?status=errors')
    const token = /name="csrf_token" value="([^"]+)"/.exec(text)![1]!
    const body = new URLSearchParams({ csrf_token: token, back: 'status=errors', column: 'client' })
    const init = { method: 'POST', body, headers: { cookie: pages().cookie }, redirect: 'manual' } as const
    const response = await fetch(`${pages().origin}/requests/columns`, init)
    expect(response.headers.get('location')).equal('/requests?status=errors')
    const set = response.headers.get('set-cookie')!
    expect(set).equal('service_columns=client; Path=/requests; Max-Age=31536000; HttpOnly; SameSite=Strict')
    expect(await heads(set.split(';')[0])).deep.equal(['Time', 'Request', 'Status', 'Client'])
  })

  it('need the token of the session for the choice', async () => {
    const body = new URLSearchParams({ column: 'client' })
    const init = { method: 'POST', body, headers: { cookie: pages().cookie } }
    expect((await fetch(`${pages().origin}/usage/columns`, init)).status).equal(403)
  })
})
