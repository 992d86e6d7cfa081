/** The page that finds requests, by any id that clients see or by filters. */
import { isUuid } from '../../base/ids.ts'
import type { Json, JsonObject } from '../../base/json.ts'
import { centsOf } from '../../base/money.ts'
import { GatewayError } from '../../errors/errors.ts'
import { type Column, columnTable } from '../../pages/columns.ts'
import { type Html, html } from '../../pages/html.ts'
import { addressHtml, chips, emptyState, filterBox, liveBar, timeHtml } from '../../pages/parts.ts'
import { statusClass } from '../../pages/status.ts'
import { CLIENTS } from '../../store/record.ts'
import { columnChoice, columnRoute } from './columns.ts'
import { filled, select } from './form.ts'
import { csvLink, listEnd, nextLink, type PageRequest, type PageRoute } from './page.ts'
import { millisText, moneyCell, NOTHING, numberText, requestsHref, textOf } from './text.ts'

const PAGE_SIZE = 50

/** Options of the filter by time, in hours. */
const PERIODS = [
  ['1', 'last hour'],
  ['24', 'last day'],
  ['168', 'last 7 days'],
  ['720', 'last 30 days'],
] as const

/** Options of the filter by latency, in milliseconds. */
const SLOW = [
  ['', 'any time'],
  ['1000', 'longer than 1 s'],
  ['10000', 'longer than 10 s'],
  ['60000', 'longer than a minute'],
] as const

const CSV = '/requests.csv'
/** Milliseconds after which a page without filters by id is read again. */
const POLL_MS = 5000

