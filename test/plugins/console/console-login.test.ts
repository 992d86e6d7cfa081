import { expect } from 'chai'
import { play } from '../../../lib/testing.ts'
import plugin from '../../../plugins/console/console-login/index.ts'

const sessions = {
  open: async (link: string) => (link === 'good' ? { secret: 's3cret', user: 'alice', seconds: 60 } : undefined),
  userOf: async () => undefined,
  close: async () => {},
}
const config = { brand: 'service', listen: { host: '127.0.0.1', port: 80 } } as never
const ask = (query: string, headers: Readonly<Record<string, string>> = {}) =>
  play(plugin, { query, headers, services: { sessions, config } })

describe('console-login', () => {
  it('gives the browser a session for a good link', async () => {
    const { reply, headers } = await ask('token=good')
    expect(reply).include({ status: 200, contentType: 'text/html; charset=utf-8' })
    expect(reply?.body).contain('Signed in').and.not.contain('s3cret')
    expect(headers).include({
      'set-cookie': 'service_session=s3cret; Path=/; Max-Age=60; HttpOnly; SameSite=Strict',
      'cache-control': 'no-store',
      'referrer-policy': 'same-origin',
    })
  })

  it('restricts the cookie to TLS where there is TLS', async () => {
    const proxied = await ask('token=good', { 'x-forwarded-proto': 'https' })
    expect(proxied.headers['set-cookie']).match(/; Secure$/)
    const tls = { brand: 'service', listen: { host: '127.0.0.1', port: 443, tls: { cert: '', key: '' } } } as never
    const own = await play(plugin, { query: 'token=good', services: { sessions, config: tls } })
    expect(own.headers['set-cookie']).match(/; Secure$/)
  })

  it('refuses a link that opens nothing, without a cookie', async () => {
    const { error, headers } = await ask('token=used')
    expect(error).include({ code: 'http_401', status: 401 })
    expect(headers).not.property('set-cookie')
  })

  it('needs a token', async () => {
    for (const query of ['', 'token=', 'token=a&token=b', `token=${'x'.repeat(129)}`]) {
      const { error } = await ask(query)
      expect(error, query).include({ code: 'http_400', status: 400 })
    }
  })
})
