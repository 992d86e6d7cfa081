import http, { type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { pino } from 'pino'
import { createAdminApi } from '../../../lib/admin/api.ts'
import { type AdminOptions, adminCalls } from '../../../lib/admin/call.ts'
import { issueOperatorKey, revokeOperatorKeyOf } from '../../../lib/admin/operators.ts'
import { ADMIN_ROUTES } from '../../../lib/admin/routes.ts'
import { systemClock } from '../../../lib/base/clock.ts'
import type { JsonObject } from '../../../lib/base/json.ts'
import type { Store } from '../../../lib/store/store.ts'
import { useAdminContext } from '../../support/admin-context.ts'
import { ACCOUNT_ID } from '../../support/config.ts'

describe("the operators' API", () => {
  const { context } = useAdminContext()
  let server: Server
  let url = ''
  let secret = ''
  let operator = ''
  let changes = 0
  let lines: string[] = []
  let isAway = false

  beforeEach(async () => {
    changes = 0
    lines = []
    isAway = false
    const { config, store } = context()
    const prepare = () => (isAway ? Promise.reject(new Error('ECONNREFUSED')) : (store as Store).prepare())
    const options: AdminOptions = {
      config: () => config,
      store: { ...(store as Store), prepare },
      clock: systemClock,
      log: pino({ base: null }, { write: line => void lines.push(line) }),
      state: async () => ({
        version: '1.2.3',
        startedAt: 0,
        pids: [1],
        file: undefined,
        lastReload: undefined,
        unready: [],
        metrics: '',
      }),
      backends: async () => [{ url: 'http://127.0.0.1:8000/v1', state: 'up' }],
      gateways: async () => [],
      changed: async () => void changes++,
    }
    server = http.createServer(createAdminApi(options, adminCalls(options)))
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    ;({ id: operator, secret } = await issueOperatorKey(context(), 'alice'))
  })
  afterEach(() => {
    server.closeAllConnections()
    return new Promise(resolve => server.close(resolve))
  })

  async function ask(method: string, path: string, body?: JsonObject | string, headers: Record<string, string> = {}) {
    const response = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${secret}`, ...headers },
      ...(body === undefined ? null : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const json = (await response.json()) as JsonObject & { error?: JsonObject; id?: string }
    return { status: response.status, json, headers: response.headers }
  }

  it('has the status and the backends while the store does not answer, for keys that it has confirmed', async () => {
    expect((await ask('GET', '/admin/v1/status')).json.stores).deep.include({
      store: { kind: 'sqlite', healthy: true },
    })
    isAway = true
    const { status, json } = await ask('GET', '/admin/v1/status')
    expect(status).equal(200)
    expect(json.stores).deep.include({ store: { kind: 'sqlite', healthy: false } })
    expect((await ask('GET', '/admin/v1/backends')).json.backends).length(1)
    expect((await ask('GET', '/admin/v1/accounts')).status).equal(503)
    const body = { url: 'http://127.0.0.1:8000/v1' }
    expect((await ask('POST', '/admin/v1/backends/drain', body)).status).equal(503)
    const authorization = `Bearer ${secret.slice(0, -1)}`
    expect((await ask('GET', '/admin/v1/status', undefined, { authorization })).status).equal(503)
  })

  it('does not take a key that has been revoked, also while the store does not answer', async () => {
    await ask('GET', '/admin/v1/status')
    await revokeOperatorKeyOf(context(), operator)
    expect((await ask('GET', '/admin/v1/status')).status).equal(401)
    isAway = true
    expect((await ask('GET', '/admin/v1/status')).status).equal(503)
  })

  it('serves every list as CSV, with the rest of a long one behind a link', async () => {
    const csv = async (path: string) => {
      const response = await fetch(url + path, { headers: { authorization: `Bearer ${secret}` } })
      return { text: await response.text(), headers: response.headers }
    }
    await ask('POST', '/admin/v1/accounts', { name: 'globex', credits_cents: 0 })
    const { json } = await ask('POST', '/admin/v1/accounts', { name: 'initech', credits_cents: 0 })
    await ask('POST', `/admin/v1/accounts/${json.id}/credits`, { amount_cents: 5, note: 'x' })
    const { text, headers } = await csv('/admin/v1/accounts?format=csv&limit=1')
    expect(headers.get('content-type')).equal('text/csv; charset=utf-8')
    expect(headers.get('link')).equal(null)
    expect(text.split('\r\n')).lengthOf(5)
    expect(text).match(/^id,name,kind,.*\r\n[^,]+,acme,serverless,.*\r\n[^,]+,globex,/)
    expect((await csv(`/admin/v1/accounts/${ACCOUNT_ID}/keys?format=csv`)).text).match(/\r\nk1,/)
    expect((await csv(`/admin/v1/accounts/${json.id}/credits?format=csv`)).text).match(/,top-up,5,x\r\n$/)
    expect((await csv('/admin/v1/requests?format=csv')).text).match(/^request_id,.*,account_id,account_name,.*\r\n$/)
    expect((await csv('/admin/v1/audit?format=csv&action=account.create')).text).match(/,initech,/)
    expect((await csv('/admin/v1/backends?format=csv')).text).match(/^model,url,.*\r\n,http:\/\/127\.0\.0\.1:8000\/v1,/)
    expect((await csv('/admin/v1/audit?format=xml')).text).match(/'format'/)
    expect(lines.some(line => line.includes('"account_name":"initech"'))).equal(true)
  })

  it('requires the key of an operator on every route', async () => {
    for (const authorization of [
      '',
      'Bearer service_in_the_file',
      `Bearer service_operator_${'x'.repeat(43)}`,
      'Basic eA==',
    ]) {
      for (const { method, path } of ADMIN_ROUTES) {
        const { status, json, headers } = await ask(method, path, undefined, { authorization })
        expect(status, `${method} ${path} ${authorization}`).equal(401)
        expect(json.error).include({ type: 'authentication_error', request_id: headers.get('x-request-id')! })
        expect(Object.keys(json)).deep.equal(['error'])
      }
    }
    await revokeOperatorKeyOf(context(), operator)
    expect((await ask('GET', '/admin/v1/accounts')).status).equal(401)
  })

  it('serves its OpenAPI document without a key', async () => {
    const { status, json } = await ask('GET', '/admin/openapi.json', undefined, { authorization: '' })
    expect([status, json.openapi]).deep.equal([200, '3.1.1'])
  })

  it('creates an account, its key and its credits, and records the operator', async () => {
    const account = await ask('POST', '/admin/v1/accounts', { name: 'globex', credits_cents: 0 })
    expect(account.status).equal(201)
    const path = `/admin/v1/accounts/${account.json.id}`
    const key = await ask('POST', `${path}/keys`, { label: 'ci' })
    expect([key.status, key.json.label, String(key.json.secret).length]).deep.equal([201, 'ci', 51])
    const twice = { 'idempotency-key': 'a' }
    const credit = { amount_cents: 100, note: 'hello' }
    expect((await ask('POST', `${path}/credits`, credit, twice)).json.balance_cents).equal(100)
    expect((await ask('POST', `${path}/credits`, credit, twice)).json.balance_cents).equal(100)
    expect((await ask('GET', `${path}/credits`)).json).include({ balance_cents: 100, has_more: false })
    expect((await ask('PATCH', path, { disabled: true })).json.disabled).equal(true)
    expect((await ask('GET', path)).json.disabled).equal(true)
    expect((await ask('GET', '/admin/v1/accounts')).json.accounts).lengthOf(2)
    const rotated = await ask('POST', `/admin/v1/keys/${key.json.id}/rotate`, { grace_seconds: 60 })
    expect(rotated.json.secret).a('string').and.not.equal(key.json.secret)
    expect((await ask('PATCH', `/admin/v1/keys/${key.json.id}`, { label: 'new' })).json.label).equal('new')
    expect((await ask('DELETE', `/admin/v1/keys/${key.json.id}`)).json.revoked_at).a('string')
    expect((await ask('GET', `${path}/keys`)).json.keys).lengthOf(1)
    const { json } = await ask('GET', `/admin/v1/audit?account=${account.json.id}&limit=3`)
    const entries = json.entries as JsonObject[]
    expect(entries.map(({ action }) => action)).deep.equal(['key.revoke', 'key.change', 'key.rotate'])
    expect(entries[0]).include({ actor: `operator alice (${operator})`, address: '127.0.0.1' })
    const rest = await ask('GET', `/admin/v1/audit?account=${account.json.id}&cursor=${json.cursor}`)
    expect(rest.json.entries).lengthOf(4)
    expect(changes).equal(8)
    expect(lines.filter(line => line.includes('"audit"'))).lengthOf(7)
    for (const text of [lines.join(''), JSON.stringify(entries)]) expect(text).not.contain(String(rotated.json.secret))
  })

  it('returns the status of the gateway', async () => {
    const { json } = await ask('GET', '/admin/v1/status')
    expect(json).deep.include({ version: '1.2.3', workers: [{ pid: 1 }], ready: true })
    expect(json.stores).deep.include({ store: { kind: 'sqlite', healthy: true } })
  })

  it('answers HEAD like GET, without the body', async () => {
    const response = await fetch(`${url}/admin/v1/status`, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${secret}` },
    })
    expect([response.status, await response.text()]).deep.equal([200, ''])
  })

  it('lists backends, and drains them', async () => {
    expect((await ask('GET', '/admin/v1/backends')).json.backends).deep.equal([
      { url: 'http://127.0.0.1:8000/v1', state: 'up' },
    ])
    const drained = await ask('POST', '/admin/v1/backends/drain', { url: '127.0.0.1:8000', model: 'm' })
    expect(drained.json).include({ drained: true, model: 'm' })
    expect((await ask('POST', '/admin/v1/backends/undrain', { url: '127.0.0.1:8000' })).json.drained).equal(false)
    expect((await ask('POST', '/admin/v1/backends/undrain', { url: '127.0.0.1:8000' })).status).equal(404)
  })

  it('refuses with the common error envelope and the name of the wrong member', async () => {
    const refused = async (
      method: string,
      path: string,
      body?: JsonObject | string,
      headers?: Record<string, string>,
    ) => {
      const { status, json } = await ask(method, path, body, headers)
      return [status, json.error?.code, json.error?.param]
    }
    const accounts = '/admin/v1/accounts'
    expect(await refused('GET', '/admin/v1/nothing')).deep.equal([404, 'http_404', undefined])
    expect(await refused('PUT', accounts, {})).deep.equal([405, 'http_405', undefined])
    expect(await refused('GET', `${accounts}?limt=1`)).deep.equal([400, 'unsupported_parameter', 'limt'])
    expect(await refused('GET', '/admin/v1/audit?limit=0')).deep.equal([422, 'schema_validation_failed', 'limit'])
    expect(await refused('POST', accounts, '[1]')).deep.equal([400, 'invalid_json_request', undefined])
    for (const name of ['  ', 'a\nb', 'a\0b'])
      expect(await refused('POST', accounts, { name }), name).deep.equal([422, 'schema_validation_failed', 'name'])
    for (const [path, param] of [
      [`${accounts}?cursor=x`, 'cursor'],
      [`${accounts}/${ACCOUNT_ID}/credits?cursor=x`, 'cursor'],
      ['/admin/v1/audit?cursor=x', 'cursor'],
      ['/admin/v1/audit?account=nobody', 'account'],
      ['/admin/v1/usage?account=nobody', 'account'],
      ['/admin/v1/requests?account=nobody', 'account'],
      ['/admin/v1/requests?model=%00', 'model'],
    ] as const)
      expect(await refused('GET', path), path).deep.equal([422, 'schema_validation_failed', param])
    expect(await refused('POST', '/admin/openapi.json', {})).deep.equal([405, 'http_405', undefined])
    expect(await refused('POST', accounts, '{')).deep.equal([400, 'invalid_json_request', undefined])
    const coded = await ask('POST', accounts, '{}', { 'content-encoding': 'gzip' })
    expect([coded.status, coded.headers.get('accept-encoding')]).deep.equal([415, 'identity'])
    expect(await refused('POST', accounts, {})).deep.equal([400, 'invalid_json_request', 'name'])
    expect(await refused('POST', accounts, { name: 'a', kind: 'x' })).deep.equal([
      422,
      'schema_validation_failed',
      'kind',
    ])
    expect(await refused('POST', accounts, { name: 'a', nam: 1 })).deep.equal([400, 'unsupported_parameter', 'nam'])
    expect(await refused('GET', `${accounts}/nobody`)).deep.equal([404, 'http_404', undefined])
    expect(await refused('PATCH', `${accounts}/${ACCOUNT_ID}`, {})).deep.equal([400, 'http_400', undefined])
    const credits = `${accounts}/${ACCOUNT_ID}/credits`
    expect(await refused('POST', credits, { amount_cents: 1 }, { 'idempotency-key': 'a b' })).deep.equal([
      400,
      'http_400',
      undefined,
    ])
    expect(await refused('POST', accounts, 'x'.repeat(1_100_000))).deep.equal([
      413,
      'request_body_too_large',
      undefined,
    ])
    const id = `/admin/v1/keys/${'k'.repeat(3)}`
    expect(await refused('PATCH', id, { expires_at: 'tomorrow' })).deep.equal([
      422,
      'schema_validation_failed',
      'expires_at',
    ])
    expect(changes).equal(0)
  })

  it('answers 503, never 401, if the store does not answer', async () => {
    const { schema } = (context().store as Store).db
    await schema.alterTable('operator_keys').renameTo('gone').execute()
    const { status, json } = await ask('GET', '/admin/v1/accounts')
    await schema.alterTable('gone').renameTo('operator_keys').execute()
    expect([status, json.error?.code]).deep.equal([503, 'internal_error'])
  })
})
