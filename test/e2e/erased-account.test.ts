import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import type { JsonObject } from '../../lib/base/json.ts'
import { type ScriptedBackend, scriptedBackend, sendEvent, startStream, textEvents } from '../support/backend.ts'
import { eventually, type TestGateway, testGateway } from '../support/gateway.ts'
import { operatorKey } from '../support/operators.ts'
import { PIXEL } from '../support/rules.ts'

describe('an erased account', () => {
  let backend: ScriptedBackend
  let gateway: TestGateway
  let operator = ''

  before(async () => {
    // A stream that begins and never ends.
    backend = await scriptedBackend(res => {
      startStream(res)
      sendEvent(res, textEvents('Hello')[0]!)
    })
    gateway = await testGateway({ backends: [backend.url], more: { admin: { host: '127.0.0.1', port: 0, api: true } } })
    operator = (await operatorKey(gateway)).secret
  })
  after(async () => {
    await gateway?.close()
    await backend?.close()
  })

  const api = async (path: string, body?: JsonObject) => {
    const init = { method: 'POST', headers: { authorization: `Bearer ${operator}` } }
    const response = await fetch(gateway.gateway.adminUrl + path, { ...init, body: JSON.stringify(body ?? {}) })
    expect(response.status).within(200, 201)
    return (await response.json()) as JsonObject
  }
  const files = () =>
    readdirSync(join(gateway.dir, 'files'), { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())

  it('has no keys, no running requests and no files, and its requests have no user', async () => {
    const { id } = await api('/admin/v1/accounts', { name: 'globex' })
    const { secret } = await api(`/admin/v1/accounts/${id}/keys`, { user: 'dora@globex.test' })
    const headers = { authorization: `Bearer ${secret}` }
    const form = new FormData()
    form.append('purpose', 'vision')
    form.append('file', new Blob([Buffer.from(PIXEL, 'base64')]), 'a.png')
    expect((await fetch(`${gateway.url}/v1/files`, { method: 'POST', headers, body: form })).status).equal(200)
    expect(files().length).greaterThan(0)
    const body = { model: 'm', stream: true, messages: [{ role: 'user', content: 'Hi' }] }
    const running = await gateway.post('/v1/chat/completions', body, { headers })
    const ended = running.text()

    await api(`/admin/v1/accounts/${id}/erase`)
    expect(await ended).contain('invalid_api_key')
    expect((await gateway.post('/v1/chat/completions', body, { headers })).status).equal(401)
    expect(files()).deep.equal([])
    const own = () => gateway.records().filter(({ account_id }) => account_id === id)
    await eventually(() => own().length === 1, 'its record')
    expect(own().map(({ user_id }) => user_id)).deep.equal([null])
  })
})
