import { expect } from 'chai'
import { testGateway } from '../../../support/gateway.ts'
import { signIn, textIn, tokenOf, usePages } from '../../../support/operators.ts'

/** Every page and action, and a body for each action. */
const PATHS = ['/', '/live', '/requests', '/requests/x', '/accounts', '/accounts/x', '/chain', '/audit', '/nothing']
const ACTIONS = ['/drain', '/undrain', '/accounts', '/accounts/x/state', '/accounts/x/credits', '/accounts/x/keys']

describe('the site of operators', () => {
  const pages = usePages()

  it('shows no page and does nothing without a session', async () => {
    for (const path of PATHS) {
      const response = await fetch(pages().origin + path)
      expect(response.status, path).equal(path === '/' ? 200 : 401)
      const text = await response.text()
      expect(text, path).contain('<h1>Sign in</h1>').and.not.contain('nav')
    }
    for (const path of [...ACTIONS, '/sign-out']) {
      const body = new URLSearchParams({ name: 'made by nobody' })
      const response = await fetch(pages().origin + path, { method: 'POST', body, redirect: 'manual' })
      expect(response.status, path).equal(path === '/sign-out' ? 303 : 401)
      if (path !== '/sign-out') expect(await response.text(), path).contain('Nothing was changed')
    }
    expect(JSON.stringify(await pages().api('GET', '/admin/v1/accounts'))).not.contain('made by nobody')
  })

  it('shows no page for a forged session and for the cookie of the console', async () => {
    for (const cookie of ['service_operator_session=x', `service_session=${pages().cookie.split('=')[1]}`]) {
      expect((await pages().get('/requests', { cookie })).status).equal(401)
    }
  })

  it('does nothing without the token of the session, or from another origin', async () => {
    const other = tokenOf((await pages().get('/', { cookie: await signIn(pages().origin, pages().key) })).text)
    for (const path of ACTIONS) {
      for (const csrf_token of ['', 'x', other]) {
        const { status, text } = await pages().send(path, { csrf_token, name: 'foreign' })
        expect(status, path).equal(403)
        expect(text).contain('Nothing was changed')
      }
      const crossed = await pages().send(path, { name: 'foreign' }, { 'sec-fetch-site': 'same-site' })
      expect(crossed.status, path).equal(403)
      const origin = await pages().send(path, { name: 'foreign' }, { origin: 'http://127.0.0.1:1' })
      expect(origin.status, path).equal(403)
    }
    expect(JSON.stringify(await pages().api('GET', '/admin/v1/accounts'))).not.contain('foreign')
  })

  it('says why a form is refused next to its field, which keeps what was entered', async () => {
    const { id } = await pages().api('POST', '/admin/v1/accounts', {
      name: 'refused',
      kind: 'serverless',
      members: [{ user: 'a', role: 'owner' }],
    })
    const { id: key } = await pages().api('POST', `/admin/v1/accounts/${id}/keys`, { kind: 'serverless' })
    const account = `/accounts/${id}`
    const member = { name: 'x', kind: 'serverless' }
    const refused: readonly (readonly [path: string, Record<string, string>, name: string, text: string])[] = [
      [
        '/accounts',
        { ...member, credits_cents: '1.5' },
        'credits_cents',
        "'Prepaid' must be a whole number, or empty.",
      ],
      ['/accounts', { ...member, models: 'm, none' }, 'models', "'Models' is 'none', which is not a model"],
      ['/accounts', { ...member, name: '' }, 'name', "'Name' must be filled in."],
      ['/accounts', { ...member, owners: 'x'.repeat(300) }, 'owners', "'Owners' must be at most"],
      [`${account}/keys`, { user: 'nobody' }, 'user', "'User' is 'nobody', who is not a member of this account."],
      [`${account}/keys`, { expires: '2020-01-01' }, 'expires', "'Expires' must not be in the past."],
      [`${account}/keys`, { concurrency: 'two' }, 'concurrency', "'Requests in flight' must be a whole number."],
      [`${account}/keys`, { budget_amount: 'two' }, 'budget_amount', "'Budget' must be a number."],
      [`${account}/keys`, { endpoints: 'none.test' }, 'endpoints', "'Dedicated endpoints' is 'none.test'"],
      [
        `${account}/keys/${key}/limits`,
        { budget_amount: '5', budget_window: 'x' },
        'budget_window',
        "'Budget window' must",
      ],
      [
        `${account}/credits/initial`,
        { initial_cents: 'x' },
        'initial_cents',
        "'Initial balance' must be a whole number",
      ],
      [`${account}/limits`, { models: 'none' }, 'models', "'Models' is 'none', which is not a model"],
    ]
    const asked = ['account=none', 'status=many', 'session=mine', 'from=monday'].map(query => `/requests?${query}`)
    const queries = [
      ...asked,
      '/usage?to=monday',
      '/usage?account=none',
      '/audit?account=none',
      '/batches?account=none',
    ]
    const of = (html: string, name: string) => {
      const [, note = ''] =
        new RegExp(`name="${name}" aria-invalid="true" aria-describedby="([^"]+)" autofocus`).exec(html) ?? []
      return textIn(new RegExp(`<small class="problem" id="${note}">(.*?)</small>`).exec(html)?.[1] ?? '')
    }
    for (const [path, fields, name, text] of refused) {
      const reply = await pages().send(path, fields)
      expect(reply.status, `${path} ${name}`).equal(422)
      expect(of(reply.text, name), `${path} ${name}`).contain(text)
      expect(textIn(reply.text)).contain(`Nothing was changed. ${text}`)
      if (fields[name] !== '') expect(reply.text, name).contain(fields[name])
    }
    for (const path of queries) {
      const [[name, value] = ['', '']] = new URLSearchParams(path.split('?')[1])
      const reply = await pages().get(path)
      expect(reply.status, path).equal(422)
      expect(of(reply.text, name), path).match(/^('(Account|Status|From|To)' |A session has 16)/)
      expect(reply.text, path).contain(`value="${value}"`).and.not.contain('Nothing was changed')
    }
  })

  it('shows refusals with the navigation of the session', async () => {
    for (const [path, status, title] of [
      ['/requests/req_000000000000', 404, 'Not found'],
      ['/requests?cursor=x', 422, 'Not possible'],
    ] as const) {
      const reply = await pages().get(path)
      expect(reply.status, path).equal(status)
      expect(reply.text, path)
        .contain(`<h1>${title}</h1>`)
        .and.contain('<nav aria-label="Operators">')
        .and.contain('href="/find"')
    }
  })

  it('allows no foreign script, frame or cache', async () => {
    const { headers } = await pages().get('/')
    const policy = headers.get('content-security-policy')
    expect(policy).contain("default-src 'none'").and.contain("script-src 'self'").and.not.contain('unsafe')
    expect(policy).contain("frame-ancestors 'none'")
    expect(headers.get('cache-control')).equal('no-store')
  })

  it('serves styles and scripts without a session, and no other file', async () => {
    const { text } = await pages().get('/')
    const [, script = ''] = /<script type="module" src="([^"]+)"/.exec(text) ?? []
    const response = await fetch(pages().origin + script)
    expect([response.status, response.headers.get('content-type')]).deep.equal([200, 'text/javascript; charset=utf-8'])
    expect(response.headers.get('cache-control')).contain('immutable')
    for (const path of ['/assets/x/../package.json', '/assets/x/%2e%2e%2fshell.ts', '/assets/', '/assets/x'])
      expect((await fetch(pages().origin + path)).status, path).not.equal(200)
  })

  it('does not change metrics and probes, and answers HEAD', async () => {
    for (const path of ['/metrics', '/livez', '/readyz', '/backends', '/config.schema.json'])
      expect((await fetch(pages().origin + path)).status, path).equal(200)
    const head = await fetch(pages().origin, { method: 'HEAD' })
    expect([head.status, await head.text()]).deep.equal([200, ''])
  })

  it('answers 404 for an unknown page', async () => {
    const { status, text } = await pages().get('/nothing')
    expect(status).equal(404)
    expect(text).contain('There is no page at this address').and.contain('href="/find"').and.contain('<nav')
    expect((await pages().send('/nothing', {})).status).equal(404)
  })

  it('refuses a form that is too large', async () => {
    const { status } = await pages().send('/accounts', { name: 'x'.repeat(400_000) })
    expect(status).equal(413)
  })

  it('is served neither on the port of clients nor if the API is off', async () => {
    const { gateway, cookie } = pages()
    for (const path of [...PATHS.slice(1), '/sign-in']) {
      const response = await fetch(gateway.url + path, { headers: { cookie } })
      expect(response.status, path).equal(404)
    }
    expect(await (await fetch(gateway.url)).json()).deep.include({ object: 'gateway' })
    const off = await testGateway({ backends: ['http://127.0.0.1:9/v1'] })
    for (const path of ['/', '/sign-in', '/requests'])
      expect((await fetch(off.gateway.adminUrl + path)).status, path).equal(404)
    await off.close()
  })
})
