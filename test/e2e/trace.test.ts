/** The plugin `trace` in a real gateway, in front of scripted backends and a collector. */
import { expect } from 'chai'
import type { JsonObject } from '../../lib/base/json.ts'
import {
  delta,
  reply,
  type ScriptedBackend,
  scriptedBackend,
  sendEvent,
  startStream,
  status,
} from '../support/backend.ts'
import { type CollectedSpan, type Collector, collector } from '../support/collector.ts'
import { ACCOUNT, eventually, type TestConfig, type TestGateway, testGateway } from '../support/gateway.ts'

const BODY = { model: 'm', messages: [{ role: 'user', content: 'a secret prompt' }] }
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const PARENT = '00f067aa0ba902b7'
const sampled = { traceparent: `00-${TRACE}-${PARENT}-01`, tracestate: 'vendor=value' }
const unsampled = { traceparent: `00-${TRACE}-${PARENT}-00` }

describe('the plugin trace', () => {
  let collecting: Collector
  let backend: ScriptedBackend
  let gateway: TestGateway | undefined

  beforeEach(async () => {
    collecting = await collector()
    backend = await scriptedBackend()
  })

  afterEach(async () => {
    await gateway?.close()
    gateway = undefined
    await Promise.all([collecting.close(), backend.close()])
  })

  async function start(options: JsonObject = {}, more: Partial<TestConfig> = {}): Promise<TestGateway> {
    const trace = { endpoint: collecting.url, sample: 1, ...options }
    gateway = await testGateway({
      backends: [backend.url],
      ...more,
      more: { plugins: { base: 'default', options: { trace } }, ...more.more },
    })
    return gateway
  }

  /** The SERVER span, and the CLIENT spans in order, once there are so many spans. */
  async function spans(count: number): Promise<{ server: CollectedSpan; clients: readonly CollectedSpan[] }> {
    await eventually(() => collecting.spans.length >= count, `${count} spans`)
    const all = collecting.spans.toSorted((a, b) => a.startMs - b.startMs)
    expect(all.length).equal(count)
    const server = all.find(({ kind }) => kind === 'SERVER')!
    return { server, clients: all.filter(({ kind }) => kind === 'CLIENT') }
  }

  const chat = async (body: JsonObject = BODY, headers: Record<string, string> = {}) => {
    const response = await gateway!.post('/v1/chat/completions', body, { headers })
    await response.text()
    return response
  }

  it('has a SERVER span, and below it the CLIENT span that the backend is told of', async () => {
    await start()
    const response = await chat()
    const { server, clients } = await spans(2)
    const client = clients[0]!
    expect(server).include({ name: 'chat m', parentSpanId: '', status: 0 })
    expect(client).include({ name: 'chat m', parentSpanId: server.spanId, traceId: server.traceId, status: 0 })
    expect(backend.requests[0]!.headers.traceparent).equal(`00-${client.traceId}-${client.spanId}-01`)
    const used = {
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': 'm',
      'gen_ai.usage.input_tokens': 5,
      'gen_ai.usage.output_tokens': 2,
      'gen_ai.usage.cache_read.input_tokens': 1,
      'gen_ai.response.finish_reasons': ['stop'],
      'http.response.status_code': 200,
    }
    const engine = { 'gen_ai.provider.name': 'vllm' }
    expect(client.attributes).deep.equal({
      ...used,
      ...engine,
      'server.address': '127.0.0.1',
      'server.port': backend.port,
    })
    expect(server.attributes).deep.include({
      ...used,
      'gen_ai.provider.name': 'sluiceway',
      'gen_ai.response.model': 'm',
      'http.route': '/v1/chat/completions',
      'sluiceway.request.id': response.headers.get('x-request-id'),
      'sluiceway.account.id': ACCOUNT,
      'sluiceway.account.name': 'test',
    })
    expect(server.startMs).most(client.startMs)
    expect(server.endMs).least(client.endMs)
    expect(client.endMs).least(client.startMs)
    expect(collecting.resource).include({ 'service.name': 'sluiceway' })
    expect(collecting.bodies.join()).not.match(/secret prompt|Hello/)
  })

  it('notes first token and stalls of a stream', async () => {
    await start()
    backend.script = async res => {
      startStream(res)
      sendEvent(res, delta({ role: 'assistant', content: '' }))
      sendEvent(res, delta({ content: 'One' }))
      await new Promise(resolve => setTimeout(resolve, 1200))
      sendEvent(res, delta({ content: ' two' }))
      sendEvent(res, delta({}, 'length'))
      res.end('data: [DONE]\n\n')
    }
    await chat({ ...BODY, stream: true })
    const { server, clients } = await spans(2)
    expect(clients[0]!.events.map(({ name }) => name)).deep.equal(['first_token', 'stall'])
    expect(clients[0]!.events[1]!.attributes['sluiceway.stall.seconds']).above(1)
    expect(server.attributes['gen_ai.response.finish_reasons']).deep.equal(['length'])
  })

  it('has a CLIENT span for each attempt, each the parent of what its backend traces', async () => {
    const other = await scriptedBackend(status(503, { error: { message: 'overloaded' } }))
    backend.script = other.script
    try {
      await start({}, { backends: [backend.url, other.url] })
      let tries = 0
      backend.script = other.script = (...all) => (++tries === 1 ? status(503, 'no') : reply())(...all)
      await chat()
      const { server, clients } = await spans(3)
      expect(clients.map(({ attributes, status: code }) => [attributes['error.type'], code])).deep.equal([
        ['503', 2],
        [undefined, 0],
      ])
      expect(clients.map(({ parentSpanId }) => parentSpanId)).deep.equal([server.spanId, server.spanId])
      expect(clients[1]!.attributes['http.request.resend_count']).equal(1)
      expect(clients[0]!.attributes).not.include.keys('gen_ai.usage.input_tokens')
      const told = [...backend.requests, ...other.requests].map(({ headers }) => headers.traceparent)
      expect(told).have.members(clients.map(({ traceId, spanId }) => `00-${traceId}-${spanId}-01`))
      expect(server).include({ status: 0 })
    } finally {
      await other.close()
    }
  })

  it('ends both spans of a stream whose client disconnects', async () => {
    await start()
    backend.script = res => {
      startStream(res)
      sendEvent(res, delta({ content: 'One' }))
    }
    const abort = new AbortController()
    const response = await gateway!.post('/v1/chat/completions', { ...BODY, stream: true }, { signal: abort.signal })
    await response.body!.getReader().read()
    abort.abort()
    const { server, clients } = await spans(2)
    expect(server.attributes).include({ 'error.type': 'client_gone', 'http.response.status_code': 499 })
    expect(clients[0]!.attributes).include({ 'error.type': 'cancelled' })
    expect(clients[0]!.events.map(({ name }) => name)).deep.equal(['first_token'])
    expect([server.status, clients[0]!.status]).deep.equal([0, 0])
  })

  it('marks what failed as an error, with the code that the client was sent', async () => {
    await start()
    backend.script = status(500, { error: { message: 'a secret of the backend' } })
    expect((await chat()).status).least(500)
    const { server, clients } = await spans(2)
    expect(server).include({ status: 2 })
    expect(server.attributes['error.type']).a('string')
    expect(clients[0]!.attributes).include({ 'error.type': '500', 'http.response.status_code': 500 })
    expect(collecting.bodies.join()).not.match(/secret/)
  })

  it('traces what is refused, and names no model that this gateway does not have', async () => {
    await start()
    await chat({ ...BODY, model: 'a-name-of-the-client' })
    const { server, clients } = await spans(1)
    expect(clients).deep.equal([])
    expect(server).include({ name: 'chat', status: 0 })
    expect(server.attributes).include({ 'error.type': 'model_not_found', 'http.response.status_code': 404 })
    expect(collecting.bodies.join()).not.match(/a-name-of-the-client/)
  })

  it('continues a trusted trace, and keeps the decision of the client', async () => {
    await start({ parent: 'trust', sample: 0 })
    await chat(BODY, unsampled)
    expect(backend.requests[0]!.headers.traceparent).equal(unsampled.traceparent)
    await chat(BODY, sampled)
    const { server, clients } = await spans(2)
    expect(server).include({ traceId: TRACE, parentSpanId: PARENT, traceState: 'vendor=value' })
    expect(clients[0]!).include({ traceId: TRACE, parentSpanId: server.spanId })
    expect(backend.requests[1]!.headers).include({
      traceparent: `00-${TRACE}-${clients[0]!.spanId}-01`,
      tracestate: 'vendor=value',
    })
  })

  it('samples by itself where there is no trace, and tells the backend that nothing is', async () => {
    await start({ parent: 'trust', sample: 0 })
    await chat()
    expect(backend.requests[0]!.headers.traceparent).match(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/)
    await chat(BODY, sampled)
    const { server } = await spans(2)
    expect(server.traceId).equal(TRACE)
  })

  it('ignores the trace of a client where it is told to, its decision too', async () => {
    await start({ parent: 'ignore' })
    await chat(BODY, { ...unsampled, tracestate: 'vendor=value' })
    const { server, clients } = await spans(2)
    expect(server).include({ parentSpanId: '', traceState: '' })
    expect(server.traceId).not.equal(TRACE)
    expect(backend.requests[0]!.headers).include({ traceparent: `00-${server.traceId}-${clients[0]!.spanId}-01` })
    expect(backend.requests[0]!.headers).not.include.keys('tracestate')
  })

  it('keeps nothing that the client has named under zero data retention', async () => {
    const model = { backends: [{ url: backend.url, model: 'upstream-m', engine: 'vllm', zdr: true }] }
    await start({ parent: 'trust' }, { account: { zdr_required: true }, model })
    await chat({ ...BODY, model: 'alias' }, { ...sampled, 'x-request-id': 'named-by-the-client' })
    const { server, clients } = await spans(2)
    expect(server.name).equal('chat m')
    expect(server.parentSpanId).equal('')
    expect(clients[0]!.parentSpanId).equal(server.spanId)
    expect(collecting.bodies.join()).not.match(
      new RegExp(`named-by-the-client|alias|${TRACE}|vendor=value|secret prompt`),
    )
  })

  it('traces about the share of requests that it is told to', async () => {
    await start({ sample: 0.5 })
    for (let i = 0; i < 100; i++) await chat()
    await gateway!.gateway.drain()
    expect(collecting.spans.length).within(40, 160)
    const flags = backend.requests.map(({ headers }) => String(headers.traceparent).slice(-2))
    expect(flags.filter(flag => flag === '01').length * 2).equal(collecting.spans.length)
  })

  it('traces byte pipes under the name of what they do', async () => {
    await start({}, { model: { kind: 'embedding' } })
    backend.script = res => void res.end(JSON.stringify({ data: [], usage: { prompt_tokens: 3, total_tokens: 3 } }))
    await (await gateway!.post('/v1/embeddings', { model: 'm', input: 'text' })).text()
    const { server, clients } = await spans(2)
    expect(server).include({ name: 'embeddings m' })
    expect(clients[0]!.attributes).include({ 'gen_ai.operation.name': 'embeddings' })
    const told = backend.requests[0]!.headers.traceparent
    expect(told).equal(`00-${server.traceId}-${clients[0]!.spanId}-01`)
  })

  it('serves as before while the collector is down, counts what is lost, and exports again when it is back', async () => {
    const port = Number(new URL(collecting.url).port)
    await collecting.close()
    await start()
    for (let i = 0; i < 5; i++) expect((await chat()).status).equal(200)
    await eventually(
      async () => (await gateway!.metric('sluiceway_trace_spans_dropped_total')) === 10,
      'ten lost spans',
    )
    collecting = await collector(port)
    await chat()
    await spans(2)
    expect(await gateway!.metric('sluiceway_trace_spans_exported_total')).equal(2)
  })

  it('exports what is left when the gateway drains', async () => {
    await start()
    await chat()
    await gateway!.gateway.drain()
    expect(collecting.spans.length).equal(2)
  })

  it('may also be added at another place of the chain', async () => {
    const trace = { endpoint: collecting.url, sample: 1 }
    await start(
      {},
      { more: { plugins: { base: 'default', add: [{ use: 'trace', after: 'request-id', options: trace }] } } },
    )
    await chat()
    const { server } = await spans(2)
    expect(server.attributes).include({ 'gen_ai.usage.input_tokens': 5 })
  })
})
