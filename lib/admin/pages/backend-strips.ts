/** The page of all backends over time: small plots of each, next to each other. */
import type { JsonObject } from '../../base/json.ts'
import { type Html, html } from '../../pages/html.ts'
import { addressHtml, nameHtml } from '../../pages/parts.ts'
import { type Sorting, sortFields } from '../../pages/sorting.ts'
import { htmlSparkline, htmlStrip, largestOf } from '../../pages/sparkline.ts'
import { htmlTable } from '../../pages/table.ts'
import { backendTabs, stateHtml } from './backends.ts'
import { pageSorting } from './columns.ts'
import { filled, select } from './form.ts'
import { DEFAULT_RANGE, EMPTY, rangeLinks, unitText } from './history.ts'
import { listEnd, nextLink, type PageRequest, type PageRoute } from './page.ts'
import { BACKEND_STRIPS_PATH, BACKENDS_PATH, backendPath, modelHistoryPath } from './paths.ts'
import { millisText, NOTHING, numberText } from './text.ts'

type Name =
  | ('ttft_p95_ms' | 'in_flight_mean' | 'limit' | 'wait_ms' | 'requests' | 'failures')
  | ('input_tokens' | 'output_tokens' | 'cache_hit_pct')
type Numbers = Readonly<Record<Name, number | null>>

/** The reply of the API, `schemas/admin/backend-histories.json`. */
interface Histories {
  readonly step: string
  readonly backends: readonly {
    readonly model: string
    readonly url: string
    readonly total: Numbers
    readonly points: readonly Numbers[]
  }[]
  readonly count: number
  readonly cursor: string | null
}

const compactText = (value: number | null) =>
  value === null ? NOTHING : value.toLocaleString('en', { notation: 'compact', maximumFractionDigits: 1 })

/** Numbers by which the store sorts. */
const SORTED: readonly Name[] = ['ttft_p95_ms', 'failures']

/** Head, plotted number, and the text of a value of it. */
const COLUMNS = [
  ['TTFT p95', 'ttft_p95_ms', millisText],
  ['In flight / limit', 'in_flight_mean', (value: number | null) => numberText(value, 1)],
  ['Queue wait', 'wait_ms', millisText],
  ['Input tokens', 'input_tokens', compactText],
  ['Output tokens', 'output_tokens', compactText],
  ['Cache hit', 'cache_hit_pct', (value: number | null) => unitText(value, '%')],
  ['Errors', 'failures', numberText],
] as const satisfies readonly (readonly [string, Name, (value: number | null) => string])[]

const SORTABLE = COLUMNS.map(([head, name]) => ({ name, head: `${head}#`, value: SORTED.includes(name) || undefined }))

export const backendStripsRoute: PageRoute = {
  method: 'GET',
  path: BACKEND_STRIPS_PATH,
  async handle(request) {
    const { query, call } = request
    const [model, range] = [filled(query, 'model'), filled(query, 'range') ?? DEFAULT_RANGE]
    const sorting = pageSorting(request, BACKEND_STRIPS_PATH, SORTABLE)
    const sort = sorting.by === null ? null : { sort: sorting.by, order: sorting.order }
    const asked = { model, range, ...sort, cursor: filled(query, 'cursor') }
    const histories = (await call('backend-histories', { query: asked })) as unknown as Histories
    const backends = (await call('backends')).backends as JsonObject[]
    const isEmpty = histories.backends.every(({ total }) => total.requests === null)
    const body = html`${backendTabs('Over time')}
${rangeLinks(range, one => rangePath(query, one))}
${modelFilter(request, backends, range)}
${isEmpty ? EMPTY : stripTable(histories, backends, range, sorting)}
${listEnd(nextLink(BACKEND_STRIPS_PATH, query, histories.cursor ?? undefined, 'More backends'))}`
    return { title: 'Backends over time', path: BACKENDS_PATH, body }
  },
}

/** The page in another range, with the same model and order. */
function rangePath(query: URLSearchParams, range: string): string {
  const next = new URLSearchParams(query)
  next.delete('cursor')
  next.set('range', range)
  return `${BACKEND_STRIPS_PATH}?${next.toString()}`
}

/** Nothing if there is one model. */
function modelFilter({ query }: PageRequest, backends: readonly JsonObject[], range: string): Html | false {
  const models = [...new Set(backends.map(({ model }) => String(model)))]
  return (
    models.length > 1 &&
    html`<form action="${BACKEND_STRIPS_PATH}" class="fields"><input type="hidden" name="range" value="${range}">${sortFields(query)}${select('model', 'Model', filled(query, 'model') ?? '', [['', 'all'], ...models.map(id => [id, id] as const)])}<button>Show</button></form>`
  )
}

function stripTable(
  { backends, count, step }: Histories,
  now: readonly JsonObject[],
  range: string,
  sorting: Sorting,
): Html {
  const tops = COLUMNS.map(([, name]) =>
    largestOf(backends.flatMap(({ points, total }) => [...points.map(point => point[name]), boundOf(name, total)])),
  )
  const rows = backends.map(({ model, url, total, points }) => {
    const state = now.find(one => one.model === model && one.url === url)
    const href = backendPath(model, url, range)
    return [
      html`<a href="${href}">${addressHtml(url)}</a>`,
      state === undefined ? NOTHING : stateHtml(state),
      html`<a href="${modelHistoryPath(model, range)}">${nameHtml(model)}</a>`,
      ...COLUMNS.map(([head, name, textOf], at) => {
        const values = points.map(point => point[name])
        const most = largestOf(values)
        const label = `${head} of ${values.length} steps of ${step}, at most ${textOf(most)}`
        const bound = boundOf(name, total)
        const plot = most > 0 && htmlSparkline(values, label, { top: tops[at]!, bound })
        return htmlStrip(href, totalText(name, total, textOf(total[name])), plot)
      }),
    ]
  })
  const heads = ['Backend', 'State', 'Model', ...SORTABLE.map(({ head }) => head)]
  const names = [null, null, null, ...SORTABLE.map(({ name, value }) => (value === undefined ? null : name))]
  const shown = backends.length < count ? `${backends.length} of ${numberText(count)} backends` : 'All backends'
  return htmlTable(`${shown}. The plots of a column have the same scale.`, heads, rows, { sorted: { names, sorting } })
}

function boundOf(name: Name, { limit }: Numbers): number | null {
  return name === 'in_flight_mean' ? limit : null
}

function totalText(name: Name, total: Numbers, text: string): Html | string {
  if (name === 'in_flight_mean' && text !== NOTHING) return `${text} / ${total.limit ?? '∞'}`
  return name === 'failures' && (total.failures ?? 0) > 0 ? html`<span class="error">${text}</span>` : text
}
