import { expect } from 'chai'
import { listBackends, listEmpty } from '../../../lib/backends/backend-list.ts'
import { BackendPool } from '../../../lib/backends/pool.ts'
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
    const [a, b] = listBackends(pools.map(pool => pool.snapshot()))
    expect(a).include({ model: 'm', url: 'http://a/v1', in_flight: 2, limit: 4, zdr: false, drain: null })
    expect(a?.ttft_p95_ms).within(200, 266)
    expect([a, b].map(one => one?.errors).sort()).deep.equal([0, 5])
    expect([a, b].map(one => one?.state)).include('ejected')
    expect(b).include({ limit: null })
    expect((a?.requests_per_second ?? 0) + (b?.requests_per_second ?? 0)).closeTo(7 / 60, 0.02)
  })

  it('has a row for a source without backends', () => {
    expect(listEmpty([{ model: 'm', source: 'dns A x', zdr: true, problem: 'NXDOMAIN' }])).deep.equal([
      {
        model: 'm',
        url: 'dns A x',
        state: 'unhealthy',
        drain: null,
        zdr: true,
        in_flight: 0,
        limit: null,
        requests_per_second: 0,
        errors: 0,
        ttft_p95_ms: null,
        learnt: null,
        beliefs: null,
        problem: 'NXDOMAIN',
      },
    ])
  })

  it('shows the assumptions of routing, from the first process that has any', () => {
    const pool = new BackendPool([both], new ManualClock(), { health: null })
    const [a, b] = listBackends([
      pool.snapshot(),
      pool.snapshot(({ address }) => (address === 'http://a/v1' ? LEARNT : null)),
    ])
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
    expect(listBackends([pool.snapshot(), pool.snapshot()])).lengthOf(2)
  })
})
