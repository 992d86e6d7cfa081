import { expect } from 'chai'
import { cookieSecret, isSecure, sessionCookie } from '../../../lib/pages/session-cookie.ts'

describe('cookies of sessions', () => {
  it('are not usable by scripts and other sites', () => {
    expect(sessionCookie('service_session', 's3cret', 60, false)).equal(
      'service_session=s3cret; Path=/; Max-Age=60; HttpOnly; SameSite=Strict',
    )
  })

  it('can be sent with a navigation from another site', () => {
    expect(sessionCookie('service_oidc', 'x', 60, false, 'Lax')).match(/; SameSite=Lax$/)
  })

  it('belong to the host and to TLS if the browser uses TLS', () => {
    expect(sessionCookie('service_session', 's3cret', 60, true)).equal(
      '__Host-service_session=s3cret; Path=/; Max-Age=60; HttpOnly; SameSite=Strict; Secure',
    )
  })

  it('are deleted from the browser when the session ends', () => {
    expect(sessionCookie('service_session', '', 60, false)).contain('service_session=; Path=/; Max-Age=0;')
  })

  it('are read among other cookies, over TLS only those of TLS', () => {
    const read = (cookie?: string, secure = false) => {
      return cookieSecret('service_session', cookie === undefined ? {} : { cookie }, secure)
    }
    expect(read('service_session=abc')).equal('abc')
    expect(read('a=1; service_session=abc=; b=2')).equal('abc=')
    expect(read('a=1;service_session=abc;service_session=def')).equal('abc')
    expect(read('my_service_session=abc; service_sessions=x')).equal(undefined)
    expect(read('service_session=')).equal(undefined)
    expect(read()).equal(undefined)
    const both = 'service_session=neighbour; __Host-service_session=own'
    expect([read(both, true), read(both)]).deep.equal(['own', 'neighbour'])
    expect(read('service_session=neighbour', true)).equal(undefined)
  })

  it('recognise TLS of the gateway, of trusted proxies and of other proxies', () => {
    const asked = (proto?: string, origin?: string) => {
      const headers = proto === undefined ? {} : { 'x-forwarded-proto': proto }
      return isSecure({ headers, ...(origin === undefined ? null : { origin }) })
    }
    expect(asked(undefined, 'https://a')).equal(true)
    expect([asked('https'), asked('HTTPS, http')]).deep.equal([true, true])
    expect([asked(), asked('http'), asked('http, https'), asked(undefined, 'http://a')]).deep.equal(
      Array(4).fill(false),
    )
  })
})
