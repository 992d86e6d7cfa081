/** Network calls of limits in Redis, and the leases of a process that is killed. */
import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { Redis } from 'ioredis'
import type { JsonObject } from '../../lib/base/json.ts'
import { reply, type ScriptedBackend, scriptedBackend, sendEvent, startStream, textEvents } from '../support/backend.ts'
import { temporaryDirectory } from '../support/cli.ts'
import { eventually, KEY, type TestConfig, type TestGateway, testGateway } from '../support/gateway.ts'
import { startProcess } from '../support/processes.ts'
import { redisServer, useRedis } from '../support/services.ts'

const CHAT = '/v1/chat/completions'
const BODY = { model: 'm', messages: [{ role: 'user', content: 'Hello' }], max_tokens: 100 }
const pricing = { input: 1000, cached_input: 1000, output: 4000 }

describe('limits in Redis', () => {
  const url = useRedis()
  const directory = temporaryDirectory()
  let backend: ScriptedBackend
  let raw: Redis
  let account: string
  before(() => {
    raw = new Redis(url())
  })
  after(() => raw.disconnect())
  beforeEach(async () => {
    backend = await scriptedBackend(reply())
    account = crypto.randomUUID()
  })
  afterEach(() => backend.close())

  const config = (plan: JsonObject, cents?: number): TestConfig => ({
    backends: [backend.url],
    model: { pricing },
    account: { id: account, plan: 'p', ...(cents !== undefined && { credits_cents: cents }) },
    more: { limits_store: url(), plans: { p: plan } },
  })
  const withGateway = async (options: TestConfig, work: (gateway: TestGateway) => Promise<void>) => {
    const gateway = await testGateway(options)
    try {
      await work(gateway)
    } finally {
      await gateway.close()
    }
  }
  const leases = () => raw.zcard(`sluiceway:{${account}}:leases`)

  it('are one call for a request and one for its end, and none for the events of a stream', async () => {
    await withGateway(config({ concurrency: 9, requests: { limit: 1000, window: '1d' } }, 100), async gateway => {
      const scripts = async () => {
        const calls = [...(await raw.info('commandstats')).matchAll(/cmdstat_eval(?:sha)?:calls=(\d+)/g)]
        return calls.reduce((sum, [, count]) => sum + Number(count), 0)
      }
      backend.script = reply('word '.repeat(100))
      const chat = async () => {
        const response = await gateway.post(CHAT, { ...BODY, stream: true })
        expect(response.status).equal(200)
        await response.text()
      }
      // Loads the ledger and the script.
      await chat()
      const before = await scripts()
      for (let i = 0; i < 50; i++) await chat()
      // In addition, the process sends a heartbeat every three seconds.
      expect((await scripts()) - before).within(99, 105)
      expect(await leases()).equal(0)
    })
  })

  it('refuse in the order of the chain, before anything that is wrong with the request', async () => {
    const options = config({ concurrency: 1, requests: { limit: 1, window: '1d' } }, 0)
    await withGateway(options, async gateway => {
      const codeOf = async (body: JsonObject | string) => {
        const response = await gateway.post(CHAT, body)
        return ((await response.json()) as { error: { code: string } }).error.code
      }
      const bodies = [
        BODY,
        '{',
        { ...BODY, model: 'none' },
        { ...BODY, messages: [{ role: 'user', content: 'x'.repeat(1e5) }] },
      ]
      const codes = async () => {
        const found: string[] = []
        for (const body of bodies) found.push(await codeOf(body))
        return found
      }
      expect(await codes()).deep.equal([
        ...['insufficient_credits', 'invalid_json_request', 'model_not_found', 'insufficient_credits'],
      ])
      // No lease is left.
      expect(await raw.hget(`sluiceway:{${account}}:quota:86400000`, 'used')).oneOf([null, '0'])
      await raw.hset(`sluiceway:{${account}}:quota:86400000`, {
        end: (Math.floor(Date.now() / 864e5) + 1) * 864e5,
        used: 1,
      })
      expect(await codes()).deep.equal(bodies.map(() => 'request_quota_exceeded'))
      await raw.zadd(`sluiceway:{${account}}:leases`, Date.now() + 60_000, 'another')
      expect(await codes()).deep.equal(bodies.map(() => 'concurrency_limit_exceeded'))
      expect(backend.requests).empty
    })
  })

  it('are released when a lease expires after a process is killed', async () => {
    const options = config({ concurrency: 3 })
    const [victim, other] = await Promise.all(['a', 'b'].map(name => startProcess(directory(), name, options)))
    try {
      const ask = (at: string, stream: boolean) =>
        fetch(at + CHAT, {
          method: 'POST',
          headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
          body: JSON.stringify({ ...BODY, stream }),
        })
      backend.script = startStream
      const running = Array.from({ length: 3 }, () => ask(victim!.url, true).then(response => response.text()))
      const broken = Promise.allSettled(running)
      await eventually(() => backend.requests.length === 3)
      backend.script = reply()
      // A process grants its local share while Redis is slow. On a busy machine it takes a moment until both agree.
      const isFull = async () => (await ask(other!.url, false)).status === 429
      await eventually(isFull, 'no free place')
      // Longer than the duration of a lease: the leases have been renewed.
      await sleep(10_000)
      await eventually(isFull, 'no free place')
      await victim!.kill()
      await broken
      await eventually(isFull, 'no free place')
      await eventually(async () => (await ask(other!.url, false)).status === 200, 'a free place')
      await eventually(async () => (await leases()) === 0)
    } finally {
      await Promise.all([victim!.kill(), other!.stop()])
    }
  })

  it('are free again once a Redis that has hung for longer than a lease lasts goes on', async () => {
    const own = await redisServer(['--save', '', '--appendonly', 'no'])
    if (own === undefined) throw new Error('redis-server is needed: apt-get install redis-server')
    const options = config({ concurrency: 6 })
    const more = { ...options.more, limits_store: own.url, limits: { processes: 2 } }
    const processes = await Promise.all(['a', 'b'].map(name => startProcess(directory(), name, { ...options, more })))
    const held: ServerResponse[] = []
    backend.script = res => {
      startStream(res)
      held.push(res)
    }
    const endAll = () => {
      for (const res of held.splice(0)) {
        for (const event of textEvents('Hello')) sendEvent(res, event)
        res.end('data: [DONE]\n\n')
      }
    }
    try {
      /** Sends requests at once. Resolves with the number of those that were served and ended after `meanwhile`. */
      const served = async (count: number, meanwhile?: () => void) => {
        let refused = 0
        const asked = Array.from({ length: count }, async (_, turn) => {
          const response = await fetch(processes[turn % 2]!.url + CHAT, {
            method: 'POST',
            headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
            body: JSON.stringify({ ...BODY, stream: true }),
          })
          if (response.status === 429) refused++
          await response.text()
        })
        await eventually(() => held.length + refused === count, 'each decision')
        meanwhile?.()
        endAll()
        await Promise.all(asked)
        return count - refused
      }
      expect(await served(8, () => own.hang())).equal(6)
      // Without Redis, each process grants half of the limit. All streams end before Redis continues.
      for (const hungAt = performance.now(); performance.now() - hungAt < 12_000; ) expect(await served(8)).equal(6)
      own.resume()
      const resumedAt = performance.now()
      await eventually(async () => (await served(6)) === 6, 'all places')
      if (process.env.FIGURES) console.log({ placesFreeAfterMs: Math.round(performance.now() - resumedAt) })
    } finally {
      endAll()
      own.resume()
      await Promise.all(processes.map(one => one.stop()))
      await own.stop()
    }
  })
})
