import { mock } from 'node:test'
import { expect } from 'chai'
import { type BackendCounts, type LivePeriod, noCounts } from '../../../../lib/admin/live/counts.ts'
import { Dashboard, type LiveUpdate } from '../../../../lib/admin/live/dashboard.ts'
import type { ListedBackend } from '../../../../lib/backends/backend-list.ts'
import { countFirstToken } from '../../../../lib/backends/recent.ts'
import { ManualClock } from '../../../support/clock.ts'
import { configOf } from '../../../support/config.ts'

const URL = 'http://a/v1'
const listed: { -readonly [N in keyof ListedBackend]: ListedBackend[N] } = {
  model: 'm',
  url: URL,
  state: 'up',
  drain: null,
  zdr: false,
  in_flight: 3,
  limit: 8,
  requests_per_second: 0,
  errors: 0,
  ttft_p95_ms: null,
  learnt: null,
  beliefs: null,
  problem: null,
  machines: [],
}

function counts(more: Partial<BackendCounts> = {}, ttft: readonly number[] = []): BackendCounts {
  const one = { model: 'm', backend: URL, ...noCounts(), ...more }
  for (const ms of ttft) countFirstToken(one.firstTokens, ms)
  return one
}

describe('Dashboard', () => {
  let periods: readonly LivePeriod[] = []
  let dashboard: Dashboard
  /** A tick of the dashboard, until it has asked all processes. */
  const tick = () => {
    mock.timers.tick(5000)
    return new Promise(setImmediate)
  }
  beforeEach(() => {
    mock.timers.enable({ apis: ['setInterval'] })
    periods = []
    dashboard = new Dashboard({
      clock: new ManualClock(),
      config: () => configOf('models: [{ id: m, max_concurrency: 5, backends: [{ url: "http://a/v1" }] }]'),
      backends: async () => [listed],
      gateways: async () => [],
      periods: async () => periods,
      unready: () => [],
    })
  })
  afterEach(() => {
    dashboard.close()
    mock.timers.reset()
  })

  it('sums the counts of all processes in a point', async () => {
    periods = [
      { backends: [counts({ requests: 4, errors: 1, outputTokens: 100 }, [100, 100])], failures: [] },
      { backends: [counts({ requests: 6, model: null, backend: null })], failures: [] },
    ]
    await tick()
    expect(dashboard.points).lengthOf(1)
    expect(dashboard.points[0]).deep.include({
      requests_per_second: 2,
      errors_per_second: 0.2,
      tokens_per_second: 20,
      in_flight: 3,
    })
    expect(dashboard.points[0]!.ttft_p50_ms).within(70, 140)
  })

  it('has the rates of a model over its backends, with requests that reached none', async () => {
    const rest = counts({ requests: 20, errors: 20, backend: null })
    periods = [{ backends: [counts({ requests: 40, outputTokens: 50 }, [100]), rest], failures: [] }]
    await tick()
    const { modelRows } = await dashboard.state()
    expect(modelRows).lengthOf(1)
    const [model] = modelRows
    const known = { model: 'm', backends: 1, up: 1, in_flight: 3, limit: 5 }
    expect(model).deep.include({ ...known, requests_per_second: 12, tokens_per_second: 10, errors: 20 })
    expect(model!.ttft_p95_ms).within(70, 140)
  })

  it('has the queue of a model over all processes, and its mean wait in the last minute', async () => {
    const sent = counts({ requests: 2, sent: 2, waitMs: 300 })
    const queues = [{ model: 'm', waiting: 2 }]
    periods = [
      { backends: [sent], failures: [], queues },
      { backends: [counts({ requests: 1, sent: 1, waitMs: 0 })], failures: [], queues: [{ model: 'm', waiting: 1 }] },
    ]
    await tick()
    const [model] = (await dashboard.state()).modelRows
    expect([model!.queued, model!.wait_ms]).deep.equal([3, 100])
    expect([dashboard.points[0]!.queued, dashboard.pointsOf('m')[0]!.queued]).deep.equal([3, 3])
    periods = [{ backends: [counts({ requests: 1 })], failures: [] }]
    await tick()
    expect((await dashboard.state()).modelRows[0]!.queued).equal(null)
    expect(dashboard.points[1]!.queued).equal(null)
  })

  it('has the rates of a backend in the last minute', async () => {
    periods = [
      { backends: [counts({ requests: 60, inputTokens: 200, cachedTokens: 50, outputTokens: 120 })], failures: [] },
    ]
    await tick()
    periods = []
    for (let i = 0; i < 11; i++) await tick()
    const [row] = (await dashboard.state()).rows
    expect(row).deep.include({
      requests_per_second: 1,
      tokens_per_second: 2,
      cache_hit_pct: 25,
      in_flight: 3,
      limit: 8,
    })
    await tick()
    expect((await dashboard.state()).rows[0]).deep.include({ requests_per_second: 0, cache_hit_pct: null })
  })

  it('has points of a model from its first request until an hour without requests', async () => {
    await tick()
    expect(dashboard.models).deep.equal([])
    const unknown = counts({ model: 'n', requests: 5 })
    periods = [{ backends: [counts({ requests: 10, outputTokens: 50 }, [100]), unknown], failures: [] }]
    const updates: LiveUpdate[] = []
    dashboard.listen(update => void updates.push(update))
    await tick()
    // Nothing is kept of a model without backends.
    expect(dashboard.models).deep.equal(['m'])
    expect(dashboard.pointsOf('m')).lengthOf(1)
    expect(dashboard.pointsOf('m')[0]).deep.include({ requests_per_second: 2, tokens_per_second: 10, in_flight: 3 })
    expect(updates[0]!.models.get('m')).equal(dashboard.pointsOf('m')[0])
    expect(dashboard.pointsOf('n')).deep.equal([])
    periods = []
    listed.in_flight = 0
    for (let at = 0; at < 719; at++) await tick()
    expect(dashboard.pointsOf('m')).lengthOf(720)
    await tick()
    expect(dashboard.models).deep.equal([])
    listed.in_flight = 3
  })

  it('keeps an hour, and the last failures, newest first', async () => {
    for (let at = 0; at < 730; at++) {
      const failure = { id: `req_${at}`, at, model: 'm', backend: URL, status: 502, code: null, reason: 'broke' }
      periods = [{ backends: [], failures: [failure] }]
      await tick()
    }
    expect(dashboard.points).lengthOf(720)
    const { failures } = await dashboard.state()
    expect([failures.length, failures[0]!.id]).deep.equal([20, 'req_729'])
  })

  it('calls its listeners, and survives a process that does not answer', async () => {
    const seen: number[] = []
    const stop = dashboard.listen(({ point }) => seen.push(point.requests_per_second))
    periods = [{ backends: [counts({ requests: 5 })], failures: [] }]
    await tick()
    periods = undefined as unknown as LivePeriod[]
    await tick()
    periods = []
    stop()
    await tick()
    expect(seen).deep.equal([1])
  })
})
