import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { runCli } from '../support/cli.ts'
import { ACCOUNT, configFile, KEY, type TestGateway, testGateway } from '../support/gateway.ts'
import { replyProblems } from '../support/reply-schemas.ts'

const ACCOUNTS = [
  {
    id: ACCOUNT,
    name: 'test',
    kind: 'serverless',
    models: ['*'],
    members: [{ user: 'alice@test', role: 'owner' }],
    keys: [{ id: 'k1', user: 'alice@test', kind: 'serverless', secret: KEY }],
  },
  {
    id: '0b1c1f7e-9a53-4c57-8d1b-6f2c1e9a2d6b',
    name: 'other',
    kind: 'serverless',
    models: ['*'],
    members: [{ user: 'bob@test', role: 'member' }],
  },
]
const OPTIONS = { backends: ['http://127.0.0.1:9/v1'], more: { accounts: ACCOUNTS } }
const FORM = 'application/x-www-form-urlencoded'
const nonceOf = (page: string) => /name="nonce" value="([^"]+)"/.exec(page)![1]!
const withoutNonce = (page: string) => page.replace(nonceOf(page), '')
const tokenOf = (page: string) => /name="csrf_token" value="([^"]+)"/.exec(page)![1]!
/** Presses the button on the page of a link. */
function pressButton(link: string): Promise<Response> {
  const { origin, pathname, searchParams } = new URL(link)
  return fetch(origin + pathname, { method: 'POST', body: searchParams, redirect: 'manual' })
}

