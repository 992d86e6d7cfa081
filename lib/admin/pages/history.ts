/** The parts that the pages of a backend and of a model share: ranges, plots, numbers and events of their history. */
import type { JsonObject } from '../../base/json.ts'
import { type Html, html } from '../../pages/html.ts'
import { chips, emptyState } from '../../pages/parts.ts'
import { htmlPlot, htmlTable, type Plot, type Series } from '../../pages/table.ts'
import { marksOf } from './events.ts'
import { millisText, NOTHING, numberText, timeText } from './text.ts'

/** The reply of the API, `schemas/admin/history.json`. */
export interface History {
  readonly model: string
  readonly url: string | null
  readonly from: string
  readonly to: string
  readonly total: Numbers
  readonly points: readonly Point[]
  readonly events: readonly JsonObject[]
}

type Name =
  | ('in_flight_mean' | 'in_flight_max' | 'limit' | 'queue_mean' | 'queue_max' | 'wait_ms' | 'requests' | 'turned_away')
  | ('ttft_p50_ms' | 'ttft_p95_ms' | 'ttft_p99_ms' | 'pace_p50_ms' | 'pace_p95_ms')
  | ('input_tokens' | 'cached_tokens' | 'output_tokens' | 'cache_hit_pct' | 'cache_fill_pct')
  | ('predicted_ms' | 'measured_ms')
type State = 'up' | 'unhealthy' | 'ejected' | 'probing' | 'draining' | 'drained'
type Failure = 'refused' | 'failed' | 'timeout' | 'unreachable' | 'cancelled'

export type Numbers = Readonly<Record<Name, number | null>> & {
  readonly states: Readonly<Record<State, number>> | null
  readonly failures: Readonly<Record<Failure, number>> | null
}
export type Point = Numbers & { readonly at: string }

export const STATES: readonly State[] = ['up', 'unhealthy', 'ejected', 'probing', 'draining', 'drained']
export const FAILURES: readonly Failure[] = ['refused', 'failed', 'timeout', 'unreachable', 'cancelled']

/** The values of a line at all points. `wide`: a later line over it stays visible. */
export type Line = readonly [label: string, read: (point: Point) => number | null, wide?: boolean]

export interface HistoryPlot {
  readonly title: string
  readonly unit?: string
  readonly lines: readonly Line[]
  /** Zero is a gap, as of a rate without requests. */
  readonly zeroIsGap?: boolean
}

export const RANGES = [
  ['1h', '1 hour'],
  ['24h', '24 hours'],
  ['7d', '7 days'],
  ['30d', '30 days'],
] as const

export const DEFAULT_RANGE = '24h'

/** The hours of a range. */
export const HOURS: Readonly<Record<string, string>> = { '1h': '1', '24h': '24', '7d': '168', '30d': '720' }

/** Links to the other ranges. `hrefOf`: the path of this page with a range. */
export function rangeLinks(
  chosen: string,
  hrefOf: (range: string) => string,
  ranges: readonly (readonly [range: string, text: string])[] = RANGES,
): Html {
  return chips(
    'Time',
    ranges.map(([range, text]) => [text, hrefOf(range), range === chosen]),
  )
}

/** Nothing was measured in the whole time. */
export function isEmpty({ total, points }: History): boolean {
  return total.requests === null && points.every(({ in_flight_mean }) => in_flight_mean === null)
}

export const EMPTY = emptyState(
  'Nothing was measured in this time',
  'Each process writes what it has seen once a minute: the first minute appears here about two minutes after the start.',
)

/** The plots, without lines that have no value. Each has a mark for each event. */
export function historyPlots({ points, events }: History, plots: readonly HistoryPlot[]): Html {
  const times = points.map(({ at }) => Date.parse(at) / 1000)
  const marks = marksOf(events)
  const drawn = plots.flatMap(({ title, unit = '', lines, zeroIsGap = false }) => {
    const series = lines
      .map(([label, read, wide = false]) => ({ label, values: points.map(read), ...(wide && { wide }) }))
      .filter(({ values }) => values.some(value => value !== null && (value !== 0 || !zeroIsGap)))
    const more = { ...(zeroIsGap && { zeroIsGap }), ...(marks.length > 0 && { marks }) }
    return series.length === 0 ? [] : [plotOf(title, unit, times, series, 'line', more)]
  })
  return html`<h2>Over time</h2>
<div class="plots">${drawn}</div>`
}

export function plotOf(
  title: string,
  unit: string,
  times: readonly number[],
  series: readonly Series[],
  shape: 'bars' | 'line',
  more: Pick<Plot, 'marks' | 'zeroIsGap'> = {},
): Html {
  const label = `${title}; the tables below have the numbers${more.marks === undefined ? '' : ' and events'}`
  return html`<section><h3>${title}</h3>${htmlPlot({ label, times, series, shape, ...(unit === '' ? null : { unit }), ...more })}</section>`
}

const NUMBERS: readonly (readonly [head: string, cellOf: (point: Numbers) => string])[] = [
  ['Requests#', ({ requests }) => numberText(requests)],
  ['Failures#', point => numberText(failuresOf(point))],
  ['TTFT p50#', point => millisText(point.ttft_p50_ms)],
  ['TTFT p95#', point => millisText(point.ttft_p95_ms)],
  ['Per token p50#', point => unitText(point.pace_p50_ms, 'ms')],
  ['In flight#', point => numberText(point.in_flight_mean, 1)],
  ['At most#', point => numberText(point.in_flight_max)],
  ['Queue#', point => numberText(point.queue_mean, 1)],
  ['Input tokens#', ({ input_tokens }) => numberText(input_tokens)],
  ['Output tokens#', ({ output_tokens }) => numberText(output_tokens)],
  ['Cache hit#', point => unitText(point.cache_hit_pct, '%')],
  ['Predicted#', point => millisText(point.predicted_ms)],
  ['Measured#', point => millisText(point.measured_ms)],
  ['Up#', ({ states }) => unitText(states && states.up * 100, '%')],
]

/** The measured points, newest first. */
export function pointTable({ points }: History): Html {
  const measured = points.filter(({ requests, in_flight_mean: load }) => requests !== null || load !== null)
  const rows = measured.toReversed().map(point => [timeText(point.at), ...NUMBERS.map(([, cellOf]) => cellOf(point))])
  const heads = ['Begin (UTC)', ...NUMBERS.map(([head]) => head)]
  return html`<details><summary>As a table</summary>${htmlTable('Each step in which something was measured, newest first', heads, rows)}</details>`
}

/** All failures of a time; null: nothing was measured. A client that has disconnected is none. */
export function failuresOf({ failures }: Numbers): number | null {
  return failures && failures.refused + failures.failed + failures.timeout + failures.unreachable
}

export function unitText(value: number | null, unit: string): string {
  return value === null ? NOTHING : `${numberText(value, 1)} ${unit}`
}
