import { expect } from 'chai'
import { play, testServices } from '../../../lib/testing.ts'
import plugin from '../../../plugins/console/console/index.ts'
import { ACCOUNT_ID } from '../../support/config.ts'
import { visit } from '../../support/visit.ts'
import { formToken, sessions as good, MEMBER, members, noOwnKeys, ownAccount } from '../../support/visitors.ts'

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

const planless = { ...testServices().config, plans: {} }

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

  it('replies with a page to browsers at addresses without a page', async () => {
    const { status, page } = await visit(plugin, { sessions: good, ownKeys: members }, { route: 'console-missing' })
    expect(status).equal(404)
    expect(page).contain('<h1>Not found</h1>').and.contain('There is no page at this address')
  })

  it('links to alerts if the console has them', async () => {
    const services = { sessions: good, ownKeys: members, config: planless }
    const ownAlerts = {} as never
    expect((await visit(plugin, services, { route: 'console' })).page).not.contain('/console/alerts')
    const { page } = await visit(plugin, { ...services, ownAlerts }, { route: 'console' })
    expect(page).contain(`href="/console/alerts?subject=account:${ACCOUNT_ID}"`).and.contain('href="/console/alerts"')
    const ofMember = await visit(plugin, { ...services, ownAlerts }, { route: 'console', cookie: MEMBER })
    expect(ofMember.page).contain('<a href="/console/alerts">Alerts</a> tell')
  })

  it("shows spend, errors and limits of the account, the user's accounts, and what to do", async () => {
    const ownKeys = { ...noOwnKeys, accounts: async () => [ownAccount({ name: '<acme>', role: null })] }
    const { page } = await visit(plugin, { sessions: good, ownKeys, config: planless }, { route: 'console' })
    expect(page)
      .contain('&lt;acme&gt;')
      .and.contain('key alone')
      .and.contain('href="/console/try"')
      .and.contain('No failed requests')
    expect((await visit(plugin, { sessions: good }, { route: 'console' })).page).contain('no account yet')
  })

  it('counts and lists the failures of the account, of all members if the user manages it', async () => {
    const asked: unknown[] = []
    const failed = {
      created_at: '2026-11-28T04:05:06.000Z',
      request_id: 'req_1',
      status_code: 429,
      error_code: 'quota_exceeded',
    }
    const accountRequests = async (filter: unknown) => {
      asked.push(filter)
      return { requests: [failed], has_more: false, cursor: null }
    }
    const reports = { ...testServices().reports, accountRequests }
    const services = { sessions: good, ownKeys: members, reports, config: planless }
    const { page } = await visit(plugin, services, { route: 'console' })
    expect(page).contain('<span class="error">1</span>').and.contain('quota_exceeded').and.contain('Balance')
    expect((await visit(plugin, services, { route: 'console', cookie: MEMBER })).status).equal(200)
    expect((await visit(plugin, services, { route: 'console', query: 'who=me' })).status).equal(200)
    expect((await visit(plugin, services, { route: 'console', query: 'account=x' })).status).equal(404)
    const users = asked.map(filter => (filter as { user?: string }).user)
    expect(users).deep.equal([undefined, 'carol', 'alice'])
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
