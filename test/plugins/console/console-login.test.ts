import { expect } from 'chai'
import { play } from '../../../lib/testing.ts'
import plugin from '../../../plugins/console/console-login/index.ts'
import { visit } from '../../support/visit.ts'

const sessions = {
  open: async (link: string) => (link === 'good' ? { secret: 's3cret', user: 'alice', seconds: 60 } : undefined),
  start: async () => undefined,
  userOf: async () => undefined,
  close: async () => {},
}
const open = (query: string, headers: Readonly<Record<string, string>> = {}) =>
  play(plugin, { route: 'console-login', query, headers, services: { sessions } })
const look = (query: string) => open(query, { accept: 'text/html' })
const push = (token: string, headers: Readonly<Record<string, string>> = {}) =>
  visit(plugin, { sessions }, { route: 'console-sign-in', form: `token=${token}`, headers })

describe('console-login', () => {
  it('opens a session for a person or a program that opens the link', async () => {
    const { reply, headers } = await open('token=good')
    expect(reply).include({ status: 200, contentType: 'text/html; charset=utf-8' })
    expect(headers).include({
      'set-cookie': 'service_session=s3cret; Path=/; Max-Age=60; HttpOnly; SameSite=Strict',
      'cache-control': 'no-store',
    })
    expect((await open('token=used')).error).include({ code: 'http_401', status: 401 })
    const person = { accept: 'text/html', 'sec-fetch-user': '?1', 'sec-fetch-site': 'none' }
    const used = await open('token=used', person)
    expect(used.reply).include({ status: 401, contentType: 'text/html; charset=utf-8' })
    expect(used.reply?.body).contain('used or has expired')
    expect(used.headers).not.property('set-cookie')
  })

  it('does not consume the link for a HEAD request', async () => {
    const { reply, headers } = await play(plugin, {
      ...{ route: 'console-login', method: 'HEAD', query: 'token=good', services: { sessions } },
    })
    expect(reply?.status).equal(200)
    expect(headers).not.property('set-cookie')
  })

  it('shows a button to a GET request, for a valid and an invalid link, and does not consume the link', async () => {
    for (const token of ['good', 'used']) {
      const { reply, headers } = await look(`token=${token}`)
      expect(reply).include({ status: 200, contentType: 'text/html; charset=utf-8' })
      expect(reply?.body).contain(`name="token" value="${token}"`)
      expect(headers).include({ 'cache-control': 'no-store', 'referrer-policy': 'same-origin' })
      expect(headers).not.property('set-cookie')
    }
  })

  it('opens a session when the button is pressed', async () => {
    const { status, headers } = await push('good')
    expect(status).equal(303)
    expect(headers).include({
      location: '/console',
      'set-cookie': 'service_session=s3cret; Path=/; Max-Age=60; HttpOnly; SameSite=Strict',
      'cache-control': 'no-store',
    })
  })

  it('binds the cookie to the host and, with TLS, to TLS', async () => {
    const { headers } = await push('good', { 'x-forwarded-proto': 'https' })
    expect(headers['set-cookie']).match(/^__Host-service_session=s3cret; .*; Secure$/)
  })

  it('refuses an invalid link and a form of another site, without a cookie', async () => {
    for (const [token, status, sent] of [
      ['used', 401, {}],
      ['', 401, {}],
      ['good', 403, { 'sec-fetch-site': 'cross-site' }],
    ] as const) {
      const reply = await push(token, sent)
      expect(reply.status, token).equal(status)
      expect(reply.headers).not.property('set-cookie')
    }
  })

  it('needs a token in its link', async () => {
    for (const query of ['', 'token=', 'token=a&token=b', `token=${'x'.repeat(129)}`]) {
      const { error } = await open(query)
      expect(error, query).include({ code: 'http_400', status: 400 })
      const { reply } = await look(query)
      expect(reply, query).include({ status: 400, contentType: 'text/html; charset=utf-8' })
      expect(reply?.body).contain('sluiceway login')
    }
  })
})
