import { expect } from 'chai'
import { BackendPool } from '../../../lib/backends/pool.ts'
import { Metrics } from '../../../lib/base/metrics.ts'
import type { ModelConfig } from '../../../lib/config/config.ts'
import type { Target } from '../../../lib/core/slots.ts'
import { Routing } from '../../../lib/routing/routing.ts'
import { TokenRatios } from '../../../lib/tokens/token-ratios.ts'
import { backendWith } from '../../support/backend-config.ts'
import { chatRequest, model as modelConfig, targetOf } from '../../support/canonical.ts'
import { ManualClock } from '../../support/clock.ts'

const COST = { policy: 'cost', session_header: 'x-session-id', attention_tokens: 32_000 } as const

function setUp(members: Partial<ModelConfig> = {}) {
  const clock = new ManualClock()
  const metrics = new Metrics()
  const backends = ['a', 'b', 'c'].map(name => ({ ...backendWith({ cache_path: null }), url: `http://${name}/v1` }))
  const model = modelConfig({}, { routing: COST, backends, ...members })
  const pool = new BackendPool([model], clock, { health: null })
  const routing = new Routing({ clock, metrics, tokens: new TokenRatios() })
  const request = chatRequest({ stream: true, messages: [{ role: 'user', content: 'word '.repeat(4000) }] })
  const route = (more: Partial<Target> = {}, sent: Parameters<Routing['route']>[0]['request'] = request) =>
    routing.route({ request: sent, target: { ...targetOf(model), ...more }, bodyBytes: 20_000 })
  const send = (more: Partial<Target> = {}, sent = request) => {
    const routed = route(more, sent)!
    const backend = pool.pick(model, false, undefined, routed.choose)
    const lease = backend.acquire(routed.place(backend))
    lease.answering(true)
    lease.release('ok')
    return backend
  }
  return { routing, model, pool, route, send, metrics, request }
}

describe('Routing', () => {
  it('computes nothing for least_load', () => {
    expect(setUp({ routing: { ...COST, policy: 'least_load' } }).route()).equal(undefined)
  })

  it('sends prompts with a common beginning to the same backend, until it was down', async () => {
    const { routing, send, metrics } = setUp()
    const first = send()
    for (let i = 0; i < 10; i++) expect(send()).equal(first)
    const unknown = /reason="new"\} (\d)/
    expect(unknown.exec(await metrics.registry.metrics())![1]).equal('1')
    routing.lost(first)
    send()
    expect(unknown.exec(await metrics.registry.metrics())![1]).equal('2')
  })

  it('sees the requests of other models at the same server', () => {
    const { routing, model, request } = setUp()
    const others = model.backends.slice(0, 2).map((one, i) => ({ ...model, id: `other${i}`, backends: [one] }))
    const pool = new BackendPool([model, ...others], new ManualClock(), { health: null })
    const send = (one: ModelConfig) => {
      const routed = routing.route({ request, target: targetOf(one), bodyBytes: 20_000 })!
      const backend = pool.pick(one, false, undefined, routed.choose)
      backend.acquire(routed.place(backend))
      return backend.address
    }
    expect([...others, model].map(send)).deep.equal(['http://a/v1', 'http://b/v1', 'http://c/v1'])
  })

  it('shares no prefix between isolated tenants', async () => {
    const { send, metrics } = setUp()
    const decisions = async (reason: string) =>
      Number(new RegExp(`reason="${reason}"\\} (\\d)`).exec(await metrics.registry.metrics())?.[1] ?? 0)
    for (const cacheSalt of ['one', 'two', undefined]) send({ cacheSalt })
    expect([await decisions('new'), await decisions('prefix')]).deep.equal([3, 0])
    send({ cacheSalt: 'one' })
    expect([await decisions('new'), await decisions('prefix')]).deep.equal([3, 1])
  })

  it('lets no session name a backend', () => {
    const { send, pool } = setUp()
    const first = send()
    for (const other of pool.backends()) {
      expect(send({ session: other.address })).equal(first)
    }
  })

  it('connects short requests of one session of one account', async () => {
    const { send } = setUp()
    const sent = (account: string, at: number) =>
      send({ account, session: 's' }, chatRequest({ messages: [{ role: 'user', content: `hi ${at}` }] }))
    const one = Array.from({ length: 8 }, (_, at) => sent('one', at))
    expect(new Set(one).size).equal(1)
    const others = Array.from({ length: 8 }, (_, at) => sent(`other${at}`, at))
    expect(new Set(others).size).above(1)
  })

  it('routes pipes by their size', () => {
    const { route, pool, model } = setUp()
    const pipe = { kind: 'pipe', model: 'm', body: {}, withoutEffect: new Set<string>() } as const
    const used = Array.from({ length: 3 }, () => {
      const routed = route({}, pipe)!
      const backend = pool.pick(model, false, undefined, routed.choose)
      backend.acquire(routed.place(backend))
      return backend
    })
    expect(new Set(used).size).equal(3)
  })

  it('has only labels of the configuration', async () => {
    const { send, metrics } = setUp()
    send({ session: 'a secret session' })
    const text = await metrics.registry.metrics()
    expect(text).match(/sluiceway_routing_decisions_total\{model="m",reason="new"\} 1/)
    expect(text).not.include('secret')
  })

  it('shows what it has measured of each backend', () => {
    const { routing, send } = setUp()
    const first = send()
    const found = Array.from(routing.measured(), one => ({ ...one, count: one.predictions.count }))
    expect(found.map(({ backend }) => backend.address)).members(['http://a/v1', 'http://b/v1', 'http://c/v1'])
    for (const { backend, fill, count } of found) {
      expect(count).equal(0)
      expect(fill > 0).equal(backend === first)
    }
  })

  it('forgets removed backends', () => {
    const { routing, send } = setUp()
    send()
    routing.update([])
    send()
    routing.close()
  })
})
