import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { mock } from 'node:test'
import { expect } from 'chai'
import type { AdminCalls, AdminOptions } from '../../../../lib/admin/call.ts'
import { signInRoutes } from '../../../../lib/admin/pages/sign-in.ts'
import { systemClock } from '../../../../lib/base/clock.ts'
import { listAudit } from '../../../../lib/store/audit.ts'
import { revokeOperatorKey } from '../../../../lib/store/operator-keys.ts'
import { createOperatorLink } from '../../../../lib/store/operator-sessions.ts'
import type { RunQuery } from '../../../../lib/store/query-runner.ts'
import { openStore, type Store } from '../../../../lib/store/store.ts'
import { useAdminContext } from '../../../support/admin-context.ts'
import { KEY } from '../../../support/gateway.ts'
import { operatorKey, signIn, tokenOf, usePages } from '../../../support/operators.ts'
import { silent } from '../../../support/stores.ts'

describe('signing in', () => {
  const pages = usePages()
  const withStore = async <T>(work: (store: Store) => Promise<T>): Promise<T> => {
    const store = await openStore(`sqlite:${join(pages().gateway.dir, 'store.db')}`, { log: silent })
    return work(store).finally(() => store.close())
  }
  const post = (fields: Record<string, string>, path = '/sign-in', headers: Record<string, string> = {}) => {
    return fetch(pages().origin + path, {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers,
      redirect: 'manual',
    })
  }

  it('accepts the key of an operator, and puts no part of it into the cookie', async () => {
    const response = await post({ key: ` ${pages().key} ` })
    expect([response.status, response.headers.get('location')]).deep.equal([303, '/'])
    const cookie = response.headers.get('set-cookie')!
    expect(cookie).match(/^service_operator_session=[\w-]{43}; Path=\/; Max-Age=28800; HttpOnly; SameSite=Strict$/)
    expect(pages().key).not.contain(cookie.split(/[=;]/)[1]!.slice(0, 8))
    expect((await pages().get('/', { cookie: cookie.split(';')[0]! })).text).contain('alice')
    const secure = await post({ key: pages().key }, '/sign-in', { 'x-forwarded-proto': 'https' })
    expect(secure.headers.get('set-cookie')).match(/^__Host-service_operator_session=.*; Secure$/)
  })

  it('refuses all other keys, and forms of other sites', async () => {
    for (const key of ['', 'x', KEY, `${pages().key}x`, 'service_operator_x']) {
      const response = await post({ key })
      expect([response.status, response.headers.get('set-cookie')], key).deep.equal([401, null])
      expect(await response.text()).contain('role="alert"')
    }
    const foreign = await post({ key: pages().key }, '/sign-in', { 'sec-fetch-site': 'cross-site' })
    expect([foreign.status, foreign.headers.get('set-cookie')]).deep.equal([403, null])
  })

  it('accepts a link once', async () => {
    const { id } = await operatorKey(pages().gateway, 'bob')
    const link = await withStore(store => createOperatorLink(store, id, Date.now() * 1000))
    const path = `${pages().origin}/sign-in?token=${link}`
    // Mail scanners open the link, too.
    for (const method of ['HEAD', 'GET', 'GET']) {
      const looked = await fetch(path, { method, headers: { accept: 'text/html' } })
      expect([looked.status, looked.headers.get('set-cookie')], method).deep.equal([200, null])
      if (method === 'GET') expect(await looked.text()).contain(`name="token" value="${link}"`)
    }
    const first = await fetch(path)
    expect(await first.text()).contain('signed in')
    const cookie = first.headers.get('set-cookie')!.split(';')[0]!
    expect((await pages().get('/', { cookie })).text).contain('bob')
    const second = await post({ token: link })
    expect([second.status, second.headers.get('set-cookie')]).deep.equal([401, null])
    expect((await fetch(path)).status).equal(401)
  })

  it('is in the audit log, with refusals and without secrets', async () => {
    const { id, secret } = await operatorKey(pages().gateway, 'dora')
    const link = await withStore(store => createOperatorLink(store, id, Date.now() * 1000))
    const cookies = [await post({ key: secret }), await post({ token: link })].map(
      ({ headers }) => headers.get('set-cookie')!.split(';')[0]!,
    )
    const token = tokenOf((await pages().get('/', { cookie: cookies[0]! })).text)
    await post({ csrf_token: token }, '/sign-out', { cookie: cookies[0]! })
    await post({ key: 'service_operator_wrong' })
    const { entries } = await pages().api('GET', '/admin/v1/audit?limit=200')
    const all = entries as { actor: string; address: string; action: string; target: string; after: unknown }[]
    const own = all.filter(({ actor }) => actor === `operator dora (${id})`).toReversed()
    expect(own.map(({ action, target, after }) => [action, target, after])).deep.equal([
      ['session.open', id, { by: 'key' }],
      ['session.open', id, { by: 'link' }],
      ['session.close', id, null],
    ])
    expect(own[0]!.address).match(/127\.0\.0\.1$/)
    // The first one of the tests above is recorded immediately, further ones of the minute together.
    const refused = all.filter(({ action }) => action === 'session.refuse')
    expect(refused.at(-1)).deep.include({ actor: 'unknown', target: 'operators', after: { by: 'key', attempts: 1 } })
    const text = JSON.stringify(all)
    for (const hidden of [secret, link, 'operator_wrong', ...cookies.map(one => one.split('=')[1]!)])
      expect(text).not.contain(hidden)
  })

  it('ends with a sign-out that has the token, and with the revocation of the key', async () => {
    const { id, secret } = await operatorKey(pages().gateway, 'carol')
    const [cookie, other] = await Promise.all([signIn(pages().origin, secret), signIn(pages().origin, secret)])
    const page = await pages().get('/', { cookie })
    expect((await post({ csrf_token: 'x' }, '/sign-out', { cookie })).status).not.equal(303)
    expect((await pages().get('/audit', { cookie })).status).equal(200)
    const out = await post({ csrf_token: tokenOf(page.text) }, '/sign-out', { cookie })
    expect([out.status, out.headers.get('set-cookie')]).deep.equal([
      303,
      'service_operator_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict',
    ])
    expect((await pages().get('/audit', { cookie })).status).equal(401)

    expect((await pages().get('/audit', { cookie: other })).status).equal(200)
    await withStore(store => revokeOperatorKey(store, id, Date.now() * 1000))
    expect((await pages().get('/audit', { cookie: other })).status).equal(401)
    expect((await pages().get('/live', { cookie: other })).status).equal(401)
  })
})