const listRoute: PageRoute = {
  method: 'GET',
  path: '/requests',
  async handle(request) {
    const { query, config, call } = request
    const id = filled(query, 'id')
    if (id !== undefined) return { to: `/requests/${encodeURIComponent(id)}` }
    const { requests, cursor } = await call('requests', { query: queryOf(request) })
    const list = Array.isArray(requests) ? (requests as JsonObject[]) : []
    const { shown, form: choice } = columnChoice(request, '/requests', columnsOf(config))
    const isNewest = filled(query, 'cursor') === undefined && filled(query, 'around') === undefined
    const body = html`<form action="/requests" class="fields">
<p class="field"><label for="id">Request id</label><input id="id" name="id" autocomplete="off" placeholder="req_…"></p>
<button>Look up</button></form>
${quickFilters(query)}
${filterBox(filterForm(query, config, await accountsOf(request)))}
<div class="row toolbar">${choice}${isNewest && liveBar()}</div>
<div id="requests"${isNewest && html` data-poll="${POLL_MS}"`}>${list.length === 0 ? noRequests(cursor) : columnTable('Newest first', shown, list, { detail: errorOf })}
${listEnd(nextLink('/requests', query, cursor, list.length < PAGE_SIZE ? 'Search further' : 'Older'), csvLink(CSV, query))}</div>`
    return { title: 'Requests', path: '/requests', body, ...(isNewest && { script: 'live.js' }) }
  },
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

interface KnownAccounts {
  /** Names of the first accounts, which the box of the filter suggests. */
  readonly names: readonly string[]
  /** Name or id of the chosen account. */
  readonly chosen: string
}

async function accountsOf({ query, call }: PageRequest): Promise<KnownAccounts> {
  const { accounts } = await call('list-accounts', { query: { limit: '200' } })
  const known = accounts as JsonObject[]
  const chosen = filled(query, 'account')
  const names = [...new Set(known.map(({ name }) => String(name)))]
  if (chosen === undefined) return { names, chosen: '' }
  const name = known.find(({ id }) => id === chosen)?.name ?? (isUuid(chosen) ? await nameOf(call, chosen) : undefined)
  return { names, chosen: typeof name === 'string' ? name : chosen }
}

async function nameOf(call: PageRequest['call'], id: string): Promise<string | undefined> {
  try {
    return String((await call('account', { params: { id } })).name)
  } catch (thrown) {
    if (thrown instanceof GatewayError && thrown.status === 404) return undefined
    throw thrown
  }
}

/** The filters as a query of the operators' API, which refuses wrong values with their names. */
function queryOf({ query, now }: PageRequest): Readonly<Record<string, string | undefined>> {
  const status = filled(query, 'status')
  return {
    account: filled(query, 'account'),
    model: filled(query, 'model'),
    backend: filled(query, 'backend'),
    client: filled(query, 'client'),
    session: filled(query, 'session'),
    batch: filled(query, 'batch'),
    tag: filled(query, 'tag'),
    ...statusOf(status),
    min_total_latency_ms: filled(query, 'slow'),
    max_cache_hit_pct: filled(query, 'cache'),
    ...timeOf(query, now),
    limit: String(PAGE_SIZE),
    cursor: filled(query, 'cursor'),
  }
}

function statusOf(status: string | undefined): Readonly<Record<string, string | undefined>> {
  if (status === 'errors') return { errors_only: 'true' }
  return /^[45]xx$/.test(status ?? '') ? { status_class: status![0] } : { status }
}

const MINUTE_MS = 60_000

/** `around`: the half minutes before and after this time. `from` and `to`: of links from sums of that time. */
function timeOf(query: URLSearchParams, now: number): Readonly<Record<string, string | undefined>> {
  const around = Date.parse(filled(query, 'around') ?? '')
  if (!Number.isNaN(around)) {
    const [from, to] = [around - MINUTE_MS / 2, around + MINUTE_MS / 2].map(at => new Date(at).toISOString())
    return { from, to }
  }
  const [start, end] = [filled(query, 'from'), filled(query, 'to')]
  if (start !== undefined || end !== undefined) return { from: start, to: end }
  const since = filled(query, 'since')
  // A link to the requests of a batch has no time: they are of any age.
  if (since === undefined && filled(query, 'batch') !== undefined) return {}
  const hours = Number(since ?? '24')
  return { from: new Date(now / 1000 - (hours > 0 && hours <= 24 * 366 ? hours : 24) * 3_600_000).toISOString() }
}

/** Each link sets one filter, and keeps the others. */
function quickFilters(query: URLSearchParams): Html {
  const link = (text: string, name: string, value: string) => {
    const isChosen = (query.get(name) ?? '') === value
    const next = new URLSearchParams(query)
    next.delete('cursor')
    if (isChosen || value === '') next.delete(name)
    else next.set(name, value)
    return [text, `/requests?${next.toString()}`, isChosen] as const
  }
  return chips('Quick filters', [
    link('All statuses', 'status', ''),
    link('Errors', 'status', 'errors'),
    link('4xx', 'status', '4xx'),
    link('5xx', 'status', '5xx'),
    link('Client left', 'status', '499'),
    link('Longer than 10 s', 'slow', '10000'),
    link('Cache hit under 10 %', 'cache', '10'),
  ])
}

function filterForm(
  query: URLSearchParams,
  { models, batches }: PageRequest['config'],
  { names, chosen: account }: KnownAccounts,
): Html {
  const chosen = (name: string) => query.get(name) ?? ''
  return html`<form action="/requests" class="fields">
<p class="field"><label for="account">Account</label><input id="account" name="account" value="${account}" list="accounts" placeholder="all: name or id" autocomplete="off"></p>
<datalist id="accounts">${names.map(name => html`<option value="${name}"></option>`)}</datalist>
${select('model', 'Model', chosen('model'), [['', 'all'], ...models.map(({ id }) => [id, id] as const)])}
<p class="field"><label for="backend">Backend</label><input id="backend" name="backend" value="${chosen('backend')}" placeholder="part of its address"></p>
<p class="field"><label for="status">Status</label><input id="status" name="status" value="${chosen('status')}" list="statuses" placeholder="all" size="8" autocomplete="off"></p>
<datalist id="statuses"><option value="errors">every error</option><option value="4xx"><option value="5xx"><option value="200"><option value="400"><option value="401"><option value="429"><option value="499">client left</option><option value="502"><option value="503"><option value="504"></datalist>
${select('client', 'Client', chosen('client'), [['', 'all'], ...CLIENTS.map(name => [name, name] as const)])}
<p class="field"><label for="session">Session</label><input id="session" name="session" value="${chosen('session')}" placeholder="all" size="16"></p>
<p class="field"><label for="tag">Tag</label><input id="tag" name="tag" value="${chosen('tag')}" placeholder="all" size="10"></p>
${(batches !== undefined || chosen('batch') !== '') && html`<p class="field"><label for="batch">Batch</label><input id="batch" name="batch" value="${chosen('batch')}" placeholder="all" size="24"></p>`}
${['from', 'to'].map(name => chosen(name) !== '' && html`<p class="field"><label for="${name}">${name === 'from' ? 'From' : 'To'}</label><input id="${name}" name="${name}" value="${chosen(name)}" size="22"></p>`)}
${select('slow', 'Time taken', chosen('slow'), SLOW)}
${select('since', 'Since', chosen('since') || (chosen('batch') === '' ? '24' : ''), chosen('batch') === '' ? PERIODS : [['', 'any time'], ...PERIODS])}
<button class="main">Filter</button></form>`
}

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
    { name: 'key', head: 'Key', cell: row => textOf(row.key_id), shown: 'extra' },
    { name: 'user', head: 'User', cell: row => textOf(row.user_id), shown: 'extra' },
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

function accountCell({ account_id: id, account_name: name }: JsonObject): Html | string {
  return typeof id === 'string' ? html`<a href="${requestsHref({ account: id })}">${textOf(name ?? id)}</a>` : NOTHING
}

/** Below the row, so that it needs no column. */
function errorOf({ error_code: code, stream_error_type: broken }: JsonObject): string | null {
  const error = code ?? broken ?? null
  return error === null ? null : textOf(error)
}

function modelCell({ model_resolved: resolved, model_requested: requested }: JsonObject): Html | string {
  const model = resolved ?? requested
  return typeof model === 'string' ? html`<span class="name">${filterLink('model', model)}</span>` : NOTHING
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
