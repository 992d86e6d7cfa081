import { expect } from 'chai'
import { LiveBoard, type LiveUpdate } from '../../../../lib/admin/live/board.ts'
import { type BackendCounts, type LivePeriod, noCounts } from '../../../../lib/admin/live/counts.ts'
import type { ListedBackend } from '../../../../lib/backends/backend-list.ts'
import { countFirstToken } from '../../../../lib/backends/lease.ts'
import { ManualClock } from '../../../support/clock.ts'

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
  problem: null,
}

function counts(more: Partial<BackendCounts> = {}, ttft: readonly number[] = []): BackendCounts {
  const one = { model: 'm', backend: URL, ...noCounts(), ...more }
  for (const ms of ttft) countFirstToken(one.firstTokens, ms)
  return one
}

describe('LiveBoard', () => {
  let periods: readonly LivePeriod[] = []
  let board: LiveBoard
  beforeEach(() => {
    periods = []
    board = new LiveBoard({
      clock: new ManualClock(),
      backends: async () => [listed],
      periods: async () => periods,
      unready: () => [],
    })
  })
  afterEach(() => board.close())

  it('adds what all processes have counted to a point', async () => {
    periods = [
      { backends: [counts({ requests: 4, errors: 1, outputTokens: 100 }, [100, 100])], failures: [] },
      { backends: [counts({ requests: 6, model: null, backend: null })], failures: [] },
    ]
    await board.tick()
    expect(board.points).lengthOf(1)
    expect(board.points[0]).deep.include({
      requests_per_second: 2,
      errors_per_second: 0.2,
      tokens_per_second: 20,
      in_flight: 3,
    })
    expect(board.points[0]!.ttft_p50_ms).within(70, 140)
  })

  it('shows a backend with the rates of the last minute alone', async () => {
    periods = [
      { backends: [counts({ requests: 60, inputTokens: 200, cachedTokens: 50, outputTokens: 120 })], failures: [] },
    ]
    await board.tick()
    periods = []
    for (let i = 0; i < 11; i++) await board.tick()
    const [row] = (await board.state()).rows
    expect(row).deep.include({
      requests_per_second: 1,
      tokens_per_second: 2,
      cache_hit_pct: 25,
      in_flight: 3,
      limit: 8,
    })
    await board.tick()
    expect((await board.state()).rows[0]).deep.include({ requests_per_second: 0, cache_hit_pct: null })
  })

  it('has points of a model from its first call on, until it is quiet for an hour', async () => {
    await board.tick()
    expect(board.models).deep.equal([])
    const unknown = counts({ model: 'n', requests: 5 })
    periods = [{ backends: [counts({ requests: 10, outputTokens: 50 }, [100]), unknown], failures: [] }]
    const updates: LiveUpdate[] = []
    board.listen(update => void updates.push(update))
    await board.tick()
    // Of a model that is in no backend's list nothing is kept.
    expect(board.models).deep.equal(['m'])
    expect(board.pointsOf('m')).lengthOf(1)
    expect(board.pointsOf('m')[0]).deep.include({ requests_per_second: 2, tokens_per_second: 10, in_flight: 3 })
    expect(updates[0]!.models.get('m')).equal(board.pointsOf('m')[0])
    expect(board.pointsOf('n')).deep.equal([])
    periods = []
    listed.in_flight = 0
    for (let at = 0; at < 719; at++) await board.tick()
    expect(board.pointsOf('m')).lengthOf(720)
    await board.tick()
    expect(board.models).deep.equal([])
    listed.in_flight = 3
  })

  it('keeps an hour, and the last failures, newest first', async () => {
    for (let at = 0; at < 730; at++) {
      const failure = { id: `req_${at}`, at, model: 'm', backend: URL, status: 502, code: null, reason: 'broke' }
      periods = [{ backends: [], failures: [failure] }]
      await board.tick()
    }
    expect(board.points).lengthOf(720)
    const { failures } = await board.state()
    expect([failures.length, failures[0]!.id]).deep.equal([20, 'req_729'])
  })

  it('tells those who listen, and survives a process that does not answer', async () => {
    const seen: number[] = []
    const stop = board.listen(({ point }) => seen.push(point.requests_per_second))
    periods = [{ backends: [counts({ requests: 5 })], failures: [] }]
    await board.tick()
    periods = undefined as unknown as LivePeriod[]
    await board.tick()
    periods = []
    stop()
    await board.tick()
    expect(seen).deep.equal([1])
  })
})