describe('refused sign-ins', () => {
  const { context } = useAdminContext()
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }))
  afterEach(() => mock.timers.reset())

  it('are recorded immediately, and further ones once a minute', async () => {
    const { store, config } = context()
    const run: RunQuery = work => work(store)
    // Entries of the same millisecond have no order.
    let micros = systemClock.micros()
    const clock = { ...systemClock, micros: () => (micros += 1000) }
    const options = { config: () => config, clock, log: silent } as unknown as AdminOptions
    const signIn = signInRoutes(options, { read: run, write: run } as AdminCalls)
    const req = { method: 'POST', headers: {}, socket: {} } as IncomingMessage
    const refuse = async (fields: Record<string, string>) => {
      const refused = await signIn(req, new URL('http://operators/sign-in'), undefined, new URLSearchParams(fields))
      expect(refused!.reply).include({ status: 401 })
    }
    /** The entries after this many, oldest first. Timers are mocked, so this polls the store. */
    const entries = async (count: number) => {
      for (;;) {
        const { entries } = await listAudit(store, { action: 'session.refuse' }, undefined, 100)
        if (entries.length >= count) return entries.map(({ after }) => after).toReversed()
      }
    }
    await refuse({ key: 'x' })
    expect(await entries(1)).deep.equal([{ by: 'key', attempts: 1 }])
    for (const fields of [{ key: 'x' }, { key: 'y' }, { token: 'z' }]) await refuse(fields)
    mock.timers.tick(59_999)
    expect(await entries(1)).length(1)
    mock.timers.tick(1)
    expect((await entries(2))[1]).deep.equal({ by: 'link', attempts: 3 })
    mock.timers.tick(60_000)
    await refuse({ key: 'x' })
    expect((await entries(3))[2]).deep.equal({ by: 'key', attempts: 1 })
  })
})
