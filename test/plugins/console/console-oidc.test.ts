import { expect } from 'chai'
import { SignInFailure } from '../../../lib/oidc/failure.ts'
import type { Services } from '../../../lib/plugin.ts'
import plugin from '../../../plugins/console/console-oidc/index.ts'
import { visit } from '../../support/visit.ts'
import { noOwnKeys, ownAccount } from '../../support/visitors.ts'

const config = { brand: 'acme', listen: { host: '127.0.0.1', port: 80 } } as never

const person = (...names: readonly string[]) => ({
  names,
  once: `once of ${names[0]}`,
  stranger: () => new SignInFailure('unknown', 'issuer.test', names[0]),
  again: () => new SignInFailure('used', 'issuer.test'),
})

/** The query is the name of the person; `members` belong to an account. */
function servicesFor(members: readonly string[]): Partial<Services> {
  const used = new Set<string>()
  return {
    config,
    ownKeys: { ...noOwnKeys, accounts: async user => (members.includes(user) ? [ownAccount()] : []) },
    sessions: {
      open: async () => undefined,
      userOf: async () => undefined,
      close: async () => {},
      async start(user, once) {
        if (used.has(once)) return undefined
        used.add(once)
        return { secret: `session of ${user}`, user, seconds: 60 }
      },
    },
    oidc: {
      host: 'issuer.test',
      renew: async () => ({ groups: [], renewal: undefined }),
      label: 'Sign in with <Acme>',
      begin: async callback => ({ location: `https://issuer.test/authorize?to=${callback}`, sealed: 'sealed' }),
      async finish(query, sealed) {
        if (sealed !== 'sealed') throw new SignInFailure('not_begun', 'issuer.test')
        return person(...query.split(','))
      },
    },
  }
}

const COOKIE = 'acme_oidc=sealed'

describe('console-oidc', () => {
  it('leads to the issuer, and back to the address of the browser', async () => {
    const { status, headers } = await visit(plugin, servicesFor([]), { route: 'console-oidc' })
    expect(status).equal(303)
    expect(headers).include({
      location: `https://issuer.test/authorize?to=http://acme.test/console/login/oidc/callback`,
      'set-cookie': 'acme_oidc=sealed; Path=/; Max-Age=600; HttpOnly; SameSite=Lax',
      'cache-control': 'no-store',
      'referrer-policy': 'same-origin',
    })
    const secure = await visit(plugin, servicesFor([]), {
      route: 'console-oidc',
      headers: { 'x-forwarded-proto': 'https' },
    })
    expect(secure.headers['set-cookie']).match(/^__Host-acme_oidc=.*; Secure$/)
  })

  it('opens a session for a member, under the first name that is one', async () => {
    const services = servicesFor(['alice', 'ALICE'])
    const come = (query: string) => visit(plugin, services, { route: 'console-oidc-callback', cookie: COOKIE, query })
    const { status, headers, page } = await come('Alice,alice')
    expect(status).equal(200)
    expect(headers['set-cookie']).match(/^acme_session=session of alice; Path=\/; .*SameSite=Strict$/)
    expect(page).contain('href="/console"').and.not.contain('session of')
    // A second attempt.
    const again = await come('Alice,alice')
    expect([again.status, again.headers['set-cookie']]).deep.equal([400, undefined])
  })

  it('names the person, the reason and the remedy if it opens no session', async () => {
    const services = servicesFor(['alice'])
    const come = (query: string, cookie?: string) =>
      visit(plugin, services, { route: 'console-oidc-callback', query, ...(cookie !== undefined && { cookie }) })
    for (const [query, cookie, status, text] of [
      ['<mallory>', COOKIE, 403, 'knows you as &lt;mallory&gt;'],
      ['alice', 'acme_oidc=another', 400, 'another browser'],
      ['alice', undefined, 400, 'another browser'],
    ] as const) {
      const visited = await come(query, cookie)
      expect([visited.status, visited.headers['set-cookie']]).deep.equal([status, undefined])
      expect(visited.page).contain(text).and.contain('role="alert"').and.contain('href="/console/login/oidc"')
      expect(visited.page).contain('Sign in with &lt;Acme&gt;')
    }
  })

  it('does not exist if the configuration names no issuer', async () => {
    for (const route of ['console-oidc', 'console-oidc-callback'] as const) {
      expect((await visit(plugin, { config, oidc: null }, { route })).error).include({ code: 'http_404' })
      const browser = { route, headers: { accept: 'text/html' }, cookie: '' }
      const { status, page } = await visit(plugin, { config, oidc: null }, browser)
      expect([status, page.includes('There is no page at this address')]).deep.equal([404, true])
    }
  })
})
