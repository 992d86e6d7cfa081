/** The plots of the last hour on the page Overview, with a table of their numbers and of the events in them. */
import type { JsonObject } from '../../base/json.ts'
import { type Html, html } from '../../pages/html.ts'
import { timeHtml } from '../../pages/parts.ts'
import { htmlPlot, htmlTable, type Series } from '../../pages/table.ts'
import type { Dashboard } from '../live/dashboard.ts'
import type { LivePoint } from '../live/rates.ts'
import { eventTable, marksOf } from './events.ts'
import { select } from './form.ts'
import { boundText, numberText } from './text.ts'

const PLOTS = [
  {
    id: 'requests',
    label: 'Requests and errors per second',
    unit: '',
    zeroIsGap: true,
    series: [
      ['Requests/s', 'requests_per_second'],
      ['Errors/s', 'errors_per_second'],
    ],
  },
  {
    id: 'ttft',
    label: 'Time to the first token, upper bounds',
    unit: 'ms',
    zeroIsGap: false,
    // The wide line first, so that p50 is visible where both are equal.
    series: [
      ['p95', 'ttft_p95_ms', { merge: 'max', wide: true }],
      ['p50', 'ttft_p50_ms'],
    ],
  },
  {
    id: 'tokens',
    label: 'Tokens per second',
    unit: '',
    zeroIsGap: true,
    series: [['Tokens/s', 'tokens_per_second']],
  },
  {
    id: 'load',
    label: 'Requests in flight',
    unit: '',
    zeroIsGap: false,
    series: [['In flight', 'in_flight', { merge: 'max' }]],
  },
] as const satisfies readonly {
  series: readonly (readonly [string, keyof LivePoint, Partial<Series>?])[]
  [member: string]: unknown
}[]

/** `chosen`: id of a model; empty: all models together. */
export function hourPlots(dashboard: Dashboard, chosen: string, events: readonly JsonObject[]): Html {
  const marks = marksOf(events)
  const points = chosen === '' ? dashboard.points : dashboard.pointsOf(chosen)
  // The chosen model is listed even if it was not requested in the last hour.
  const models = [...new Set([...dashboard.models, ...(chosen === '' ? [] : [chosen])])]
  const times = points.map(({ at }) => at)
  const drawn = PLOTS.map(
    ({ id, label, unit, zeroIsGap, series }) =>
      html`<section><h3>${label}</h3><div id="plot-${id}">${htmlPlot({
        label: `${label}, last hour; the tables below have the numbers${marks.length === 0 ? '' : ' and events'}`,
        times,
        series: series.map(([name, member, more]) => ({
          label: name,
          values: points.map(point => point[member]),
          ...more,
        })),
        shape: 'line',
        zeroIsGap,
        ...(unit === '' ? null : { unit }),
        ...(marks.length === 0 ? null : { marks }),
      })}</div></section>`,
  )
  // One point per five minutes.
  const shown = points.filter((_, at) => (points.length - 1 - at) % 60 === 0).toReversed()
  const rows = shown.map(point => [
    timeHtml(new Date(point.at * 1000).toISOString()),
    numberText(point.requests_per_second, 1),
    numberText(point.errors_per_second, 1),
    boundText(point.ttft_p50_ms),
    boundText(point.ttft_p95_ms),
    numberText(point.tokens_per_second, 1),
    String(point.in_flight),
  ])
  const heads = ['Time', 'Requests/s#', 'Errors/s#', 'TTFT p50#', 'TTFT p95#', 'Tokens/s#', 'In flight#']
  return html`<h2 id="hour" data-model="${chosen}">Last hour${chosen !== '' && html` of ${chosen}`}</h2>
<form action="/#hour" class="fields">${select('model', 'Model', chosen, [['', 'all'], ...models.map(id => [id, id] as const)])}<button>Show</button></form>
<div class="plots">${drawn}</div>
<details><summary>As a table</summary>${htmlTable('Five seconds of every five minutes', heads, rows)}</details>
<h3>Reloads, drains and ejections of the last hour</h3>
${eventTable(events, { of: 'all' })}`
}

/** The values of a point, by plot. */
export function plotValues(point: LivePoint): Record<string, readonly (number | null)[]> {
  return Object.fromEntries(PLOTS.map(({ id, series }) => [id, series.map(([, member]) => point[member])]))
}
