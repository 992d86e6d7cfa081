/** The history of a backend or a model for operators: points of equal length, their sum, and events. */
import type { ListedBackend } from '../backends/backend-list.ts'
import type { JsonObject } from '../base/json.ts'
import { type Order, sortedBy } from '../base/order.ts'
import { toIso } from '../base/time.ts'
import { PACE_BOUNDS, quantileOf, TTFT_BOUNDS } from '../history/buckets.ts'
import { PACE_COLUMNS, PEAK_COLUMNS, SUM_COLUMNS, TTFT_COLUMNS } from '../store/history-columns.ts'
import {
  type HistoryPoint,
  type HistoryRange,
  readBackendTotals,
  readHistory,
} from '../store/queries/backend-history.ts'
import type { AdminContext } from './context.ts'
import { eventsOf } from './events.ts'
import { refuseValue } from './values.ts'

/** A query that `schemas/admin/history-query.json` accepts. */
export interface HistoryQuery {
  readonly range: '1h' | '24h' | '7d' | '30d'
  readonly step?: string
}

const MINUTE_MICROS = 60_000_000
const MINUTE_MS = 60_000

/** In minutes. */
const STEPS: Readonly<Record<string, number>> = { '1m': 1, '5m': 5, '10m': 10, '1h': 60, '6h': 360, '1d': 1440 }

/** The minutes of each range, its unit in the store, and its steps, the default first. */
const RANGES = {
  '1h': { minutes: 60, unit: 'minute', steps: ['1m', '5m', '10m'] },
  '24h': { minutes: 1440, unit: 'minute', steps: ['10m', '1m', '5m', '1h'] },
  '7d': { minutes: 7 * 1440, unit: 'hour', steps: ['1h', '6h', '1d'] },
  '30d': { minutes: 30 * 1440, unit: 'hour', steps: ['6h', '1h', '1d'] },
} as const

export function backendHistory(
  context: AdminContext,
  { model, url, ...query }: HistoryQuery & { readonly model: string; readonly url: string },
): Promise<JsonObject> {
  return historyOf(context, query, model, url)
}

export function modelHistory(context: AdminContext, model: string, query: HistoryQuery): Promise<JsonObject> {
  return historyOf(context, query, model, null)
}

/** A query that `schemas/admin/backend-histories-query.json` accepts. */
export interface HistoriesQuery {
  readonly range: keyof typeof RANGES
  readonly model?: string
  /** undefined: the order of the list of backends. */
  readonly sort?: 'failures' | 'ttft_p95_ms'
  readonly order?: Order
  readonly limit: number
  /** Number of backends before the page. */
  readonly cursor?: string
}

/** Fewer points than a page of one backend has. */
const COARSE_STEPS = { '1h': '1m', '24h': '1h', '7d': '6h', '30d': '1d' } as const

/** A backend in a list. */
type Listed = Pick<ListedBackend, 'model' | 'url'>

/** A few numbers of each backend over time, in the order of the list of backends, or by one of the numbers. */
export async function backendHistories(
  { store, now }: AdminContext,
  { range: name, model, sort, order = 'desc', limit, cursor = '0' }: HistoriesQuery,
  listed: readonly Listed[],
): Promise<JsonObject> {
  const { step, range } = rangeOf({ range: name, step: COARSE_STEPS[name] }, now)
  const own = listed.filter(one => model === undefined || one.model === model)
  const all = sort === undefined ? own : sortedBy(own, await numberIn(store, model, sort, range), order)
  const [first, end] = [Number(cursor), Number(cursor) + limit]
  const backends: JsonObject[] = []
  for (const { model: id, url } of all.slice(first, end)) {
    const work = await readHistory(store, id, url, range)
    const points = pointsOf(range, point => fewNumbersOf(work.get(point)))
    backends.push({ model: id, url, total: fewNumbersOf(addedUp(work.values())), points })
  }
  const next = end < all.length ? String(end) : null
  return { range: name, step, ...timesOf(range), backends, count: all.length, cursor: next }
}

/** A number of each backend in the whole range; null: it is unknown. */
async function numberIn(
  store: AdminContext['store'],
  model: string | undefined,
  name: 'failures' | 'ttft_p95_ms',
  range: HistoryRange,
): Promise<(backend: Listed) => number | null> {
  const totals = await readBackendTotals(store, model, range)
  const keyOf = (of: string, url: string) => `${of}\0${url}`
  const numbers = new Map(
    totals.map(total => [keyOf(total.model, total.backend), fewNumbersOf(total)[name] as number | null]),
  )
  return one => numbers.get(keyOf(one.model, one.url)) ?? null
}

async function historyOf(
  context: AdminContext,
  query: HistoryQuery,
  model: string,
  url: string | null,
): Promise<JsonObject> {
  const { store, now } = context
  const { step, range } = rangeOf(query, now)
  const work = await readHistory(store, model, url, range)
  const own = await readHistory(store, model, '', range)
  const points = pointsOf(range, point => numbersOf(work.get(point), own.get(point), url === null))
  const total = numbersOf(addedUp(work.values()), addedUp(own.values()), url === null)
  return {
    model,
    url,
    range: query.range,
    step,
    ...timesOf(range),
    total,
    points,
    events: (
      await eventsOf(context, { model, url, from: microsOf(range, range.first), to: microsOf(range, range.end) })
    ).map(({ model: _model, ...event }) => event),
  }
}

function microsOf({ unit }: HistoryRange, at: number): number {
  return at * (unit === 'hour' ? 60 : 1) * MINUTE_MICROS
}

function timesOf(range: HistoryRange): { readonly from: string; readonly to: string } {
  return { from: toIso(microsOf(range, range.first)), to: toIso(microsOf(range, range.end)) }
}

