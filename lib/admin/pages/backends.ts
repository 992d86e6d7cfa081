/** The pages of backends: a list, and one page each with its history. */
import type { JsonObject } from '../../base/json.ts'
import { type Html, html } from '../../pages/html.ts'
import { htmlTable } from '../../pages/table.ts'
import { filled } from './form.ts'
import {
  DEFAULT_RANGE,
  EMPTY,
  eventTable,
  type History,
  historyPlots,
  isEmpty,
  pointTable,
  rangeLinks,
} from './history.ts'
import { backendPlots, totalCards } from './history-plots.ts'
import { htmlCards, type PageReply, type PageRequest, type PageRoute } from './page.ts'
import { BACKEND_PATH, BACKENDS_PATH, backendPath, modelHistoryPath } from './paths.ts'
import { boundText, numberText, textOf } from './text.ts'

export const backendsRoutes: readonly PageRoute[] = [
  {
    method: 'GET',
    path: BACKENDS_PATH,
    handle: async ({ call }) => listPage((await call('backends')).backends as JsonObject[]),
  },
  { method: 'GET', path: BACKEND_PATH, handle: backendPage },
]

function listPage(backends: readonly JsonObject[]): PageReply {
  const rows = backends.map(one => {
    const [model, url] = [String(one.model), String(one.url)]
    return [
      html`<a href="${backendPath(model, url)}">${url}</a>`,
      html`<a href="${modelHistoryPath(model)}">${model}</a>`,
      stateHtml(one),
      `${numberText(one.in_flight)} / ${one.limit === null ? '∞' : numberText(one.limit)}`,
      numberText(one.requests_per_second, 2),
      boundText(one.ttft_p95_ms),
      numberText(one.errors),
    ]
  })
  const heads = ['Backend', 'Model', 'State', 'In flight / limit#', 'Requests/s#', 'TTFT p95#', 'Errors#']
  const body =
    rows.length === 0
      ? html`<p class="note">There is no backend. Add a model with <code>backends</code> to the configuration or on the page <a href="/models">Models</a>.</p>`
      : htmlTable('State now; rates, times and errors of the last minute', heads, rows)
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
${rangeLinks(range, one => backendPath(model, url, one))}
${isEmpty(history) ? EMPTY : html`${htmlCards(totalCards(history.total))}${historyPlots(history, backendPlots(history))}${pointTable(history)}`}
<h2>Reloads, drains and ejections</h2>
${eventTable(history)}
<p class="soft">TTFT and time per token are of streams of clients. Requests, failures and tokens include batches and requests of the gateway itself.</p>`
  return { title: url.replace(/^https?:\/\//, ''), path: BACKENDS_PATH, script: 'plot.js', body }
}

function nowText(now: JsonObject | undefined): Html {
  if (now === undefined) return html`The configuration no longer names it.`
  const problem = now.problem !== null && html` <span class="error">${textOf(now.problem)}</span>`
  return html`Now: ${stateHtml(now)}, ${numberText(now.in_flight)} in flight.${problem}`
}

function stateHtml({ state }: JsonObject): Html {
  const text = textOf(state)
  const isDown = text === 'ejected' || text === 'unhealthy'
  return html`<span class="${text === 'up' ? 'good' : isDown ? 'error' : 'warn'}">${text}</span>`
}
