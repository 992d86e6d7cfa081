import { expect } from 'chai'
import { play } from '../../../lib/testing.ts'
import plugin from '../../../plugins/console/console/index.ts'
import { visit } from '../../support/visit.ts'
import { formToken, sessions as good, noOwnKeys, ownAccount } from '../../support/visitors.ts'

const closed: string[] = []
const sessions = {
  open: async () => undefined,
  start: async () => undefined,
  userOf: async (secret: string) => (secret === 'good' ? '<alice> & co' : undefined),
  close: async (secret: string) => void closed.push(secret),
}
const config = { brand: 'acme', listen: { host: '127.0.0.1', port: 80 } } as never
const ask = (route: 'console' | 'console-logout', headers: Readonly<Record<string, string>>) =>
  play(plugin, { route, headers, services: { sessions, config } })

describe('console', () => {
  beforeEach(() => {
    closed.length = 0
  })

  it('shows the escaped name of the user', async () => {
    const { reply, headers } = await ask('console', { cookie: 'acme_session=good' })
    expect(reply).include({ status: 200, contentType: 'text/html; charset=utf-8' })
    expect(reply?.body)
      .contain('&lt;alice&gt; &amp; co')
      .and.contain('action="/console/logout"')
      .and.contain('name="csrf_token"')
    expect(headers).include({ 'cache-control': 'no-store', 'referrer-policy': 'same-origin' })
    expect(headers['content-security-policy']).contain("default-src 'none'").and.contain("frame-ancestors 'none'")
  })

  it("shows the user's accounts, and what to do", async () => {
    const ownKeys = { ...noOwnKeys, accounts: async () => [ownAccount({ name: '<acme>', role: null })] }
    const { page } = await visit(plugin, { sessions: good, ownKeys }, { route: 'console' })
    expect(page).contain('&lt;acme&gt;').and.contain('key alone').and.contain('href="/console/try"')
    expect((await visit(plugin, { sessions: good }, { route: 'console' })).page).contain('no account yet')
  })

  it('signs out with the token of the session alone', async () => {
    const push = (form: string) =>
      visit(plugin, { sessions, config }, { route: 'console-logout', cookie: 'acme_session=good', form })
    expect(await push('csrf_token=x')).include({ status: 403 })
    expect(closed).deep.equal([])
    const left = await push(`csrf_token=${formToken('good')}`)
    expect(left.page).contain('Signed out')
    expect(left.headers['set-cookie']).contain('Max-Age=0')
    expect(closed).deep.equal(['good'])
  })

  it('explains how to sign in without a session', async () => {
    for (const headers of [{}, { cookie: 'acme_session=bad' }, { cookie: 'service_session=good' }]) {
      const { reply } = await ask('console', headers as Record<string, string>)
      expect(reply?.body).contain('Not signed in').and.contain('sluiceway login USER').and.not.contain('<form')
    }
  })

  it('does nothing without a session', async () => {
    const { reply, headers } = await ask('console-logout', {})
    expect(reply?.status).equal(200)
    expect(closed).deep.equal([])
    expect(headers).not.property('set-cookie')
  })
})