/** All points of a range, with their time. */
function pointsOf(range: HistoryRange, numbers: (point: number) => JsonObject): JsonObject[] {
  return Array.from({ length: (range.end - range.first) / range.step }, (_, point) => ({
    at: toIso(microsOf(range, range.first + point * range.step)),
    ...numbers(point),
  }))
}

/** Ends with the last complete minute, or with the present hour, of which the past part is known. */
function rangeOf({ range: name, step: wanted }: HistoryQuery, now: number): { step: string; range: HistoryRange } {
  const { minutes, unit, steps } = RANGES[name]
  const step = wanted ?? steps[0]
  if (!steps.some(one => one === step)) refuseValue('step', `must be of ${steps.toSorted().join(', ')} for ${name}`)
  const unitMinutes = unit === 'hour' ? 60 : 1
  const last = Math.floor(now / MINUTE_MICROS / unitMinutes) - (unit === 'hour' ? 0 : 1)
  const length = STEPS[step]! / unitMinutes
  const end = (Math.floor(last / length) + 1) * length
  return { step, range: { unit, first: end - minutes / unitMinutes, end, step: length } }
}

/** `own`: the row of the model itself. Every number is null if nothing was measured. */
function numbersOf(work: HistoryPoint | undefined, own: HistoryPoint | undefined, isModel: boolean): JsonObject {
  const load = isModel ? own : work
  const quantile = (share: number) => rounded(work && quantileOf(TTFT_BOUNDS, valuesOf(work, TTFT_COLUMNS), share))
  const pace = (share: number) => rounded(work && quantileOf(PACE_BOUNDS, valuesOf(work, PACE_COLUMNS), share), 1)
  return {
    states: work === undefined ? null : statesOf(work),
    in_flight_mean: mean(load?.in_flight_ms, load && load.minutes * MINUTE_MS),
    in_flight_max: load?.in_flight_max ?? null,
    limit: load?.capacity ?? null,
    queue_mean: mean(own?.queue_ms, own && own.minutes * MINUTE_MS),
    queue_max: own?.queue_max ?? null,
    wait_ms: mean(work?.wait_ms, work?.waits),
    requests: work?.requests ?? null,
    failures: work === undefined ? null : failuresOf(work),
    turned_away: own?.turned_away ?? null,
    ttft_p50_ms: quantile(0.5),
    ttft_p95_ms: quantile(0.95),
    ttft_p99_ms: quantile(0.99),
    pace_p50_ms: pace(0.5),
    pace_p95_ms: pace(0.95),
    input_tokens: work?.input_tokens ?? null,
    cached_tokens: work?.cached_tokens ?? null,
    output_tokens: work?.output_tokens ?? null,
    cache_hit_pct: percent(work?.cached_tokens, work?.input_tokens),
    cache_fill_pct: percent(work?.fill_ms, work?.fill_known_ms),
    predicted_ms: mean(work?.predicted_ms, work?.predictions),
    measured_ms: mean(work?.measured_ms, work?.predictions),
  }
}

function mean(sum: number | undefined, count: number | undefined): number | null {
  return sum === undefined || !count ? null : rounded(sum / count, 2)
}

function fewNumbersOf(work: HistoryPoint | undefined): JsonObject {
  const numbers = numbersOf(work, undefined, false)
  const { in_flight_mean, limit, wait_ms, requests, ttft_p95_ms, input_tokens, output_tokens, cache_hit_pct } = numbers
  const failures = work === undefined ? null : work.refused + work.failed + work.timeout + work.unreachable
  return {
    ...{ in_flight_mean, limit, wait_ms, requests, failures, ttft_p95_ms },
    ...{ input_tokens, output_tokens, cache_hit_pct },
  } as JsonObject
}

const STATES = ['up', 'unhealthy', 'ejected', 'probing', 'draining', 'drained'] as const

/** Shares of time. null: it was not looked at. */
function statesOf(work: HistoryPoint): JsonObject | null {
  const all = STATES.reduce((sum, state) => sum + work[`${state}_ms`], 0)
  if (all === 0) return null
  return Object.fromEntries(STATES.map(state => [state, rounded(work[`${state}_ms`] / all, 4)]))
}

function failuresOf({ refused, failed, timeout, unreachable, cancelled }: HistoryPoint): JsonObject {
  return { refused, failed, timeout, unreachable, cancelled }
}

function valuesOf(point: HistoryPoint, columns: readonly (typeof TTFT_COLUMNS | typeof PACE_COLUMNS)[number][]) {
  return columns.map(name => point[name])
}

function percent(part: number | null | undefined, whole: number | undefined): number | null {
  return part === null || part === undefined || !whole ? null : rounded((part / whole) * 100, 1)
}

function rounded(value: number | null | undefined, digits = 0): number | null {
  return value === null || value === undefined ? null : Math.round(value * 10 ** digits) / 10 ** digits
}

/** undefined: there are no points. */
function addedUp(points: Iterable<HistoryPoint>): HistoryPoint | undefined {
  let sum: HistoryPoint | undefined
  for (const point of points) {
    if (sum === undefined) {
      sum = { ...point }
      continue
    }
    const added: HistoryPoint = { ...sum, minutes: sum.minutes + point.minutes }
    for (const name of SUM_COLUMNS) added[name] += point[name]
    for (const name of PEAK_COLUMNS) added[name] = Math.max(added[name], point[name])
    added.capacity = point.capacity ?? added.capacity
    if (point.cached_tokens !== null) added.cached_tokens = (added.cached_tokens ?? 0) + point.cached_tokens
    sum = added
  }
  return sum
}
