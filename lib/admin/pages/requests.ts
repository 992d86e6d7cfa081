/** The page that finds requests, by any id that clients see or by filters. */
import type { JsonObject } from '../../base/json.ts'
import { GatewayError } from '../../errors/errors.ts'
import { type Html, html } from '../../pages/html.ts'
import { statusClass } from '../../pages/status.ts'
import { htmlTable } from '../../pages/table.ts'
import { CLIENTS } from '../../store/record.ts'
import { filled, select } from './form.ts'
import { csvLink, nextLink, type PageRequest, type PageRoute } from './page.ts'
import { millisText, numberText, textOf, timeText } from './text.ts'

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

const listRoute: PageRoute = {
  method: 'GET',
  path: '/requests',
  async handle(request) {
    const id = filled(request.query, 'id')
    if (id !== undefined) return { to: `/requests/${encodeURIComponent(id)}` }
    const { requests, cursor } = await request.call('requests', { query: queryOf(request) })
    const names = await namesOf(request)
    const list = Array.isArray(requests) ? (requests as JsonObject[]) : []
    const body = html`<form action="/requests" class="fields">
<p class="field"><label for="id">Request id</label><input id="id" name="id" autocomplete="off" placeholder="req_…"></p>
<button class="main">Look up</button></form>
${filters(request, names)}
${list.length === 0 ? html`<p>${typeof cursor === 'string' ? 'None so far.' : 'There is no such request in this time.'}</p>` : requestTable(list)}
${nextLink('/requests', request.query, cursor, list.length < PAGE_SIZE ? 'Search further' : 'Older')}
${csvLink(CSV, request.query)}`
    return { title: 'Requests', path: '/requests', body }
  },
}

export const requestsRoutes: readonly PageRoute[] = [
  listRoute,
  { method: 'GET', path: CSV, handle: request => request.csv('requests', { query: queryOf(request) }) },
]

/** Names by id: of the first 200 accounts and of the chosen one. Other accounts are shown by their id. */
async function namesOf({ query, call }: PageRequest): Promise<ReadonlyMap<string, string>> {
  const { accounts } = await call('list-accounts', { query: { limit: '200' } })
  const names = new Map((accounts as JsonObject[]).map(({ id, name }) => [String(id), String(name)]))
  const chosen = filled(query, 'account')
  if (chosen !== undefined && !names.has(chosen)) names.set(chosen, (await nameOf(call, chosen)) ?? chosen)
  return names
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
  const batch = filled(query, 'batch')
  const since = filled(query, 'since')
  const hours = Number(since ?? '24')
  return {
    account: filled(query, 'account'),
    model: filled(query, 'model'),
    backend: filled(query, 'backend'),
    client: filled(query, 'client'),
    session: filled(query, 'session'),
    batch,
    ...(status === 'errors' ? { errors_only: 'true' } : { status }),
    min_total_latency_ms: filled(query, 'slow'),
    // A link to the requests of a batch has no time: they are of any age.
    from:
      batch !== undefined && since === undefined
        ? undefined
        : new Date(now / 1000 - (hours > 0 && hours <= 24 * 366 ? hours : 24) * 3_600_000).toISOString(),
    limit: String(PAGE_SIZE),
    cursor: filled(query, 'cursor'),
  }
}

function filters({ query, config }: PageRequest, names: ReadonlyMap<string, string>): Html {
  const chosen = (name: string) => query.get(name) ?? ''
  return html`<form action="/requests" class="fields">
${select('account', 'Account', chosen('account'), [['', 'all'], ...names])}
${select('model', 'Model', chosen('model'), [['', 'all'], ...config.models.map(({ id }) => [id, id] as const)])}
<p class="field"><label for="backend">Backend</label><input id="backend" name="backend" value="${chosen('backend')}" placeholder="part of its address"></p>
<p class="field"><label for="status">Status</label><input id="status" name="status" value="${chosen('status')}" list="statuses" placeholder="all" size="8" autocomplete="off"></p>
<datalist id="statuses"><option value="errors">every error</option><option value="200"><option value="400"><option value="401"><option value="429"><option value="499">client left</option><option value="502"><option value="503"><option value="504"></datalist>
${select('client', 'Client', chosen('client'), [['', 'all'], ...CLIENTS.map(name => [name, name] as const)])}
<p class="field"><label for="session">Session</label><input id="session" name="session" value="${chosen('session')}" placeholder="all" size="16"></p>
${(config.batches !== undefined || chosen('batch') !== '') && html`<p class="field"><label for="batch">Batch</label><input id="batch" name="batch" value="${chosen('batch')}" placeholder="all" size="24"></p>`}
${select('slow', 'Slow', chosen('slow'), SLOW)}
${select('since', 'Since', chosen('since') || (chosen('batch') === '' ? '24' : ''), chosen('batch') === '' ? PERIODS : [['', 'any time'], ...PERIODS])}
<button>Filter</button></form>`
}

function requestTable(requests: readonly JsonObject[]): Html {
  const rows = requests.map(request => [
    timeText(request.created_at),
    html`<a href="/requests/${String(request.id)}">${textOf(request.request_id)}</a>`,
    textOf(request.account_name ?? request.account_id),
    textOf(request.model_resolved ?? request.model_requested),
    textOf(request.backend),
    statusCell(request),
    millisText(request.ttft_ms),
    millisText(request.total_latency_ms),
    numberText(request.input_tokens),
    numberText(request.output_tokens),
    textOf(request.error_code ?? request.stream_error_type),
  ])
  const heads = [
    'Time (UTC)',
    'Request',
    'Account',
    'Model',
    'Backend',
    'Status#',
    'TTFT#',
    'Total#',
    'In#',
    'Out#',
    'Error',
  ]
  return htmlTable('Newest first', heads, rows)
}

export function statusCell({ status_code: status, stream_error_type: broken }: JsonObject): Html {
  const isFailed = Number(status) >= 400 || broken !== null
  return html`<span class="${statusClass(Number(status), isFailed)}">${textOf(status)}${broken !== null && ' broke'}</span>`
}
