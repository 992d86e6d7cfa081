/** `max_concurrency` of models and servers over the processes of one Redis, as their backend sees it. */
import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import type { JsonObject } from '../../lib/base/json.ts'
import { reply, type ScriptedBackend, scriptedBackend } from '../support/backend.ts'
import { temporaryDirectory } from '../support/cli.ts'
import { eventually, KEY, type TestGateway, testGateway } from '../support/gateway.ts'
import { type GatewayProcess, startProcess } from '../support/processes.ts'
import { type RedisServer, redisServer } from '../support/services.ts'

const body = (model = 'm') => JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }] })

describe('max_concurrency of several processes', () => {
  const directory = temporaryDirectory()
  let redis: RedisServer
  let backend: ScriptedBackend
  let running = 0
  let most = 0
  let served = 0
  /** How long the backend takes. */
  let takesMs = 20
  const open: GatewayProcess[] = []

  before(async () => {
    redis = (await redisServer(['--save', '', '--appendonly', 'no']))!
  })
  after(() => redis?.stop())
  beforeEach(async () => {
    running = 0
    most = 0
    served = 0
    takesMs = 20
    backend = await scriptedBackend(async (res: ServerResponse, seen, req) => {
      most = Math.max(most, ++running)
      res.on('close', () => running--)
      await sleep(takesMs)
      served++
      void reply()(res, seen, req)
    })
  })
  afterEach(async () => {
    await Promise.all(open.splice(0).map(one => one.kill()))
    await backend.close()
  })

  const start = async (name: string, model: JsonObject, more: JsonObject = {}) => {
    const config = { backends: [backend.url], model, more: { limits_store: redis.url, ...more } }
    const one = await startProcess(directory(), name, config)
    open.push(one)
    return one
  }
  const post = async ({ url }: { readonly url: string }, model?: string) => {
    const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' }
    const response = await fetch(`${url}/v1/chat/completions`, { method: 'POST', headers, body: body(model) })
    await response.arrayBuffer()
    return response.status
  }
  /** This many clients, each of which sends one request after the other. Returns how often each status came. */
  const load = async (at: { readonly url: string }, clients: number, requests: number) => {
    const counts: Record<number, number> = {}
    const client = async () => {
      for (let i = 0; i < requests; i++) {
        const status = await post(at)
        counts[status] = (counts[status] ?? 0) + 1
        if (status === 429) await sleep(5)
      }
    }
    await Promise.all(Array.from({ length: clients }, client))
    return counts
  }

  it('is that of the model, never more, and is used by the process that needs it', async () => {
    const model = { max_concurrency: 8 }
    const [one, other] = [await start('one', model), await start('other', model)]
    const [first, second] = await Promise.all([load(one, 12, 15), load(other, 12, 15)])
    expect(most).equal(8)
    expect(first[200]).above(20)
    expect(second[200]).above(20)
    // All places are for one process as soon as the other has no requests.
    most = 0
    takesMs = 300
    expect(await Promise.all(Array.from({ length: 8 }, () => post(other)))).deep.equal(Array(8).fill(200))
    expect(most).equal(8)
  })

  it('is that of a server whose models wait in queues', async () => {
    const backends = [{ url: backend.url, model: 'upstream-m', engine: 'vllm', max_concurrency: 3 }]
    const model = { backends, queue: { max: 100, max_wait_ms: 30_000 } }
    const [one, other] = [await start('one', model), await start('other', model)]
    const [first, second] = await Promise.all([load(one, 10, 8), load(other, 10, 8)])
    expect([first, second]).deep.equal([{ 200: 80 }, { 200: 80 }])
    expect(most).equal(3)
  })

  it('lets both processes have their turn', async () => {
    const backends = [{ url: backend.url, model: 'upstream-m', engine: 'vllm', max_concurrency: 1 }]
    const model = { backends, queue: { max: 100, max_wait_ms: 30_000 } }
    const [one, other] = [await start('one', model), await start('other', model)]
    const counts = { one: 0, other: 0 }
    let isOver = false
    const client = async (name: 'one' | 'other', at: GatewayProcess) => {
      while (!isOver) if ((await post(at)) === 200) counts[name]++
    }
    const clients = [one, one, one, other, other, other].map((at, i) => client(i < 3 ? 'one' : 'other', at))
    await eventually(() => counts.one + counts.other >= 60, 'sixty replies')
    isOver = true
    await Promise.all(clients)
    expect(most).equal(1)
    expect(Math.min(counts.one, counts.other)).above(10)
  })

  it('returns the places of a process that was killed', async () => {
    const model = { max_concurrency: 2 }
    const [one, other] = [await start('one', model), await start('other', model)]
    takesMs = 60_000
    // On a busy machine, Redis may not grant the second place in time.
    const hold = async (): Promise<void> => {
      if ((await post(one)) === 429) await hold()
    }
    void Promise.all([hold(), hold()]).catch(() => {})
    await eventually(() => running === 2, 'both requests')
    expect(await post(other)).equal(429)
    await one.kill()
    takesMs = 20
    await eventually(async () => (await post(other)) === 200, 'a free place')
  })

  it('is divided while Redis does not answer', async () => {
    const model = { max_concurrency: 4 }
    const workers = await start('workers', model, { workers: 2 })
    await redis.stop()
    try {
      // Until then the workers use the places that they have.
      await sleep(9500)
      await load(workers, 16, 5)
      expect(most).within(2, 4)
      expect(served).above(4)
    } finally {
      redis = (await redisServer(['--save', '', '--appendonly', 'no']))!
    }
  })
})

describe('models at one server', () => {
  let backend: ScriptedBackend
  let gateway: TestGateway
  const held: ServerResponse[] = []

  before(async () => {
    backend = await scriptedBackend(res => void held.push(res))
    const at = (max_concurrency: number) => [{ url: backend.url, model: 'base', engine: 'vllm', max_concurrency }]
    const capabilities = {}
    gateway = await testGateway({
      backends: [],
      more: {
        models: [
          { id: 'base', max_model_len: 8192, capabilities, backends: at(3) },
          { id: 'adapter', max_model_len: 8192, capabilities, backends: at(2) },
        ],
      },
    })
  })
  after(async () => {
    for (const res of held) res.destroy()
    await gateway.close()
    await backend.close()
  })

  it('share its limit, which is the largest, and keep their own', async () => {
    const statuses: number[] = []
    const send = async (model: string) => {
      const sent = gateway.post('/v1/chat/completions', body(model))
      void sent.then(({ status }) => statuses.push(status)).catch(() => {})
      return sent
    }
    void send('adapter').catch(() => {})
    void send('adapter').catch(() => {})
    await eventually(() => held.length === 2, 'two requests')
    expect((await send('adapter')).status).equal(429)
    void send('base').catch(() => {})
    await eventually(() => held.length === 3, 'three requests')
    expect((await send('base')).status).equal(429)
    expect(statuses).deep.equal([429, 429])
  })
})
