/** Gateways that send requests to themselves: a wrong `url` of a backend. */
import { expect } from 'chai'
import type { JsonObject } from '../../lib/base/json.ts'
import { reply, type ScriptedBackend, scriptedBackend, status } from '../support/backend.ts'
import { eventually, KEY, type TestGateway, testGateway } from '../support/gateway.ts'
import { freePort } from '../support/programs.ts'

const CHAT = { model: 'm', messages: [{ role: 'user', content: 'hi' }] }
const LOOP = '1.1 sluiceway, 1.1 sluiceway, 1.1 sluiceway'

describe('a loop of gateways', () => {
  let gateway: TestGateway | undefined
  const backends: ScriptedBackend[] = []
  afterEach(async () => {
    await gateway?.close()
    gateway = undefined
    for (const backend of backends.splice(0)) await backend.close()
  })

  const start = async (script = reply(), more: (url: string) => JsonObject = () => ({})): Promise<ScriptedBackend> => {
    const backend = await scriptedBackend(script)
    backends.push(backend)
    gateway = await testGateway({ backends: [backend.url], more: more(backend.url) })
    return backend
  }

  it('ends after three rounds with one 502, and counts nothing against the backend', async () => {
    const port = await freePort()
    const url = `http://127.0.0.1:${port}/v1`
    const backend = { url, model: 'm', api_key: KEY }
    gateway = await testGateway({
      backends: [],
      model: { backends: [backend, { ...backend, model: 'alias' }] },
      more: { listen: { host: '127.0.0.1', port } },
    })
    for (let i = 1; i <= 5; i++) {
      const response = await gateway.post('/v1/chat/completions', CHAT)
      const { error } = (await response.json()) as { error: { code: string; message: string } }
      expect(response.status).equal(502)
      expect(response.headers.get('x-service-loop')).equal('1')
      expect(error.code).equal('backend_http_error')
      expect(error.message).not.contain(String(port))
      await eventually(() => gateway!.records().length === 4 * i)
    }
    const [refused] = gateway.records()
    expect(refused).include({ backend: `http://127.0.0.1:${port}/v1`, attempts: 1 })
    expect(refused!.upstream_error).match(/the request has passed three gateways/)
    expect(await gateway.metric('sluiceway_backend_ejections_total')).equal(0)
  })

  it('is refused before a request is sent', async () => {
    const backend = await start()
    const refused = await gateway!.post('/v1/chat/completions', CHAT, { headers: { via: LOOP } })
    expect([refused.status, refused.headers.get('x-service-loop')]).deep.equal([502, '1'])
    expect(backend.requests).lengthOf(0)
  })

  it('is shown to backends, also by mirrored requests and byte pipes', async () => {
    const { requests } = await start(reply(), url => ({
      models: [
        { id: 'm', backends: [{ url }], mirror: { to: 'n', percent: 100 } },
        { id: 'n', backends: [{ url }] },
        { id: 'e', kind: 'embedding', backends: [{ url }] },
      ],
    }))
    const headers = { via: '1.1 nginx, 1.1 sluiceway' }
    await (await gateway!.post('/v1/chat/completions', CHAT, { headers })).text()
    await (await gateway!.post('/v1/embeddings', { model: 'e', input: 'a' }, { headers })).text()
    await eventually(() => requests.length === 3)
    for (const request of requests) expect(request.headers.via).equal('1.1 sluiceway, 1.1 sluiceway')
  })

  it('is passed on without a retry, whatever the brand of the gateway that refused it', async () => {
    const loop = status(502, { error: { message: 'x', code: 'backend_http_error' } }, { 'x-acme-loop': '1' })
    const backend = await start(loop, () => ({ brand: 'inner' }))
    const response = await gateway!.post('/v1/chat/completions', CHAT)
    expect([response.status, response.headers.get('x-inner-loop')]).deep.equal([502, '1'])
    expect(backend.requests).lengthOf(1)
  })
})
