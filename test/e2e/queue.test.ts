/** The queue of a model over real sockets: order, headers, metrics and disconnects. */

import type { ServerResponse } from 'node:http'
import { expect } from 'chai'
import { reply, type ScriptedBackend, type SeenRequest, scriptedBackend } from '../support/backend.ts'
import { eventually, type TestGateway, testGateway } from '../support/gateway.ts'

const CHAT = '/v1/chat/completions'
const body = (content: string) => ({ model: 'm', messages: [{ role: 'user', content }] })

describe('the queue of a model', () => {
  let backend: ScriptedBackend
  let gateway: TestGateway
  const held: { readonly res: ServerResponse; readonly seen: SeenRequest }[] = []

  async function start(queue: { max: number; max_wait_ms: number } | undefined, limits: object = {}): Promise<void> {
    const at = { url: backend.url, engine: 'vllm', max_concurrency: 1, profile: { priority: 'lower_first' } }
    gateway = await testGateway({
      backends: [],
      model: { backends: [at], ...(queue !== undefined && { queue }), ...limits },
      more: { plans: { pro: { priority: 3 } } },
      account: { plan: 'pro' },
    })
  }

  const send = (content: string, signal?: AbortSignal) => gateway.post(CHAT, body(content), signal && { signal })
  const answer = () => {
    const { res, seen } = held.shift()!
    void reply()(res, seen, res.req)
  }
  const waiting = (count: number) =>
    eventually(async () => (await gateway.metric('sluiceway_queue_waiting')) === count, `${count} waiting`)

  before(async () => {
    backend = await scriptedBackend((res, seen) => void held.push({ res, seen }))
  })

  beforeEach(() => {
    held.length = 0
  })

  afterEach(() => gateway?.close())

  after(() => backend.close())

  it('holds a request until a backend has room, and says how long it waited', async () => {
    await start({ max: 2, max_wait_ms: 60_000 })
    const first = send('one')
    await eventually(() => held.length === 1, 'the first')
    const second = send('two')
    await waiting(1)
    expect(held.length).equal(1)
    answer()
    const before = await first
    expect(before.status).equal(200)
    expect(before.headers.get('x-service-queue-ms')).match(/^\d+$/)
    await eventually(() => held.length === 1, 'the second')
    expect(held[0]!.seen.body).include({ priority: -3 })
    answer()
    const after = await second
    expect(after.status).equal(200)
    const waited = Number(after.headers.get('x-service-queue-ms'))
    expect((await after.text()).length).greaterThan(0)
    expect(gateway.records().at(-1)).include({ queue_ms: waited })
    expect(await gateway.metric('sluiceway_queue_requests_total', 'outcome="served"')).equal(1)
  })

  it('refuses as without it when it is full, and when the time is over', async () => {
    await start({ max: 1, max_wait_ms: 300 })
    const first = send('one')
    await eventually(() => held.length === 1, 'the first')
    const late = send('two')
    await waiting(1)
    const refused = await send('three')
    expect([refused.status, (await late).status]).deep.equal([429, 429])
    expect(await refused.json()).nested.include({ 'error.code': 'backend_at_capacity' })
    expect(refused.headers.get('retry-after')).equal('1')
    expect(await gateway.metric('sluiceway_queue_requests_total', 'outcome="timeout"')).equal(1)
    expect(await gateway.metric('sluiceway_queue_requests_total', 'outcome="full"')).equal(1)
    answer()
    expect((await first).status).equal(200)
  })

  it('lets those that wait for the limit of the model in, too', async () => {
    await start({ max: 5, max_wait_ms: 60_000 }, { max_concurrency: 1, backends: [{ url: backend.url }] })
    const all = [send('one'), send('two'), send('three')]
    await waiting(2)
    for (let i = 0; i < 3; i++) {
      await eventually(() => held.length === 1, 'a request')
      answer()
    }
    expect((await Promise.all(all)).map(({ status }) => status)).deep.equal([200, 200, 200])
  })

  it('forgets a client that leaves, at once', async () => {
    await start({ max: 1, max_wait_ms: 60_000 })
    const first = send('one')
    await eventually(() => held.length === 1, 'the first')
    const abort = new AbortController()
    const gone = send('two', abort.signal).catch(() => 'gone')
    await waiting(1)
    abort.abort()
    expect(await gone).equal('gone')
    await waiting(0)
    const third = send('three')
    await waiting(1)
    answer()
    await first
    await eventually(() => held.length === 1, 'the third')
    expect(held[0]!.seen.body).nested.include({ 'messages[0].content': 'three' })
    answer()
    expect((await third).status).equal(200)
  })

  it('is not there unless it is configured', async () => {
    await start(undefined)
    const first = send('one')
    await eventually(() => held.length === 1, 'the first')
    expect((await send('two')).status).equal(429)
    answer()
    expect((await first).headers.has('x-service-queue-ms')).equal(false)
  })
})
