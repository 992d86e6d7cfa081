/** Requests to engines with prefix caches, through one gateway and through two that share. */
import { join } from 'node:path'
import { expect } from 'chai'
import { Redis } from 'ioredis'
import { systemClock } from '../../lib/base/clock.ts'
import type { JsonObject } from '../../lib/base/json.ts'
import { cordonBackend, uncordonBackend } from '../../lib/store/cordons.ts'
import { openStore } from '../../lib/store/store.ts'
import { faster, H100_8B } from '../../simulator/engine-speed.ts'
import { createTimedEngine, type TimedEngine } from '../../simulator/timed-engine.ts'
import { eventually, type TestGateway, testGateway } from '../support/gateway.ts'
import { useRedis } from '../support/services.ts'
import { silent } from '../support/stores.ts'

const SPEED = { ...faster(H100_8B, 20), blockTokens: 16 }
const words = (name: string, count = 3000) => `${name} `.repeat(count)

describe('routing by cost', () => {
  const redis = useRedis()
  let engines: TimedEngine[]
  let backends: string[]
  const gateways: TestGateway[] = []

  beforeEach(async () => {
    engines = Array.from({ length: 4 }, () => createTimedEngine(SPEED))
    const ports = await Promise.all(engines.map(engine => engine.listen(0, '127.0.0.1')))
    backends = ports.map(port => `http://127.0.0.1:${port}/v1`)
  })
  afterEach(async () => {
    for (const gateway of gateways.splice(0)) await gateway.close()
    for (const engine of engines) await engine.close()
  })

  const start = async (more: JsonObject = {}, model: JsonObject = {}) => {
    const gateway = await testGateway({ backends, more, model: { max_model_len: 100_000, ...model } })
    gateways.push(gateway)
    return gateway
  }
  /** Shared by gateways with separate journals. */
  const shared = () => ({ limits_store: redis(), cache_isolation_key: 'a secret of sixteen characters' })

  const ask = async (gateway: TestGateway, path: string, body: JsonObject, headers: Record<string, string> = {}) => {
    const response = await gateway.post(path, { model: 'm', stream: true, max_tokens: 4, ...body }, { headers })
    expect(response.status).equal(200)
    return response.text()
  }
  const chat = (gateway: TestGateway, text: string, headers?: Record<string, string>) =>
    ask(gateway, '/v1/chat/completions', { messages: [{ role: 'user', content: text }] }, headers)
  const used = () => engines.filter(({ model }) => model.computed > 0)
  const computed = () => engines.reduce((sum, { model }) => sum + model.computed, 0)

  it('sends a conversation to the engine that has it, in every format', async () => {
    const gateway = await start()
    const system = words('rules')
    await ask(gateway, '/v1/chat/completions', {
      messages: [
        { role: 'system', content: system },
        { role: 'user', content: 'a' },
      ],
    })
    await ask(gateway, '/v1/messages', { system, messages: [{ role: 'user', content: 'b' }] })
    await ask(gateway, '/v1/responses', {
      instructions: system,
      input: 'c',
      max_output_tokens: 4,
      max_tokens: undefined as never,
    })
    expect(used()).length(1)
    expect(await gateway.metric('sluiceway_routing_decisions_total', 'reason="prefix"')).equal(2)
    expect(await gateway.metric('sluiceway_routing_cached_tokens_total', 'kind="reported"')).above(8000)
  })

  it('finds the beginning of a large body as of a small one', async () => {
    const gateway = await start()
    const text = words('"beginning"\n', 5000)
    await chat(gateway, text)
    await chat(gateway, text + words('and more', 12_000))
    expect(used()).length(1)
  })

  it('sends prompts that have nothing in common to different engines', async () => {
    const gateway = await start()
    await Promise.all(['a', 'b', 'c', 'd'].map(name => chat(gateway, words(name.repeat(6)))))
    expect(used()).length(4)
  })

  it('learns from replies how fast the engines are, and how many tokens a text has', async () => {
    const gateway = await start()
    for (let i = 0; i < 4; i++) await chat(gateway, words(`w${i}`, 8000))
    // A token of these engines has four characters.
    expect(await gateway.metric('sluiceway_routing_tokens_per_byte')).within(0.24, 0.26)
    const speeds = await gateway.metric('sluiceway_routing_prefill_tokens_per_second')
    expect(speeds / 4).not.equal(30_000)
    // As in `sluiceway backends list`.
    const [shown] = gateway.gateway.backends()[0]!.backends
    expect(shown!.learnt!.prefillTokensPerSecond.value).closeTo(speeds / 4, speeds / 4000)
  })

  it('is helped by a session, which no load can be forced with', async () => {
    const gateway = await start()
    const session = { 'x-session-id': 'one' }
    // Too short for a chunk: only the header connects them.
    for (let i = 0; i < 12; i++) await chat(gateway, 'hi '.repeat(200 + i), session)
    expect(used()).length(1)
    const [first] = used()
    const before = first!.model.computed
    // Long prompts without a common prefix are sent to idle backends.
    await Promise.all(Array.from({ length: 8 }, (_, i) => chat(gateway, words(`long${i}`, 6000), session)))
    expect(used()).length(4)
    expect(first!.model.computed - before).below(computed() / 2)
  })

  it('remembers the cache of a backend that was drained', async () => {
    const gateway = await start()
    await chat(gateway, words('kept'))
    const [address] = backends.filter((_, i) => engines[i]!.model.computed > 0)
    const store = await openStore(`sqlite:${join(gateway.dir, 'store.db')}`, { log: silent })
    try {
      const cordon = { url: address!, model: undefined }
      const state = () => gateway.gateway.backends()[0]!.backends.find(one => one.address === address)!.state
      await cordonBackend(store, cordon, systemClock.micros())
      await eventually(() => state() === 'drained', 'the drain')
      await uncordonBackend(store, cordon)
      await eventually(() => state() === 'up', 'its end')
    } finally {
      await store.close()
    }
    await chat(gateway, words('kept'))
    expect(used()).length(1)
    expect(await gateway.metric('sluiceway_routing_decisions_total', 'reason="prefix"')).equal(1)
  })

  it('loses only what is in flight on engines that die under load, and uses them again when they are back', async () => {
    const gateway = await start()
    const conversations = Array.from({ length: 16 }, (_, i) => words(`conversation${i}`, 800))
    const lost: string[] = []
    let done = 0
    let running = true
    const client = async (i: number) => {
      for (let n = i; running; n += 5) {
        const response = await gateway.post('/v1/chat/completions', {
          model: 'm',
          stream: true,
          max_tokens: 8,
          messages: [{ role: 'user', content: conversations[n % conversations.length]! }],
        })
        const text = await response.text().catch(String)
        if (response.status === 200 && text.includes('[DONE]')) done++
        else lost.push(text)
      }
    }
    const clients = Array.from({ length: 12 }, (_, i) => client(i))
    const served = async (count: number, what: string) => {
      const goal = done + count
      await eventually(() => done >= goal, what, 60_000)
    }
    const at = (urls: readonly string[]) =>
      gateway.gateway.backends()[0]!.backends.filter(({ address }) => urls.includes(address))
    try {
      await served(150, 'requests to four engines')
      expect(lost).deep.equal([])

      const dead = backends.slice(0, 2)
      const inFlight = at(dead).reduce((sum, backend) => sum + backend.inFlight, 0)
      await Promise.all(engines.slice(0, 2).map(engine => engine.close()))
      await served(150, 'requests to two engines')
      expect(lost.length, lost.join('\n')).most(inFlight)
      const lostWithThem = lost.length

      for (const i of [0, 1]) {
        engines[i] = createTimedEngine(SPEED)
        await engines[i]!.listen(Number(new URL(backends[i]!).port), '127.0.0.1')
      }
      await eventually(() => at(dead).every(({ state }) => state === 'up'), 'engines that are back', 90_000)
      await served(300, 'requests to four engines again')
      expect(lost.length).equal(lostWithThem)
    } finally {
      running = false
      await Promise.all(clients)
    }
    // Conversations have moved, and new ones are sent to the recovered backend first.
    await Promise.all(['w', 'x', 'y', 'z'].map(name => chat(gateway, words(name.repeat(7), 4000))))
    for (const engine of engines) expect(engine.model.computed).above(0)
    const before = computed()
    for (const conversation of conversations) await chat(gateway, conversation)
    const prompts = conversations.reduce((sum, { length }) => sum + length / 4, 0)
    expect(computed() - before).below(prompts / 4)
  }).timeout(240_000)

  it('keeps tenants apart that are isolated', async () => {
    const gateway = await start({ cache_isolation: 'account' })
    await chat(gateway, words('mine'))
    expect(await gateway.metric('sluiceway_routing_decisions_total', 'reason="new"')).equal(1)
    await chat(gateway, words('mine'))
    expect(await gateway.metric('sluiceway_routing_decisions_total', 'reason="prefix"')).equal(1)
  })

  it('is one decision in several processes that share Redis', async () => {
    const two = [await start(shared()), await start(shared())]
    for (let i = 0; i < 6; i++) {
      const before = computed()
      await chat(two[0]!, words(`prompt${i}`))
      const first = computed() - before
      await eventually(async () => {
        const at = computed()
        await chat(two[1]!, words(`prompt${i}`))
        return computed() - at < first / 10
      }, 'the other gateway knows where it is')
    }
  })

  it('is separate in processes with different keys, and /readyz says so', async () => {
    const keyed = await start(shared())
    const another = await start({ limits_store: redis() })
    for (const { gateway } of [keyed, another])
      await eventually(async () => {
        const response = await fetch(`${gateway.adminUrl}/readyz`)
        return response.status === 200 && /^ok\nother gateways .* cache_isolation_key/.test(await response.text())
      }, 'both say so')
  })

  it('tells others nothing of requests with zero data retention', async () => {
    const zdr = { backends: backends.map(url => ({ url, model: 'upstream-m', engine: 'vllm', zdr: true })) }
    const gateway = await start(shared(), zdr)
    const raw = new Redis(redis())
    const heard: string[] = []
    try {
      raw.on('pmessage', (_pattern, _channel, text: string) => heard.push(text))
      await raw.psubscribe('sluiceway:routing:*')
      await chat(gateway, words('secret'), { 'service-zdr': 'required' })
      await eventually(() => heard.length > 0, 'its load is told')
      expect(heard.filter(text => text.length > 200 || text.includes('secret'))).deep.equal([])
      const before = heard.length
      await chat(gateway, words('open'))
      await eventually(() => heard.slice(before).some(text => text.length > 200), 'hashes of others are told')
    } finally {
      raw.disconnect()
    }
  })

  it('waits neither for Redis nor for metrics', async () => {
    const gateway = await start({
      limits_store: 'redis://127.0.0.1:1',
      cache_isolation_key: 'a secret of sixteen characters',
    })
    await chat(gateway, words('hello'))
    await chat(gateway, words('hello'))
    expect(used()).length(1)
  })
})
