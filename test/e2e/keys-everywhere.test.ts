/** Keys that operators change at one gateway, used at another gateway with the same store. */
import { expect } from 'chai'
import { issueOperatorKey } from '../../lib/admin/operators.ts'
import { systemClock } from '../../lib/base/clock.ts'
import type { JsonObject } from '../../lib/base/json.ts'
import { openStore, type Store } from '../../lib/store/store.ts'
import { reply, type ScriptedBackend, scriptedBackend } from '../support/backend.ts'
import { ACCOUNT, eventually, type TestGateway, testGateway } from '../support/gateway.ts'
import { onEveryNewStore, silent } from '../support/stores.ts'

describe('keys everywhere', () => onEveryNewStore(suite))

function suite(storeOf: (dir: string) => string): void {
  let backend: ScriptedBackend
  let one: TestGateway
  let other: TestGateway
  let store: Store
  let operator = ''

  before(async () => {
    backend = await scriptedBackend(reply())
    const more = { admin: { host: '127.0.0.1', port: 0, api: true } }
    const first = await testGateway({ backends: [backend.url], more })
    const url = storeOf(first.dir)
    if (url.startsWith('sqlite:')) one = first
    else {
      await first.close()
      one = await testGateway({ backends: [backend.url], more: { ...more, store: url } })
    }
    other = await testGateway({ backends: [backend.url], more: { ...more, store: url } })
    store = await openStore(url, { log: silent })
    const config = { brand: 'service' } as Parameters<typeof issueOperatorKey>[0]['config']
    const actor = { name: 'command line (root)', address: null }
    operator = (await issueOperatorKey({ store, config, actor, now: systemClock.micros() }, 'alice')).secret
  })
  after(async () => {
    await store?.close()
    await Promise.all([one?.close(), other?.close(), backend?.close()])
  })

  async function change(method: string, path: string, body: JsonObject = {}): Promise<JsonObject> {
    const response = await fetch(`${one.gateway.adminUrl}/admin/v1/${path}`, {
      ...{ method, headers: { authorization: `Bearer ${operator}` } },
      ...(method === 'GET' ? null : { body: JSON.stringify(body) }),
    })
    const json = (await response.json()) as JsonObject
    expect(response.status, JSON.stringify(json)).below(300)
    return json
  }
  const make = (body: JsonObject = {}) => change('POST', `accounts/${ACCOUNT}/keys`, body)
  const chat = async (gateway: TestGateway, key: unknown) => {
    const body = { model: 'm', messages: [{ role: 'user', content: 'Hello' }] }
    const response = await gateway.post('/v1/chat/completions', body, { headers: { authorization: `Bearer ${key}` } })
    const { error } = (await response.json()) as { error?: { message: string } }
    return error === undefined ? String(response.status) : `${response.status} ${error.message}`
  }
  /** The effect of a change at one gateway: there at once, at the other soon. */
  const says = async (key: unknown, answer: string) => {
    expect(await chat(one, key)).equal(answer)
    await eventually(async () => (await chat(other, key)) === answer, answer)
  }

  it('open both as soon as they are made, the other by a look before a 401', async () => {
    for (let i = 0; i < 3; i++) {
      const { secret } = await make()
      expect([await chat(one, secret), await chat(other, secret)]).deep.equal(['200', '200'])
    }
    expect(await chat(other, 'service_never_made')).equal('401 The API key is not valid.')
  })

  it('open neither once they are disabled, have ended or are revoked, and say which', async () => {
    const { id, secret } = await make()
    await says(secret, '200')
    await change('PATCH', `keys/${id}`, { disabled: true })
    await says(secret, '401 This API key is disabled.')
    await change('PATCH', `keys/${id}`, { disabled: false, expires_at: '2020-01-01T00:00:00Z' })
    await says(secret, '401 This API key has expired.')
    await change('PATCH', `keys/${id}`, { expires_at: null })
    await says(secret, '200')
    await change('DELETE', `keys/${id}`)
    await says(secret, '401 The API key is not valid.')
  })

  it('expire by themselves, with nobody there to change them', async () => {
    const expires_at = new Date(Date.now() + 1500).toISOString()
    const { secret } = await make({ expires_at })
    for (const gateway of [one, other])
      await eventually(async () => (await chat(gateway, secret)) === '401 This API key has expired.')
  })

  it('are rotated with grace or without', async () => {
    const { id, secret: first } = await make()
    const { secret: second } = await change('POST', `keys/${id}/rotate`, { grace_seconds: 600 })
    for (const gateway of [one, other])
      expect([await chat(gateway, second), await chat(gateway, first)]).deep.equal(['200', '200'])
    const { secret: third } = await change('POST', `keys/${id}/rotate`)
    await says(third, '200')
    await says(second, '401 This API key has expired.')
    await says(first, '401 The API key is not valid.')
  })

  it('are restricted to models, and no longer', async () => {
    const { id, secret } = await make({ models: ['m'] })
    await says(secret, '200')
    const account = await change('POST', 'accounts', { name: `of ${id}`, models: ['m'] })
    const own = await change('POST', `accounts/${account.id}/keys`)
    await says(own.secret, '200')
    await change('PATCH', `accounts/${account.id}`, { disabled: true })
    await says(own.secret, '401 The account of this API key is disabled.')
    await change('PATCH', `accounts/${account.id}`, { disabled: false })
    await says(own.secret, '200')
  })

  it('tell when they were last used, wherever that was', async () => {
    const { id, secret } = await make()
    const lastUse = async () => {
      const { keys } = await change('GET', `accounts/${ACCOUNT}/keys`)
      return (keys as JsonObject[]).find(key => key.id === id)!.last_used_at
    }
    for (let i = 0; i < 5; i++) expect([await chat(one, secret), await chat(other, secret)]).deep.equal(['200', '200'])
    // A process writes pending data before it ends.
    await other.gateway.drain()
    await eventually(async () => (await lastUse()) !== null)
  })

  it('leave entries in the audit log that no request of the API can change or remove', async () => {
    const { id } = await make({ label: 'audited' })
    const { entries } = (await change('GET', 'audit?action=key.create&limit=500')) as { entries: JsonObject[] }
    const entry = entries.find(({ target }) => target === id)!
    for (const path of ['audit', `audit/${entry.id}`, `audit?account=${ACCOUNT}`])
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
        const headers = { authorization: `Bearer ${operator}` }
        const init = { method, headers, body: JSON.stringify({ ...entry, action: 'nothing' }) }
        const response = await fetch(`${one.gateway.adminUrl}/admin/v1/${path}`, init)
        expect(response.status, `${method} ${path}`).within(404, 405)
      }
    const { entries: later } = (await change('GET', 'audit?action=key.create&limit=500')) as { entries: JsonObject[] }
    expect(later.find(one => one.id === entry.id)).deep.equal(entry)
    expect(JSON.stringify(later)).not.match(/service_[A-Za-z0-9_-]{40}/)
  })
}
