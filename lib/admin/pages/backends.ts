/** The pages of backends: a list, and one page each with its history. */
import type { JsonObject } from '../../base/json.ts'
import { type Column, columnTable } from '../../pages/columns.ts'
import { type Html, html } from '../../pages/html.ts'
import { addressHtml, htmlTabs } from '../../pages/parts.ts'
import { columnChoice, columnRoute, pageSorting } from './columns.ts'
import { eventTable } from './events.ts'
import { filled } from './form.ts'
import { DEFAULT_RANGE, EMPTY, type History, HOURS, historyPlots, isEmpty, pointTable, rangeLinks } from './history.ts'
import { backendPlots, totalCards } from './history-plots.ts'
import { csvLink, htmlCards, type PageReply, type PageRequest, type PageRoute } from './page.ts'
import { BACKEND_PATH, BACKEND_STRIPS_PATH, BACKENDS_PATH, backendPath, modelHistoryPath } from './paths.ts'
import { boundText, memberOf, numberText, requestsHref, textOf } from './text.ts'

const CSV = `${BACKENDS_PATH}.csv`

export const backendsRoutes: readonly PageRoute[] = [
  {
    method: 'GET',
    path: BACKENDS_PATH,
    handle: async request => listPage(request, (await request.call('backends')).backends as JsonObject[]),
  },
  columnRoute(BACKENDS_PATH, () => COLUMNS),
  { method: 'GET', path: CSV, handle: ({ csv }) => csv('backends') },
  { method: 'GET', path: BACKEND_PATH, handle: backendPage },
]

/** Tabs of the pages about all backends. */
export function backendTabs(current: 'List' | 'Over time'): Html {
  return htmlTabs(
    'All backends',
    [
      ['List', BACKENDS_PATH],
      ['Over time', BACKEND_STRIPS_PATH],
    ],
    current,
  )
}

const text = (member: string) => (row: JsonObject) => textOf(row[member])
const number = (member: string) => (row: JsonObject) => {
  const value = row[member]
  return typeof value === 'number' ? value : null
}

function prefillOf({ learnt }: JsonObject): number | null {
  const rate = memberOf(learnt, 'prefill_tokens_per_second')
  return typeof rate === 'number' ? rate : null
}

const COLUMNS: readonly Column<JsonObject>[] = [
  {
    ...{ name: 'backend', head: 'Backend', value: text('url'), shown: 'always' },
    cell: ({ model, url }) =>
      html`<a href="${backendPath(String(model), String(url))}">${addressHtml(String(url))}</a>`,
  },
  { name: 'state', head: 'State', cell: stateHtml, value: text('state'), shown: 'always' },
  {
    ...{ name: 'model', head: 'Model', value: text('model'), shown: 'always' },
    cell: ({ model }) => html`<a href="${modelHistoryPath(String(model))}">${String(model)}</a>`,
  },
  {
    ...{ name: 'in_flight', head: 'In flight / limit#', value: number('in_flight') },
    cell: ({ in_flight: load, limit }) => `${numberText(load)} / ${limit === null ? '∞' : numberText(limit)}`,
  },
  {
    ...{ name: 'rate', head: 'Requests/s#', value: number('requests_per_second') },
    cell: row => requestsOf(row, numberText(row.requests_per_second, 2)),
  },
  {
    ...{ name: 'ttft_p95', head: 'TTFT p95#', value: number('ttft_p95_ms') },
    cell: row => boundText(row.ttft_p95_ms),
  },
  {
    ...{ name: 'errors', head: 'Errors#', value: number('errors'), shown: 'always' },
    cell: row => requestsOf(row, numberText(row.errors), { status: 'errors' }),
  },
  {
    ...{ name: 'prefill', head: 'Prefill tokens/s#', value: prefillOf, shown: 'extra' },
    cell: row => numberText(prefillOf(row)),
  },
  {
    ...{ name: 'zdr', head: 'Zero data retention', value: text('zdr'), shown: 'extra' },
    cell: ({ zdr }) => (zdr === true ? 'yes' : 'no'),
  },
]

/** A number with a link to the requests of the last hour behind it. */
function requestsOf({ model, url }: JsonObject, shown: string, more: Readonly<Record<string, string>> = {}): Html {
  return html`<a href="${requestsHref({ model: String(model), backend: String(url), since: '1', ...more })}">${shown}</a>`
}

function listPage(request: PageRequest, backends: readonly JsonObject[]): PageReply {
  const sorting = pageSorting(request, BACKENDS_PATH, COLUMNS)
  const { shown, form } = columnChoice(request, BACKENDS_PATH, COLUMNS)
  const detail = ({ problem }: JsonObject) => (typeof problem === 'string' ? problem : null)
  const body =
    backends.length === 0
      ? html`<p class="note">There is no backend. Add a model with <code>backends</code> to the configuration or on the page <a href="/models">Models</a>.</p>`
      : html`${backendTabs('List')}${form}${columnTable('Current state; rates, times and errors of the last minute', shown, backends, { sorting, detail })}${csvLink(CSV)}`
  return { title: 'Backends', path: BACKENDS_PATH, body }
}

async function backendPage(request: PageRequest): Promise<PageReply> {
  const { query } = request
  const [model, url] = [filled(query, 'model') ?? '', filled(query, 'url') ?? '']
  const range = filled(query, 'range') ?? DEFAULT_RANGE
  const history = (await request.call('backend-history', { query: { model, url, range } })) as unknown as History
  const backends = (await request.call('backends')).backends as JsonObject[]
  const now = backends.find(one => one.model === model && one.url === url)
  const body = html`<p><a href="${BACKENDS_PATH}">All backends</a></p>
<p>Serves <a href="${modelHistoryPath(model)}">${model}</a>. ${nowText(now)} <a href="/requests?${new URLSearchParams({ model, backend: url }).toString()}">Its requests</a></p>
${typeof now?.problem === 'string' && html`<p class="note bad">${now.problem}</p>`}
${rangeLinks(range, one => backendPath(model, url, one))}
${isEmpty(history) ? EMPTY : html`${htmlCards(totalCards(history.total, more => requestsHref({ model, backend: url, since: HOURS[range] ?? '24', ...more })))}${historyPlots(history, backendPlots(history))}${pointTable(history)}`}
<h2>Reloads, drains and ejections</h2>
${eventTable(history.events, { of: 'backend' })}
<p class="soft">TTFT and time per token are of streams of clients. Requests, failures and tokens include batches and requests of the gateway itself.</p>`
  return { title: url.replace(/^https?:\/\//, ''), path: BACKENDS_PATH, script: 'plot.js', body }
}

function nowText(now: JsonObject | undefined): Html {
  if (now === undefined) return html`The configuration no longer names it.`
  return html`Now: ${stateHtml(now)}, ${numberText(now.in_flight)} in flight.`
}

export function stateHtml({ state }: JsonObject): Html {
  const text = textOf(state)
  const isDown = text === 'ejected' || text === 'unhealthy'
  return html`<span class="${text === 'up' ? 'good' : isDown ? 'error' : 'warn'}">${text}</span>`
}
