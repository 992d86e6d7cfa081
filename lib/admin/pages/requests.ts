/** The page that finds requests, by any id that clients see or by filters. */
import type { Json, JsonObject } from '../../base/json.ts'
import { centsOf } from '../../base/money.ts'
import { type Column, columnTable } from '../../pages/columns.ts'
import { type Html, html } from '../../pages/html.ts'
import { addressHtml, emptyState, liveBar, nameHtml, timeHtml } from '../../pages/parts.ts'
import { statusClass } from '../../pages/status.ts'
import { columnChoice, columnRoute } from './columns.ts'
import { filled } from './form.ts'
import { accountText, ownerHref } from './links.ts'
import { csvLink, filterNote, listEnd, nextLink, type PageRequest, type PageRoute } from './page.ts'
import { FILTER_FIELDS, filtersOf, requestFilters } from './request-filters.ts'
import { millisText, moneyCell, NOTHING, numberText, requestsHref, textOf } from './text.ts'

const PAGE_SIZE = 50
const CSV = '/requests.csv'
/** Milliseconds after which a page without filters by id is read again. */
const POLL_MS = 5000

const listRoute: PageRoute = {
  method: 'GET',
  path: '/requests',
  fields: FILTER_FIELDS,
  async handle(request) {
    const { query, config, call } = request
    const id = filled(query, 'id')
    if (id !== undefined) return { to: `/requests/${encodeURIComponent(id)}` }
    if (request.filterProblem !== null) {
      const { links, box } = await requestFilters(request)
      return {
        title: 'Requests',
        path: '/requests',
        body: html`${filterNote(request)}${links}
${box}`,
      }
    }
    const { requests, cursor } = await call('requests', { query: queryOf(request) })
    const list = Array.isArray(requests) ? (requests as JsonObject[]) : []
    const { shown, form: choice } = columnChoice(request, '/requests', columnsOf(config))
    const isNewest = filled(query, 'cursor') === undefined && filled(query, 'around') === undefined
    const { links, box } = await requestFilters(request)
    const body = html`${links}
<div class="row toolbar">${box}${choice}${isNewest && liveBar()}<form action="/requests" class="row">
<label for="id">Request id</label><input id="id" name="id" autocomplete="off" placeholder="req_…"><button>Look up</button></form></div>
<div id="requests"${isNewest && html` data-poll="${POLL_MS}"`}>${list.length === 0 ? noRequests(cursor) : columnTable('Newest first', shown, list, { detail: errorOf })}
${listEnd(nextLink('/requests', query, cursor, list.length < PAGE_SIZE ? 'Search further' : 'Older'), csvLink(CSV, query))}</div>`
    return { title: 'Requests', path: '/requests', body, ...(isNewest && { script: 'live.js' }) }
  },
}

function queryOf(request: PageRequest): Readonly<Record<string, string | undefined>> {
  return { ...filtersOf(request), limit: String(PAGE_SIZE), cursor: filled(request.query, 'cursor') }
}

function noRequests(cursor: Json | undefined): Html {
  if (typeof cursor === 'string') return emptyState('None so far', 'The search goes on further back.')
  return emptyState(
    'No such requests in this time',
    'Requests appear here a second after their end. Fewer filters, or a longer time, show more.',
  )
}

export const requestsRoutes: readonly PageRoute[] = [
  listRoute,
  { method: 'GET', path: CSV, handle: request => request.csv('requests', { query: queryOf(request) }) },
  columnRoute('/requests', ({ config }) => columnsOf(config)),
]

/** The status is in the first columns, which are visible on every screen. */
function columnsOf(config: PageRequest['config']): readonly Column<JsonObject>[] {
  return [
    { name: 'time', head: 'Time', cell: row => timeHtml(row.created_at), shown: 'always' },
    {
      ...{ name: 'request', head: 'Request', shown: 'always' },
      cell: row => html`<a class="whole" href="/requests/${String(row.id)}">${textOf(row.request_id)}</a>`,
    },
    {
      ...{ name: 'status', head: 'Status#', shown: 'always' },
      cell: row => html`<a href="${requestsHref({ status: textOf(row.status_code) })}">${statusCell(row)}</a>`,
    },
    { name: 'account', head: 'Account', cell: accountCell },
    { name: 'key', head: 'Key', cell: row => ownerLink('key', row.key_id, row), shown: 'extra' },
    { name: 'user', head: 'User', cell: row => ownerLink('user', row.user_id, row), shown: 'extra' },
    { name: 'client', head: 'Client', cell: row => filterLink('client', row.client), shown: 'extra' },
    { name: 'model', head: 'Model', cell: modelCell },
    { name: 'backend', head: 'Backend', cell: backendCell },
    { name: 'ttft', head: 'TTFT#', cell: row => millisText(row.ttft_ms) },
    { name: 'total', head: 'Total#', cell: row => millisText(row.total_latency_ms) },
    { name: 'input', head: 'Input#', cell: row => numberText(row.input_tokens) },
    { name: 'cached', head: 'Cached input#', cell: row => numberText(row.cache_read_tokens), shown: 'extra' },
    { name: 'output', head: 'Output#', cell: row => numberText(row.output_tokens) },
    { name: 'cost', head: 'Cost#', cell: row => costCell(row, config), shown: 'extra' },
  ]
}

/** null: the request was not charged to a prepaid account. */
function costCell({ cost_microcents: cost }: JsonObject, config: PageRequest['config']): Html | string {
  return typeof cost === 'number' ? moneyCell(centsOf(cost), config) : NOTHING
}

function filterLink(name: string, value: Json | undefined): Html | string {
  return typeof value === 'string' ? html`<a href="${requestsHref({ [name]: value })}">${value}</a>` : NOTHING
}

function ownerLink(name: 'key' | 'user', value: Json | undefined, { account_id: account }: JsonObject): Html | string {
  if (typeof value !== 'string') return NOTHING
  return html`<a href="${ownerHref(name, value, account)}">${nameHtml(value)}</a>`
}

function accountCell({ account_id: id, account_name: name }: JsonObject): Html | string {
  return typeof id === 'string'
    ? html`<a href="${requestsHref({ account: id })}">${accountText(id, name)}</a>`
    : NOTHING
}

/** The error of a request, which is shown below its row. */
function errorOf({ error_code: code, stream_error_type: broken }: JsonObject): string | null {
  const error = code ?? broken ?? null
  return error === null ? null : textOf(error)
}

function modelCell({ model_resolved: resolved, model_requested: requested }: JsonObject): Html | string {
  const model = resolved ?? requested
  return typeof model === 'string' ? html`<a href="${requestsHref({ model })}">${nameHtml(model)}</a>` : NOTHING
}

function backendCell({ backend }: JsonObject): Html | string {
  return typeof backend === 'string'
    ? html`<a href="${requestsHref({ backend })}">${addressHtml(backend)}</a>`
    : NOTHING
}

export function statusCell({ status_code: status, stream_error_type: broken }: JsonObject): Html {
  const isFailed = Number(status) >= 400 || broken !== null
  return html`<span class="${statusClass(Number(status), isFailed)}">${textOf(status)}${broken !== null && ' broke'}</span>`
}
