/** The models on the page Overview: load, rates, times and errors of each, with the last hour as lines. */
import { type Html, html } from '../../pages/html.ts'
import { htmlMeter, meterWidth } from '../../pages/parts.ts'
import { htmlSparkline, htmlStrip } from '../../pages/sparkline.ts'
import { htmlTable } from '../../pages/table.ts'
import type { Dashboard } from '../live/dashboard.ts'
import type { LiveModel, LivePoint } from '../live/rates.ts'
import { modelHistoryPath } from './paths.ts'
import { boundText, millisText, NOTHING, numberText, requestsHref } from './text.ts'

type Measured = Omit<LiveModel, 'model' | 'backends' | 'up' | 'queued'>

/** Live cells of a backend and of a model: name, header and text. */
export const LIVE_CELLS = [
  ['load', 'In flight / limit#', ({ in_flight, limit }: Measured) => `${in_flight} / ${limit ?? '∞'}`],
  ['rate', 'Requests/s#', (row: Measured) => numberText(row.requests_per_second, 2)],
  ['p50', 'TTFT p50#', (row: Measured) => boundText(row.ttft_p50_ms)],
  ['p95', 'TTFT p95#', (row: Measured) => boundText(row.ttft_p95_ms)],
  ['tokens', 'Tokens/s#', (row: Measured) => numberText(row.tokens_per_second, 1)],
  ['errors', 'Errors#', (row: Measured) => String(row.errors)],
  ['cache', 'Cache hit#', ({ cache_hit_pct: pct }: Measured) => (pct === null ? NOTHING : `${Math.round(pct)} %`)],
] as const

const CELLS = [
  ['backends', 'Backends up#', ({ up, backends }: LiveModel) => `${up} of ${backends}`] as const,
  ...LIVE_CELLS.filter(([name]) => name === 'load'),
  ['queue', 'Queue / wait#', queueText] as const,
  ...LIVE_CELLS.filter(([name]) => name !== 'load' && name !== 'p50'),
]

/** The length of the queue now, and the mean wait of the requests of the last minute. */
function queueText({ queued, wait_ms: wait }: LiveModel): string {
  if (queued === null) return NOTHING
  return wait === null ? String(queued) : `${queued} / ${millisText(wait)}`
}

/** The member of a point that a line has, how values of a step become one, and the name of the line. */
const LINES: Readonly<Record<string, readonly [member: keyof LivePoint, merge: 'mean' | 'max', name: string]>> = {
  queue: ['queued', 'max', 'Queue'],
  rate: ['requests_per_second', 'mean', 'Requests per second'],
  p95: ['ttft_p95_ms', 'max', 'TTFT p95'],
  tokens: ['tokens_per_second', 'mean', 'Tokens per second'],
}

/** Points of five seconds in a step of a line: a minute. */
const STEP = 12

export function modelTable(rows: readonly LiveModel[], dashboard: Pick<Dashboard, 'pointsOf'>): Html {
  const cells = rows.map(row => {
    const { model, in_flight, limit } = row
    const points = dashboard.pointsOf(model)
    const key = (name: string) => `model ${model} ${name}`
    return [
      html`<a href="${modelHistoryPath(model)}">${model}</a>`,
      ...CELLS.map(([name, , read]) => {
        const href =
          name === 'rate' || name === 'errors'
            ? requestsHref({ model, since: '1', ...(name === 'errors' && { status: 'errors' }) })
            : name === 'backends'
              ? '/backends/list'
              : modelHistoryPath(model, '1h')
        const isDown = name === 'backends' && row.up === 0
        const text = html`<span data-live="${key(name)}"${isDown && html` class="error"`}>${read(row)}</span>`
        const line = LINES[name]
        if (line !== undefined) return htmlStrip(href, text, lineOf(points, ...line))
        const meter = name === 'load' && limit !== null && htmlMeter(in_flight, limit, key('meter'))
        return html`<a href="${href}">${text}</a>${meter !== false && html` ${meter}`}`
      }),
    ]
  })
  return html`<h2 id="models">Models</h2>
${htmlTable('The last minute, and as lines the hour before the page was loaded', ['Model', ...CELLS.map(([, head]) => head)], cells)}`
}

/** Nothing before there are two steps, or without values. */
function lineOf(
  points: readonly LivePoint[],
  member: keyof LivePoint,
  merge: 'mean' | 'max',
  name: string,
): Html | false {
  const steps: (number | null)[] = []
  for (let end = points.length; end > 0; end -= STEP) {
    const values = points.slice(Math.max(0, end - STEP), end).flatMap(point => point[member] ?? [])
    const sum = values.reduce((total, value) => total + value, 0)
    steps.unshift(values.length === 0 ? null : merge === 'max' ? Math.max(...values) : sum / values.length)
  }
  if (steps.length < 2 || steps.every(step => step === null)) return false
  const most = Math.max(...steps.map(step => step ?? 0), 0)
  return htmlSparkline(steps, `${name} of ${steps.length} minutes, at most ${numberText(most, 2)}`)
}

/** What browser/operators/now.js writes at each update: texts, classes and widths, by the names of their elements. */
export function modelUpdates(rows: readonly LiveModel[]) {
  return {
    cells: rows.flatMap(row => CELLS.map(([name, , read]) => [`model ${row.model} ${name}`, read(row)] as const)),
    states: rows.map(({ model, up }) => [`model ${model} backends`, up === 0 ? 'error' : ''] as const),
    meters: rows.flatMap(({ model, in_flight, limit }) =>
      limit === null ? [] : [[`model ${model} meter`, meterWidth(in_flight, limit)] as const],
    ),
  }
}
