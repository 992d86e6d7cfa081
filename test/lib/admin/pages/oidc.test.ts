import { once } from 'node:events'
import http from 'node:http'
import { expect } from 'chai'
import { CLIENT_ID, CLIENT_SECRET, startIssuer, type TestIssuer } from '../../../support/issuer.ts'
import { type OperatorPagesOf, operatorPagesOf, tokenOf } from '../../../support/operators.ts'

const PROXY = '127.0.0.2'

describe('operators sign in by an issuer', () => {
  let issuer: TestIssuer
  let pages: OperatorPagesOf
  before(async () => {
    issuer = await startIssuer('ES256')
    const oidc = {
      ...{ issuer: issuer.url, client_id: CLIENT_ID, client_secret: CLIENT_SECRET },
      ...{ users: ['alice@test'], groups: ['ops'], label: 'Sign in with <Acme>' },
    }
    const listen = { host: '127.0.0.1', port: 0, trusted_proxies: [`${PROXY}/32`] }
    pages = await operatorPagesOf({ more: { listen, admin: { host: '127.0.0.1', port: 0, api: true, oidc } } })
  })
  beforeEach(() => {
    issuer.next = {}
  })
  after(async () => {
    await pages?.close()
    await issuer?.close()
  })

  const visit = (path: string, cookie = '') => fetch(pages.origin + path, { headers: { cookie }, redirect: 'manual' })

  /** To the issuer and back. Returns the path of the callback and the cookie of the browser. */
  async function there(): Promise<{ readonly back: string; readonly kept: string }> {
    const away = await visit('/sign-in/oidc')
    expect(away.status).equal(303)
    const set = away.headers.get('set-cookie')!
    expect(set).match(/^service_operator_oidc=[\w-]+; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/)
    const response = await fetch(away.headers.get('location')!, { redirect: 'manual' })
    const { origin, pathname, search } = new URL(response.headers.get('location')!)
    expect(origin).equal(pages.origin)
    return { back: `${pathname}${search}`, kept: set.split(';')[0]! }
  }

  async function signedIn(): Promise<string> {
    const { back, kept } = await there()
    const response = await visit(back, kept)
    expect(response.status).equal(200)
    const cookie = response.headers.get('set-cookie')!
    expect(cookie).match(/^service_operator_session=[\w-]{43}; .*SameSite=Strict$/)
    return cookie.split(';')[0]!
  }

  it('by a button next to the form for keys', async () => {
    const page = await (await visit('/')).text()
    expect(page).contain('href="/sign-in/oidc">Sign in with &lt;Acme&gt;').and.contain('name="key"')
  })

  it('return to the host of their request; only trusted proxies can change it', async () => {
    const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'ops.test' }
    const sentTo = async (localAddress: string) => {
      const [response] = await once(http.get(`${pages.origin}/sign-in/oidc`, { headers, localAddress }), 'response')
      response.resume()
      return new URL(response.headers.location).searchParams.get('redirect_uri')
    }
    expect(await sentTo(PROXY)).equal('https://ops.test/sign-in/oidc/callback')
    expect(await sentTo('127.0.0.1')).equal(`${pages.origin.replace('http:', 'https:')}/sign-in/oidc/callback`)
  })

  it('opens pages in their name, which the audit log records', async () => {
    const cookie = await signedIn()
    expect(await (await visit('/', cookie)).text()).contain('alice@test')
    const { entries } = await pages.api('GET', '/admin/v1/audit?action=session.open')
    const entry = (entries as { actor: string; target: string; address: string; after: object }[]).find(
      ({ actor }) => actor === 'operator alice@test (oidc)',
    )
    expect(entry).deep.include({ target: 'alice@test', after: { by: 'oidc', rule: 'user:alice@test' } })
    expect(entry!.address).contain('127.0.0.1')
    // Their actions are recorded under their name, too.
    const token = tokenOf(await (await visit('/', cookie)).text())
    await fetch(`${pages.origin}/accounts`, {
      method: 'POST',
      headers: { cookie },
      body: new URLSearchParams({ csrf_token: token, name: 'made by alice', kind: 'serverless' }),
    })
    const actor = encodeURIComponent('operator alice@test (oidc)')
    const made = (await pages.api('GET', `/admin/v1/audit?actor=${actor}`)).entries as { action: string }[]
    expect(made.map(({ action }) => action)).include('account.create')
  })

  it('by a group, and ends with the button', async () => {
    issuer.next = { claims: { email: 'bob@test', groups: ['dev', 'ops'] } }
    const cookie = await signedIn()
    const page = await (await visit('/audit', cookie)).text()
    expect(page).contain('bob@test').and.contain('group:ops')
    const body = new URLSearchParams({ csrf_token: tokenOf(page) })
    await fetch(`${pages.origin}/sign-out`, { method: 'POST', headers: { cookie }, body, redirect: 'manual' })
    expect((await visit('/audit', cookie)).status).equal(401)
  })

  it('opens no session for others, nor twice, nor in another browser', async () => {
    const refused = async (status: number, text: string, path: string, kept: string) => {
      const response = await visit(path, kept)
      expect([response.status, response.headers.get('set-cookie')]).deep.equal([status, null])
      expect(await response.text())
        .contain(text)
        .and.contain('role="alert"')
    }
    issuer.next = { claims: { email: 'mallory@test', groups: ['dev'] } }
    const mallory = await there()
    await refused(403, 'mallory@test, who is no operator', mallory.back, mallory.kept)
    issuer.next = { claims: { email_verified: false, groups: ['ops'] } }
    const unverified = await there()
    await refused(403, 'has not verified', unverified.back, unverified.kept)
    issuer.next = {}
    const { back, kept } = await there()
    await refused(400, 'another browser', back, '')
    expect((await visit(back, kept)).status).equal(200)
    await refused(400, 'completed before', back, kept)
    const { entries } = await pages.api('GET', '/admin/v1/audit?action=session.open')
    expect(JSON.stringify(entries)).not.contain('mallory')
  })

  it('reports an issuer that is down, while keys still work', async () => {
    issuer.next = { broken: '/token' }
    const { back, kept } = await there()
    const response = await visit(back, kept)
    expect(response.status).equal(503)
    expect(await response.text())
      .contain('does not answer as it should')
      .and.contain('name="key"')
    expect((await pages.get('/audit')).status).equal(200)
  })

  it('has no other paths and methods', async () => {
    for (const path of ['/sign-in/oidcx', '/sign-in/oidc/', '/sign-in/oidc/callback/x'])
      expect((await visit(path)).status, path).equal(401)
    const post = await fetch(`${pages.origin}/sign-in/oidc`, { method: 'POST', redirect: 'manual' })
    expect(post.status).not.equal(303)
  })
})
