import { expect } from 'chai'
import {
  type GatewayView,
  listBackends,
  machinesText,
  type SeenBackend,
  seenBackends,
  seenEmpty,
} from '../../../lib/backends/backend-list.ts'
import { BackendPool, type ModelSnapshot } from '../../../lib/backends/pool.ts'
import { backendConfig } from '../../support/backend-config.ts'
import { model } from '../../support/canonical.ts'
import { ManualClock } from '../../support/clock.ts'
import { LEARNT } from '../../support/learnt.ts'

const both = model(
  {},
  {
    backends: [backendConfig({ url: 'http://a/v1', max_concurrency: 4 }), backendConfig({ url: 'http://b/v1' })],
  },
)

const gateway = (machine: string, backends: readonly SeenBackend[], isStale = false): GatewayView => ({
  machine,
  isStale,
  backends,
})
/** The list of a gateway with these processes. */
const list = (processes: readonly (readonly ModelSnapshot[])[]) =>
  listBackends([gateway('gw', seenBackends(processes))])

describe('backends/backend-list', () => {
  it('adds up the counts of several processes, and shows the worst state', () => {
    const clock = new ManualClock()
    const pools = [1, 2].map(() => new BackendPool([both], clock, { health: null, random: () => 0 }))
    const leases = pools.map(pool => pool.pick(both, false).acquire())
    clock.advance(200)
    for (const lease of leases) lease.answering(true)
    const bad = pools[1]!.pick(both, false)
    for (let i = 0; i < 5; i++) {
      bad.acquire().release('neutral')
      bad.health.unreachable()
    }
    const [a, b] = list(pools.map(pool => pool.snapshot()))
    expect(a).include({ model: 'm', url: 'http://a/v1', in_flight: 2, limit: 4, zdr: false, drain: null })
    expect(a?.ttft_p95_ms).within(200, 266)
    expect([a, b].map(one => one?.errors).sort()).deep.equal([0, 5])
    expect([a, b].map(one => one?.state)).include('ejected')
    expect(b).include({ limit: null })
    expect((a?.requests_per_second ?? 0) + (b?.requests_per_second ?? 0)).closeTo(7 / 60, 0.02)
  })

  it('has a row for a source without backends', () => {
    const seen = seenEmpty([{ model: 'm', source: 'dns A x', zdr: true, problem: 'NXDOMAIN' }])
    const state = {
      state: 'unhealthy',
      drain: null,
      in_flight: 0,
      requests_per_second: 0,
      errors: 0,
      ttft_p95_ms: null,
      problem: 'NXDOMAIN',
    }
    const none = { limit: null, learnt: null, beliefs: null }
    const machines = [{ machine: 'gw', stale: false, ...state }]
    expect(listBackends([gateway('gw', seen)])).deep.equal([
      { model: 'm', url: 'dns A x', zdr: true, ...state, ...none, machines },
    ])
  })

  it('shows the assumptions of routing, from the first process that has any', () => {
    const pool = new BackendPool([both], new ManualClock(), { health: null })
    const [a, b] = list([pool.snapshot(), pool.snapshot(({ address }) => (address === 'http://a/v1' ? LEARNT : null))])
    expect(a!.learnt).deep.equal({
      prefill_tokens_per_second: 1235,
      decode_step_ms: 5.679,
      cache_tokens: 420_000,
      cache_source: 'engine',
    })
    const belief = { source: 'replies', samples: 0, moved_at: null, engine: null, contradicts_pool: false }
    expect(a!.beliefs).deep.equal({
      prefill_tokens_per_second: {
        ...belief,
        value: 1235,
        samples: 14,
        moved_at: '2026-11-21T12:00:00.000Z',
        contradicts_pool: true,
      },
      floor_ms: { ...belief, value: 41.235 },
      decode_step_ms: { ...belief, value: 5.679, source: 'set' },
      cache_tokens: { ...belief, value: 420_000, source: 'engine', engine: 420_000 },
    })
    expect([b!.learnt, b!.beliefs]).deep.equal([null, null])
  })

  it('lists backends with the same address separately', () => {
    const twins = model({}, { backends: [1, 2].map(() => backendConfig({ url: 'http://a/v1' })) })
    const pool = new BackendPool([twins], new ManualClock(), { health: null })
    expect(list([pool.snapshot(), pool.snapshot()])).lengthOf(2)
  })

  describe('of several gateways', () => {
    const seenBy = (failing: boolean, extra: Partial<SeenBackend> = {}) => {
      const pool = new BackendPool([both], new ManualClock(), { health: null, random: () => 0 })
      const lease = pool.pick(both, false).acquire()
      if (failing) for (let i = 0; i < 5; i++) [...pool.backends()][0]!.health.unreachable()
      lease.answering(true)
      return seenBackends([pool.snapshot()]).map(backend => ({ ...backend, ...extra }))
    }

    it('adds up their counts, and says which machine sees the backend in which state', () => {
      const [a, b] = listBackends([
        gateway('gw-a', seenBy(false)),
        gateway('gw-b', seenBy(true, { problem: 'answers 401' })),
      ])
      expect(a).include({
        state: 'ejected',
        in_flight: 2,
        requests_per_second: 0.03,
        errors: 5,
        problem: 'answers 401',
      })
      expect(a!.machines.map(({ machine, state, stale, in_flight }) => [machine, state, stale, in_flight])).deep.equal([
        ['gw-a', 'up', false, 1],
        ['gw-b', 'ejected', false, 1],
      ])
      expect(b!.machines.map(({ state }) => state)).deep.equal(['up', 'up'])
    })

    it('shows a lost one, without its numbers', () => {
      const [a] = listBackends([gateway('gw-a', seenBy(false)), gateway('gw-b', seenBy(true), true)])
      expect(a).include({ state: 'up', in_flight: 1, errors: 0 })
      expect(a!.machines.map(({ machine, state, stale }) => [machine, state, stale])).deep.equal([
        ['gw-a', 'up', false],
        ['gw-b', 'ejected', true],
      ])
      const [only] = listBackends([gateway('gw-a', []), gateway('gw-b', seenBy(true), true)])
      expect(only).include({ state: 'ejected', in_flight: 0, errors: 0, requests_per_second: 0 })
    })

    it('lists backends that only some have', () => {
      const [a, b] = seenBy(false)
      const rows = listBackends([gateway('gw-a', [a!]), gateway('gw-b', [a!, b!])])
      expect(rows.map(({ url, machines }) => [url, machines.map(({ machine }) => machine).join()])).deep.equal([
        ['http://a/v1', 'gw-a,gw-b'],
        ['http://b/v1', 'gw-b'],
      ])
    })

    it('shows a drain as this gateway applies it, and its state as the last one does', () => {
      const drained = { state: 'drained', cordon: 'operator' } as const
      expect(listBackends([gateway('gw-a', seenBy(false, drained)), gateway('gw-b', seenBy(false))])[0]).include({
        drain: 'operator',
        state: 'up',
      })
    })

    it('names the machines by state, few of many', () => {
      const of = (...gateways: readonly GatewayView[]) => machinesText(listBackends(gateways)[0]!.machines)
      expect(of(gateway('gw-a', seenBy(false)))).equal('up: gw-a')
      const up = Array.from({ length: 6 }, (_, i) => gateway(`gw-${i}`, seenBy(false)))
      expect(of(...up, gateway('gw-6', seenBy(true)), gateway('gw-7', seenBy(true), true))).equal(
        'lost: gw-7; ejected: gw-6; up: gw-0, gw-1, gw-2, gw-3 and 2 more',
      )
    })
  })
})
