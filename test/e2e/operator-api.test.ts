import { join } from 'node:path'
import { expect } from 'chai'
import { issueOperatorKey } from '../../lib/admin/operators.ts'
import { ADMIN_ROUTES } from '../../lib/admin/routes.ts'
import { systemClock } from '../../lib/base/clock.ts'
import type { JsonObject } from '../../lib/base/json.ts'
import { openStore } from '../../lib/store/store.ts'
import { reply, scriptedBackend } from '../support/backend.ts'
import { ACCOUNT, eventually, KEY, type TestGateway, testGateway } from '../support/gateway.ts'
import { silent } from '../support/stores.ts'

describe('operators', () => {
  let gateway: TestGateway
  let closed: TestGateway
  let secret = ''

  before(async () => {
    gateway = await testGateway({ backends: ['http://127.0.0.1:9/v1'], more: { admin: { port: 0, api: true } } })
    closed = await testGateway({ backends: ['http://127.0.0.1:9/v1'] })
    secret = await operatorOf(gateway)
  })
  after(() => Promise.all([gateway?.close(), closed?.close()]))

  /** Creates a key like the command, in another process than the gateway. */
  async function operatorOf({ dir }: TestGateway): Promise<string> {
    const store = await openStore(`sqlite:${join(dir, 'store.db')}`, { log: silent })
    const config = { brand: 'service' } as Parameters<typeof issueOperatorKey>[0]['config']
    const actor = { name: 'command line (root)', address: null }
    const { secret } = await issueOperatorKey({ store, config, actor, now: systemClock.micros() }, 'alice')
    await store.close()
    return secret
  }

  async function ask(method: string, path: string, body?: JsonObject) {
    const response = await fetch(gateway.gateway.adminUrl + path, {
      method,
      headers: { authorization: `Bearer ${secret}` },
      ...(body === undefined ? null : { body: JSON.stringify(body) }),
    })
    const json = (await response.json()) as JsonObject
    expect(response.status, JSON.stringify(json)).lessThan(300)
    return json
  }
  /** Status and message of a request of a client with this key. */
  const models = async (key: unknown, host = gateway) => {
    const response = await host.get('/v1/models', { authorization: `Bearer ${key}` })
    const { error } = (await response.json()) as { error?: { message: string } }
    return error === undefined ? String(response.status) : `${response.status} ${error.message}`
  }

  it('reach no route from the port of clients, with any key', async () => {
    for (const { method, path } of [...ADMIN_ROUTES, { method: 'GET', path: '/admin/openapi.json' }]) {
      for (const key of [secret, KEY]) {
        const response = await fetch(gateway.url + path, { method, headers: { authorization: `Bearer ${key}` } })
        expect(response.status, `${method} ${path}`).equal(404)
      }
    }
    expect(await models(secret)).equal('401 The API key is not valid.')
  })

  it('reach no route where the API is off', async () => {
    for (const path of ['/admin/v1/status', '/admin/openapi.json'])
      expect((await fetch(closed.gateway.adminUrl + path)).status).equal(404)
  })

  it('find metrics and probes beside the API, without a key', async () => {
    for (const path of ['/metrics', '/livez', '/readyz'])
      expect((await fetch(gateway.gateway.adminUrl + path)).status).equal(200)
  })

  it('see how the gateway is', async () => {
    expect(await ask('GET', '/admin/v1/status')).deep.include({
      ready: true,
      unready: [],
      workers: [{ pid: process.pid }],
      stores: { store: { kind: 'sqlite', healthy: true }, limits_store: { kind: 'memory', healthy: true } },
      journal: { healthy: true, lag_records: 0, lag_seconds: 0 },
    })
  })

  it('drain a backend at once, and use it again', async () => {
    const states = async () => {
      const { backends } = await ask('GET', '/admin/v1/backends')
      return (backends as JsonObject[]).map(({ state }) => state)
    }
    const [backend] = (await ask('GET', '/admin/v1/backends')).backends as JsonObject[]
    await ask('POST', '/admin/v1/backends/drain', { url: backend!.url! })
    expect(await states()).deep.equal(['drained'])
    await ask('POST', '/admin/v1/backends/undrain', { url: backend!.url! })
    expect(await states()).deep.equal(['up'])
  })

  it('make, change, rotate and revoke keys that work, and stop working, at once', async () => {
    const account = await ask('POST', '/admin/v1/accounts', { name: 'globex', models: ['m'] })
    const { id, secret: first } = await ask('POST', `/admin/v1/accounts/${account.id}/keys`, { label: 'ci' })
    expect(await models(first)).equal('200')
    await ask('PATCH', `/admin/v1/keys/${id}`, { disabled: true })
    expect(await models(first)).equal('401 This API key is disabled.')
    await ask('PATCH', `/admin/v1/keys/${id}`, { disabled: false, expires_at: '2026-01-01T00:00:00Z' })
    expect(await models(first)).equal('401 This API key has expired.')
    await ask('PATCH', `/admin/v1/keys/${id}`, { expires_at: null })
    const { secret: second } = await ask('POST', `/admin/v1/keys/${id}/rotate`, { grace_seconds: 600 })
    expect([await models(first), await models(second)]).deep.equal(['200', '200'])
    const { secret: third } = await ask('POST', `/admin/v1/keys/${id}/rotate`, { grace_seconds: 0 })
    expect([await models(second), await models(third)]).deep.equal(['401 This API key has expired.', '200'])
    await ask('PATCH', `/admin/v1/accounts/${account.id}`, { disabled: true })
    expect(await models(third)).equal('401 The account of this API key is disabled.')
    await ask('PATCH', `/admin/v1/accounts/${account.id}`, { disabled: false })
    await ask('DELETE', `/admin/v1/keys/${id}`)
    expect(await models(third)).equal('401 The API key is not valid.')
  })

  it('limit the models of a key', async () => {
    const key = await ask('POST', `/admin/v1/accounts/${ACCOUNT}/keys`, { models: ['alias'] })
    expect(key.models).deep.equal(['m'])
    const other = await ask('POST', '/admin/v1/accounts', { name: 'no models of this key', models: ['m'] })
    expect(other.models).deep.equal(['m'])
    const list = await gateway.get('/v1/models', { authorization: `Bearer ${key.secret}` })
    expect(((await list.json()) as { data: { id: string }[] }).data.map(({ id }) => id)).include('m')
  })

  it('limit the requests of a key in every process within a second', async () => {
    const backend = await scriptedBackend(reply())
    const more = { admin: { port: 0, api: true } }
    const one = await testGateway({ backends: [backend.url], more })
    const other = await testGateway({
      backends: [backend.url],
      more: { ...more, store: `sqlite:${join(one.dir, 'store.db')}` },
    })
    const own = await operatorOf(one)
    try {
      const change = async (path: string, method: string, body: JsonObject) => {
        const headers = { authorization: `Bearer ${own}` }
        const init = { method, headers, body: JSON.stringify(body) }
        return (await (await fetch(one.gateway.adminUrl + path, init)).json()) as JsonObject
      }
      const key = await change(`/admin/v1/accounts/${ACCOUNT}/keys`, 'POST', {})
      const chat = async () => {
        const headers = { authorization: `Bearer ${key.secret}` }
        const body = { model: 'm', messages: [{ role: 'user', content: 'Hello' }] }
        return other.post('/v1/chat/completions', body, { headers })
      }
      expect((await chat()).headers.get('ratelimit-limit')).equal(null)
      const limits = { requests_per_minute: 3 }
      expect((await change(`/admin/v1/keys/${key.id}`, 'PATCH', { limits })).limits).deep.equal(limits)
      await eventually(async () => (await chat()).headers.get('ratelimit-limit') === '3')
      await eventually(async () => (await chat()).status === 429)
      await change(`/admin/v1/keys/${key.id}`, 'PATCH', { limits: null })
      await eventually(async () => (await chat()).status === 200)
    } finally {
      await Promise.all([one.close(), other.close(), backend.close()])
    }
  })

  it('give keys to one process that another makes: found before a 401', async () => {
    const store = await openStore(`sqlite:${join(gateway.dir, 'store.db')}`, { log: silent })
    const { createKey } = await import('../../lib/store/keys.ts')
    const key = { account_id: ACCOUNT, user: undefined, kind: 'serverless', endpoints: [] } as const
    const made = await createKey(store, 'service', key, systemClock.micros())
    expect(await models(made.secret)).equal('200')
    await store.close()
  })

  it('learn when a key was last used', async () => {
    const again = await testGateway({ backends: ['http://127.0.0.1:9/v1'], more: { admin: { port: 0, api: true } } })
    const store = await openStore(`sqlite:${join(again.dir, 'store.db')}`, { log: silent })
    const { createKey, findKey } = await import('../../lib/store/keys.ts')
    const key = { account_id: ACCOUNT, user: undefined, kind: 'serverless', endpoints: [] } as const
    const { id, secret: own } = await createKey(store, 'service', key, systemClock.micros())
    expect(await models(own, again)).equal('200')
    expect((await findKey(store, id))?.last_used_at).equal(undefined)
    await again.gateway.drain()
    await eventually(async () => (await findKey(store, id))?.last_used_at !== undefined)
    await store.close()
  })
})