describe('the console session', () => {
  let gateway: TestGateway
  before(async () => {
    gateway = await testGateway(OPTIONS)
  })
  after(() => gateway?.close())

  const keys = (headers: Readonly<Record<string, string>>) => fetch(`${gateway.url}/v1/serverless/keys`, { headers })

  it('needs no page for every address: browsers get one that says so, and other clients the error', async () => {
    const ask = (path: string, accept: string) => fetch(gateway.url + path, { headers: { accept } })
    for (const path of ['/console/nope', '/console/', '/console/keys/a/b', '/console/alerts']) {
      const shown = await ask(path, 'text/html,application/xhtml+xml,*/*;q=0.8')
      expect([shown.status, shown.headers.get('content-type')], path).deep.equal([404, 'text/html; charset=utf-8'])
      expect(shown.headers.get('content-security-policy')).contain("default-src 'none'")
      expect(shown.headers.get('x-request-id')).match(/^req_/)
      expect(await shown.text(), path)
        .contain('There is no page at this address')
        .and.contain('href="/console"')
      const refused = await ask(path, '*/*')
      const { error } = (await refused.json()) as { error: { code: string; message: string } }
      expect([refused.status, error.code], path).deep.equal([404, 'http_404'])
      expect(error.message).contain(`No such route: ${path}. Routes here: POST /v1/chat/completions, `)
    }
    const other = await ask('/nope', 'text/html')
    expect([other.status, other.headers.get('content-type')]).deep.equal([404, 'application/json'])
  })

  it('is opened by the link of `sluiceway login`, once, and shows the keys of its user', async () => {
    const file = join(gateway.dir, 'config.json')
    writeFileSync(file, JSON.stringify(configFile(gateway.dir, OPTIONS)))
    const { out, err } = await runCli(['login', '--config', file, '--url', gateway.url, 'alice@test'])
    expect(err).equal('')

    // A GET does not consume a link.
    for (let i = 0; i < 2; i++) {
      const looked = await fetch(out.trim(), { headers: { accept: 'text/html' } })
      expect([looked.status, looked.headers.getSetCookie()]).deep.equal([200, []])
    }
    const opened = await fetch(out.trim())
    expect(opened.status).equal(200)
    expect(await opened.text()).contain('Signed in')
    const [cookie] = opened.headers.getSetCookie()
    expect(cookie).match(/; HttpOnly; SameSite=Strict$/)

    const answer = await keys({ cookie: cookie!.split(';')[0]! })
    const body = (await answer.json()) as { readonly keys: readonly { readonly id: string }[] }
    expect(answer.status).equal(200)
    expect(replyProblems('serverless-keys', body)).deep.equal([])
    expect(body.keys.map(({ id }) => id)).deep.equal(['k1'])

    expect((await pressButton(out.trim())).status).equal(401)
    expect((await fetch(out.trim())).status).equal(401)
  })

  it('is shown by its page, and ended by the button on it', async () => {
    const file = join(gateway.dir, 'config.json')
    writeFileSync(file, JSON.stringify(configFile(gateway.dir, OPTIONS)))
    const { out } = await runCli(['login', '--config', file, '--url', gateway.url, 'alice@test'])
    const opened = await pressButton(out.trim())
    const cookie = opened.headers.getSetCookie()[0]!.split(';')[0]!
    const page = async (headers: Readonly<Record<string, string>>) =>
      (await fetch(`${gateway.url}/console`, { headers })).text()
    const [, method, action] = /<form method="(\w+)" action="(\S+)">/.exec(await page({ cookie }))!
    expect(await page({})).contain('Not signed in')

    // Without the cookie, as from another site, or without the token of the page, the form is refused.
    const push = (headers: Readonly<Record<string, string>>, form: Readonly<Record<string, string>> = {}) =>
      fetch(gateway.url + action, { method: method!, headers, body: new URLSearchParams(form) })
    expect((await push({})).headers.getSetCookie()).deep.equal([])
    expect((await push({ cookie })).status).equal(403)
    expect((await keys({ cookie })).status).equal(200)

    const left = await push({ cookie }, { csrf_token: tokenOf(await page({ cookie })) })
    expect(left.status).equal(200)
    expect(left.headers.getSetCookie()[0]).match(/^service_session=; Path=\/; Max-Age=0;/)
    expect((await keys({ cookie })).status).equal(401)
    expect(await page({ cookie })).contain('Not signed in')
  })

  const signIn = async (user: string) => {
    const file = join(gateway.dir, 'config.json')
    writeFileSync(file, JSON.stringify(configFile(gateway.dir, OPTIONS)))
    const { out } = await runCli(['login', '--config', file, '--url', gateway.url, user])
    return (await pressButton(out.trim())).headers.getSetCookie()[0]!.split(';')[0]!
  }
  const show = async (cookie: string) => (await fetch(`${gateway.url}/console/keys`, { headers: { cookie } })).text()
  const send = async (cookie: string, path: string, form: Readonly<Record<string, string>>) => {
    const init = { method: 'POST', headers: { cookie, 'content-type': FORM }, body: new URLSearchParams(form) }
    const reply = await fetch(`${gateway.url}/console/keys${path}`, init)
    return { status: reply.status, page: await reply.text() }
  }
  const opens = async (key: string) =>
    (await fetch(`${gateway.url}/v1/models`, { headers: { authorization: `Bearer ${key}` } })).status === 200

  it('creates a key that works, shows its secret once, and revokes it', async () => {
    const cookie = await signIn('alice@test')
    const before = await show(cookie)
    expect(before)
      .contain('>k1</code>')
      .and.contain(`<option value="${ACCOUNT}">test</option>`)
      .and.not.contain('>other<')
    const csrf_token = tokenOf(before)

    const form = { csrf_token, account: ACCOUNT, nonce: nonceOf(before) }
    const created = await send(cookie, '', form)
    expect(created.status).equal(200)
    const secret = /service_[\w-]{43}/.exec(created.page)![0]
    const id = /key_\w+/.exec(created.page)![0]
    expect(created.page).contain(`curl &#39;${gateway.url}/v1/chat/completions&#39;`).and.contain('base_url=')
    expect(await opens(secret)).equal(true)
    expect((await send(cookie, '', form)).status).equal(409)
    expect(await show(cookie))
      .contain(id)
      .and.not.contain(secret)

    const asked = await send(cookie, `/${id}`, { csrf_token, action: 'revoke' })
    expect(asked.page).contain(`Revoke key ${id}?`).and.contain('name="confirmed"')
    expect(await opens(secret)).equal(true)
    const revoked = await send(cookie, `/${id}`, { csrf_token, action: 'revoke', confirmed: 'yes' })
    expect(revoked.page).contain(`Key ${id} is revoked: it never works again.`)
    expect(await opens(secret)).equal(false)
    expect(await show(cookie)).not.contain(id)
    const again = { csrf_token, action: 'revoke', confirmed: 'yes' }
    expect((await send(cookie, `/${id}`, again)).status).equal(404)
  })

  it("changes nothing without the token of the session's own pages", async () => {
    const [alice, bob] = [await signIn('alice@test'), await signIn('bob@test')]
    const before = await show(alice)
    for (const csrf_token of ['', 'made-up', tokenOf(await show(bob))]) {
      expect((await send(alice, '', { csrf_token, account: ACCOUNT })).status).equal(403)
      expect((await send(alice, '/k1', { csrf_token, action: 'revoke' })).status).equal(404)
    }
    expect((await send('', '', { csrf_token: tokenOf(before), account: ACCOUNT })).status).equal(401)
    expect(withoutNonce(await show(alice))).equal(withoutNonce(before))
    const long = await send(alice, '', { csrf_token: 'x'.repeat(20_000), account: ACCOUNT })
    expect(long.status).equal(413)
  })

  it("shows and does nothing with another account's ids", async () => {
    const [alice, bob] = [await signIn('alice@test'), await signIn('bob@test')]
    const list = await show(alice)
    const created = await send(alice, '', { csrf_token: tokenOf(list), account: ACCOUNT, nonce: nonceOf(list) })
    const id = /key_\w+/.exec(created.page)![0]
    const page = await show(bob)
    expect(page).not.contain(id).and.not.contain('>k1</code>').and.not.contain(ACCOUNT)
    const csrf_token = tokenOf(page)
    for (const action of ['revoke', 'disable', 'change', 'rotate']) {
      const form = { csrf_token, action, confirmed: 'yes' }
      expect((await send(bob, `/${id}`, form)).status, action).equal(404)
    }
    expect((await fetch(`${gateway.url}/console/keys/${id}`, { headers: { cookie: bob } })).status).equal(404)
    expect((await send(bob, '', { csrf_token, account: ACCOUNT })).status).equal(404)
    expect(await show(alice)).contain(id)
    expect(withoutNonce(await show(bob))).equal(withoutNonce(page))
  })

  it('is the only way to open what needs it', async () => {
    expect((await keys({})).status).equal(401)
    expect((await keys({ cookie: 'service_session=made-up' })).status).equal(401)
    expect((await keys({ authorization: `Bearer ${KEY}` })).status).equal(403)
    expect((await keys({ 'x-api-key': KEY })).status).equal(403)
  })
})
