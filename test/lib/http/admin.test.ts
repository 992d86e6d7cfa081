import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { Metrics } from '../../../lib/base/metrics.ts'
import { compoundSchema } from '../../../lib/config/config-schemas.ts'
import { createAdminServer } from '../../../lib/http/admin.ts'

describe('the operators port', () => {
  const metrics = new Metrics()
  let reasons: readonly string[] = []
  let notes: readonly string[] = []
  let server: Server
  let url: string

  before(async () => {
    metrics.counter({ name: 'seen_total', help: 'Seen.' }).inc(3)
    server = createAdminServer({
      metrics: metrics.registry,
      readiness: () => reasons,
      notes: () => notes,
      backends: async () => [{ url: 'http://a/v1' }],
      explain: question => `answer to ${question}`,
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })

  after(() => {
    server.closeAllConnections()
    return new Promise(resolve => server.close(resolve))
  })

  afterEach(() => {
    reasons = []
  })

  async function get(path: string, method = 'GET') {
    const response = await fetch(url + path, { method })
    return { status: response.status, type: response.headers.get('content-type'), text: await response.text() }
  }

  it('serves metrics in the format that Prometheus reads', async () => {
    const { status, type, text } = await get('/metrics')
    expect(status).equal(200)
    expect(type).match(/^text\/plain; version=0\.0\.4/)
    expect(text).contain('seen_total 3')
  })

  it('lists backends as JSON', async () => {
    const { status, type, text } = await get('/backends')
    expect([status, type, JSON.parse(text)]).deep.equal([
      200,
      'application/json',
      { backends: [{ url: 'http://a/v1' }] },
    ])
  })

  it('serves the schema of the configuration in one document', async () => {
    const { status, type, text } = await get('/config.schema.json')
    expect([status, type]).deep.equal([200, 'application/schema+json'])
    expect(JSON.parse(text)).deep.equal(compoundSchema())
  })

  it('says that the process lives, also when it takes no traffic', async () => {
    reasons = ['draining']
    expect(await get('/livez')).deep.equal({ status: 200, type: 'text/plain; charset=utf-8', text: 'ok\n' })
  })

  it('says whether it should get traffic, and why not', async () => {
    expect(await get('/readyz')).include({ status: 200, text: 'ok\n' })
    reasons = ['draining', 'the journal cannot be written']
    expect(await get('/readyz')).include({ status: 503, text: 'draining\nthe journal cannot be written\n' })
  })

  it('adds what operators should know of a gateway that is ready', async () => {
    notes = ['Redis has not answered', 'and more']
    expect(await get('/readyz')).include({ status: 200, text: 'ok\nRedis has not answered\nand more\n' })
    reasons = ['draining']
    expect(await get('/readyz')).include({ status: 503, text: 'draining\n' })
    notes = []
  })

  it('ignores a query', async () => {
    expect(await get('/livez?verbose=1')).include({ status: 200 })
  })

  it('answers HEAD without a body', async () => {
    expect(await get('/metrics', 'HEAD')).include({ status: 200, text: '' })
    reasons = ['draining']
    expect(await get('/readyz', 'HEAD')).include({ status: 503, text: '' })
  })

  it('answers questions about routing', async () => {
    const response = await fetch(`${url}/explain-route`, { method: 'POST', body: '{"path":"/v1/messages"}' })
    expect(response.headers.get('content-type')).equal('application/json')
    expect(await response.text()).equal('answer to {"path":"/v1/messages"}')
    expect(await get('/explain-route')).include({ status: 405, text: 'Use POST.\n' })
  })

  it('changes nothing and serves nothing else', async () => {
    expect(await get('/metrics', 'POST')).include({ status: 405 })
    for (const path of ['/', '/v1/models', '/metrics/x', '/debug/pprof'])
      expect((await get(path)).status, path).equal(404)
  })

  it('survives a collector that fails', async () => {
    metrics.gauge({
      name: 'broken',
      help: 'Broken.',
      collect() {
        throw new Error('/secret/path')
      },
    })
    const { status, text } = await get('/metrics')
    expect(status).equal(500)
    expect(text).not.contain('secret')
    expect(await get('/livez')).include({ status: 200 })
  })
})
