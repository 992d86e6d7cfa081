/** The parts that the pages of a backend and of a model share: ranges, plots, numbers and events of their history. */
import type { JsonObject } from '../../base/json.ts'
import { type Html, html } from '../../pages/html.ts'
import { htmlPlot, htmlTable, type Series } from '../../pages/table.ts'
import { backendPath } from './paths.ts'
import { millisText, NOTHING, numberText, textOf, timeText } from './text.ts'

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
  | ('in_flight_mean' | 'in_flight_max' | 'limit' | 'queue_mean' | 'queue_max' | 'requests' | 'turned_away')
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

/** The values of a line at all points. */
export type Line = readonly [label: string, read: (point: Point) => number | null]

export interface HistoryPlot {
  readonly title: string
  readonly unit?: string
  readonly lines: readonly Line[]
}

const RANGES = [
  ['1h', '1 hour'],
  ['24h', '24 hours'],
  ['7d', '7 days'],
  ['30d', '30 days'],
] as const

export const DEFAULT_RANGE = '24h'

/** Links to the other ranges. `hrefOf`: the path of this page with a range. */
export function rangeLinks(
  chosen: string,
  hrefOf: (range: string) => string,
  ranges: readonly (readonly [range: string, text: string])[] = RANGES,
): Html {
  const links = ranges.map(
    ([range, text]) =>
      html`<a class="button" href="${hrefOf(range)}"${range === chosen && html` aria-current="page"`}>${range === chosen ? html`<strong>${text}</strong>` : text}</a> `,
  )
  return html`<p>${links}</p>`
}

/** Nothing was measured in the whole time. */
export function isEmpty({ total, points }: History): boolean {
  return total.requests === null && points.every(({ in_flight_mean }) => in_flight_mean === null)
}

export const EMPTY = html`<p class="note">Nothing was measured in this time. Each process writes what it has seen once a minute: the first minute appears here about two minutes after the start.</p>`

/** The plots, without lines that have no value, and a mark for each event. */
export function historyPlots(history: History, plots: readonly HistoryPlot[]): Html {
  const { points } = history
  const times = points.map(({ at }) => Date.parse(at) / 1000)
  const drawn = plots.flatMap(({ title, unit = '', lines }) => {
    const series = lines
      .map(([label, read]) => ({ label, values: points.map(read) }))
      .filter(({ values }) => values.some(value => value !== null))
    return series.length === 0 ? [] : [plotOf(title, unit, times, series, 'line')]
  })
  const marks = marksOf(history, times)
  if (marks.length > 0) drawn.splice(1, 0, plotOf('Reloads, drains and ejections', '', times, marks, 'bars'))
  return html`<h2>Over time</h2>
<div class="plots">${drawn}</div>`
}

export function plotOf(
  title: string,
  unit: string,
  times: readonly number[],
  series: readonly Series[],
  shape: 'bars' | 'line',
): Html {
  const label = `${title}; the table below has the numbers`
  return html`<section><h3>${title}</h3>${htmlPlot({ label, times, series, shape, ...(unit === '' ? null : { unit }) })}</section>`
}

const MARKS = [
  ['Reloads', 'reload'],
  ['Drains', 'drain'],
  ['Ejections', 'ejected'],
] as const

/** How many events each step has; a gap if it has none. */
function marksOf({ events }: History, times: readonly number[]): Series[] {
  const marks = MARKS.map(([label, kind]) => {
    const values = times.map((): number | null => null)
    for (const event of events) {
      const at = Date.parse(String(event.at)) / 1000
      const step = times.findLastIndex(time => time <= at)
      if (event.kind === kind && step >= 0) values[step] = (values[step] ?? 0) + 1
    }
    return { label, values }
  })
  return marks.filter(({ values }) => values.some(value => value !== null))
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

const EVENTS: Readonly<Record<string, string>> = {
  reload: 'configuration reloaded',
  ejected: 'ejected',
  readmitted: 'readmitted',
  drain: 'drained',
  undrain: 'drain ended',
}

export function eventTable({ model, url: own, events }: History): Html {
  if (events.length === 0) return html`<p>There was no reload, drain or ejection in this time.</p>`
  const rows = events.map(({ at, kind, url, reason, actor }) => [
    timeText(at),
    EVENTS[String(kind)] ?? textOf(kind),
    ...(own === null
      ? [typeof url === 'string' ? html`<a href="${backendPath(model, url)}">${url}</a>` : NOTHING]
      : []),
    textOf(reason).replaceAll('_', ' '),
    textOf(actor),
  ])
  const heads = ['Time (UTC)', 'Event', ...(own === null ? ['Backend'] : []), 'Reason', 'By']
  return htmlTable('Newest first', heads, rows)
}

/** All failures of a time; null: nothing was measured. A client that has disconnected is none. */
export function failuresOf({ failures }: Numbers): number | null {
  return failures && failures.refused + failures.failed + failures.timeout + failures.unreachable
}

export function unitText(value: number | null, unit: string): string {
  return value === null ? NOTHING : `${numberText(value, 1)} ${unit}`
}
