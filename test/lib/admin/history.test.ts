import { expect } from 'chai'
import { cordon, uncordon } from '../../../lib/admin/backends.ts'
import {
  backendHistories,
  backendHistory,
  type HistoriesQuery,
  type HistoryQuery,
  modelHistory,
} from '../../../lib/admin/history.ts'
import type { JsonObject } from '../../../lib/base/json.ts'
import { addBackendEvents } from '../../../lib/store/backend-events.ts'
import { addBackendMinutes, sumBackendHours } from '../../../lib/store/backend-minutes.ts'
import type { BackendMinute } from '../../../lib/store/history-columns.ts'
import type { Store } from '../../../lib/store/store.ts'
import { refusal, useAdminContext } from '../../support/admin-context.ts'
import { backendMinute } from '../../support/backend-minutes.ts'

/** The backend of `m` in the configuration. */
const URL = 'http://127.0.0.1:8000/v1'

describe('the history of backends for operators', () => {
  const { context } = useAdminContext()
  const minuteOf = (micros: number) => Math.floor(micros / 60_000_000)
  const add = (...minutes: readonly Partial<BackendMinute>[]) =>
    addBackendMinutes(
      context().store,
      minutes.map(one => backendMinute({ backend: URL, ...one })),
    )
  const history = async (query: HistoryQuery = { range: '1h' }) => {
    const reply = await backendHistory(context(), { model: 'm', url: URL, ...query })
    return reply as { points: JsonObject[]; total: JsonObject; events: JsonObject[] } & JsonObject
  }

  it('has a point for each minute of an hour; nothing is known of minutes without data', async () => {
    const minute = minuteOf(context().now) - 1
    await add({ minute, requests: 0, up_ms: 60_000 }, { minute: minute - 59, requests: 7 })
    const { points, step, from, to, total } = await history()
    expect(points).lengthOf(60)
    expect([step, from]).deep.equal(['1m', points[0]!.at])
    expect(Date.parse(String(to)) - Date.parse(String(from))).equal(3_600_000)
    expect([points[0], points[1], points[59]].map(point => point!.requests)).deep.equal([7, null, 0])
    for (const [name, value] of Object.entries(points[1]!)) if (name !== 'at') expect(value, name).equal(null)
    expect(total.requests).equal(7)
  })

  it('computes shares, means, rates and percentiles', async () => {
    const minute = minuteOf(context().now) - 1
    const states = { up_ms: 90_000, ejected_ms: 30_000 }
    const load = { in_flight_ms: 150_000, in_flight_max: 6, capacity: 8, fill_ms: 30_000, fill_known_ms: 60_000 }
    const work = {
      requests: 10,
      waits: 8,
      wait_ms: 1000,
      failed: 2,
      cancelled: 1,
      input_tokens: 400,
      cached_tokens: 100,
      output_tokens: 50,
    }
    const times = { ttft_4: 10, pace_9: 4, predictions: 4, predicted_ms: 400, measured_ms: 500 }
    await add({ minute, ...states, ...load, ...work, ...times })
    await add({ minute, backend: '', queue_ms: 120_000, queue_max: 5, turned_away: 3 })
    const { total } = await history()
    expect(total).deep.equal({
      states: { up: 0.75, unhealthy: 0, ejected: 0.25, probing: 0, draining: 0, drained: 0 },
      ...{ in_flight_mean: 2.5, in_flight_max: 6, limit: 8, queue_mean: 2, queue_max: 5, wait_ms: 125, requests: 10 },
      failures: { refused: 0, failed: 2, timeout: 0, unreachable: 0, cancelled: 1 },
      turned_away: 3,
      ...{ ttft_p50_ms: 80, ttft_p95_ms: 98, ttft_p99_ms: 100, pace_p50_ms: 34, pace_p95_ms: 39.4 },
      ...{ input_tokens: 400, cached_tokens: 100, output_tokens: 50, cache_hit_pct: 25, cache_fill_pct: 50 },
      ...{ predicted_ms: 100, measured_ms: 125 },
    })
  })

  it('of a model is that of all backends, with its own load and limit', async () => {
    const minute = minuteOf(context().now) - 1
    await add(
      { minute, requests: 1, in_flight_max: 1, capacity: 4 },
      { minute, requests: 2, in_flight_max: 2, capacity: 4, backend: 'http://b/v1' },
      { minute, backend: '', in_flight_max: 3, capacity: 7, turned_away: 1 },
      { minute, requests: 9, model: 'other' },
    )
    const { total, url } = (await modelHistory(context(), 'm', { range: '1h' })) as { total: JsonObject; url: null }
    expect(url).equal(null)
    expect(total).deep.include({ requests: 3, in_flight_max: 3, limit: 7, turned_away: 1 })
  })

  it('reads minutes for a day, and hours for a week and a month', async () => {
    const minute = minuteOf(context().now) - 1
    await add({ minute, requests: 1 }, { minute: minute - 1430, requests: 2 }, { minute: minute - 2000, requests: 4 })
    await add({ minute: minute - 20 * 1440, requests: 8, up_ms: 1 })
    await sumBackendHours(context().store as Store, 0)
    await (context().store as Store).db
      .deleteFrom('backend_minutes')
      .where('minute', '<', minute - 1440)
      .execute()
    const sums = async (range: HistoryQuery['range'], step?: string) => {
      const { points, total, step: used } = await history({ range, ...(step !== undefined && { step }) })
      return [used, points.length, total.requests]
    }
    expect(await sums('24h')).deep.equal(['10m', 144, 3])
    expect(await sums('24h', '1m')).deep.equal(['1m', 1440, 3])
    expect(await sums('7d')).deep.equal(['1h', 168, 7])
    expect(await sums('30d')).deep.equal(['6h', 120, 15])
    expect(await sums('30d', '1d')).deep.equal(['1d', 30, 15])
    expect(await refusal(history({ range: '7d', step: '1m' }))).equal(
      "422 schema_validation_failed 'step' must be of 1d, 1h, 6h for 7d.",
    )
  })

  it('of all backends has few numbers of each, in pages', async () => {
    const minute = minuteOf(context().now) - 1
    const work = { requests: 10, failed: 2, timeout: 1, cancelled: 1, waits: 4, wait_ms: 100, in_flight_ms: 60_000 }
    await add({ minute, ...work, input_tokens: 400, cached_tokens: 100, output_tokens: 50, ttft_4: 10, capacity: 8 })
    const listed = [
      { model: 'm', url: URL },
      { model: 'm', url: 'http://b/v1' },
      { model: 'n', url: 'http://c/v1' },
    ]
    type One = { url: string; total: JsonObject; points: JsonObject[] }
    const histories = async (more: Partial<HistoriesQuery> = {}) => {
      const reply = await backendHistories(context(), { range: '1h', limit: 50, ...more }, listed)
      return reply as unknown as { backends: One[]; count: number; cursor: string | null; step: string }
    }
    const { backends, count, cursor, step } = await histories()
    expect([backends.map(({ url }) => url), count, cursor, step]).deep.equal([
      [URL, 'http://b/v1', 'http://c/v1'],
      ...[3, null, '1m'],
    ])
    expect(backends[0]!.total).deep.equal({
      ...{ in_flight_mean: 1, limit: 8, wait_ms: 25, requests: 10, failures: 3, ttft_p95_ms: 98 },
      ...{ input_tokens: 400, output_tokens: 50, cache_hit_pct: 25 },
    })
    expect(backends[0]!.points).lengthOf(60)
    expect(backends[0]!.points.at(-1)).deep.include({ requests: 10, failures: 3 })
    expect(new Set(Object.values(backends[1]!.total))).deep.equal(new Set([null]))
    const first = await histories({ limit: 2 })
    expect([first.backends.length, first.cursor]).deep.equal([2, '2'])
    const second = await histories({ limit: 2, cursor: '2' })
    expect([second.backends.map(({ url }) => url), second.cursor]).deep.equal([['http://c/v1'], null])
    const own = await histories({ model: 'm', limit: 2 })
    expect([own.backends.length, own.count, own.cursor]).deep.equal([2, 2, null])
    await add({ minute, requests: 10, failed: 9, ttft_9: 1, backend: 'http://b/v1' })
    const urls = async (more: Partial<HistoriesQuery>) => (await histories(more)).backends.map(({ url }) => url)
    expect(await urls({ sort: 'failures' })).deep.equal(['http://b/v1', URL, 'http://c/v1'])
    expect(await urls({ sort: 'failures', order: 'asc' })).deep.equal([URL, 'http://b/v1', 'http://c/v1'])
    expect(await urls({ sort: 'ttft_p95_ms', limit: 1 })).deep.equal(['http://b/v1'])
    expect(await urls({ sort: 'ttft_p95_ms', limit: 1, cursor: '1' })).deep.equal([URL])
    expect(await urls({ sort: 'failures', model: 'm' })).deep.equal(['http://b/v1', URL])
    const steps = await Promise.all((['24h', '7d', '30d'] as const).map(range => histories({ range, limit: 1 })))
    expect(steps.map(one => [one.step, one.backends[0]!.points.length])).deep.equal([
      ['1h', 24],
      ['6h', 28],
      ['1d', 30],
    ])
  })

  it('has events, with the operator of each drain', async () => {
    const at = context().now - 100 * 60_000_000
    const of = { model: 'm', backend: URL, at }
    await addBackendEvents(context().store, [
      { ...of, kind: 'ejected', reason: 'connection' },
      { ...of, kind: 'reload', model: '', backend: '', reason: '', at: at + 1 },
    ])
    await cordon(context(), { url: URL, model: 'm' })
    await uncordon(context(), { url: URL })
    await cordon(context(), { url: URL, model: 'm' }).then(() => uncordon(context(), { url: URL, model: 'm' }))
    await cordon(context(), { url: 'http://127.0.0.1:8001/v1', model: 'other' })
    const range = { range: '24h' } as const
    const kinds = ({ events }: JsonObject) => (events as JsonObject[]).map(({ kind, reason }) => [kind, reason])
    // A day ends with the last complete step, and the drains are later.
    const later = { ...context(), now: context().now + 20 * 60_000_000 }
    const found = await backendHistory(later, { model: 'm', url: URL, ...range })
    const expected = [
      ...[0, 1].flatMap(() => [
        ['undrain', 'operator'],
        ['drain', 'operator'],
      ]),
      ['reload', null],
      ['ejected', 'connection'],
    ]
    expect(kinds(found)).deep.equal(expected)
    expect((found.events as JsonObject[])[0]).deep.include({ url: URL, actor: 'operator alice (op_1)' })
    expect(kinds(await modelHistory(later, 'm', range))).deep.equal(expected)
    expect(kinds(await modelHistory(later, 'other', range))).deep.equal([
      ['drain', 'operator'],
      ['reload', null],
    ])
  })
})
