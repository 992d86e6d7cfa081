/** The filters of the list of requests: from the address to a query of the operators' API, and as form and links. */
import { isUuid } from '../../base/ids.ts'
import type { JsonObject } from '../../base/json.ts'
import { GatewayError } from '../../errors/errors.ts'
import { htmlField } from '../../pages/field.ts'
import { type Html, html } from '../../pages/html.ts'
import { chips, filterBox } from '../../pages/parts.ts'
import { CLIENTS } from '../../store/record.ts'
import { type FormFields, filled, select } from './form.ts'
import type { PageRequest } from './page.ts'

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

/** Options of the filter by the share of cached input, in percent. */
const CACHED = [
  ['', 'any'],
  ['0', 'none'],
  ['10', 'at most 10 %'],
  ['50', 'at most 50 %'],
] as const

/** Filters of links, whose fields appear while they are set. */
const TIMES = [
  ['around', 'Minute around'],
  ['from', 'From'],
  ['to', 'To'],
] as const

/** Fields of the form of filters, whose values the API may refuse. */
export const FILTER_FIELDS: FormFields = {
  account: ['account', 'Account'],
  key: ['key', 'Key'],
  user: ['user', 'User'],
  model: ['model', 'Model'],
  backend: ['backend', 'Backend'],
  status: ['status', 'Status'],
  client: ['client', 'Client'],
  session: ['session', 'Session', 'A session has 16 hexadecimal digits, as on the page of a request.'],
  tag: ['tag', 'Tag'],
  batch: ['batch', 'Batch'],
  min_total_latency_ms: ['slow', 'Time taken'],
  max_cache_hit_pct: ['cache', 'Cache hit'],
  from: ['from', 'From'],
  to: ['to', 'To'],
}

/** The filters as a query of the operators' API, which refuses wrong values with their names. */
export function filtersOf({ query, now }: PageRequest): Readonly<Record<string, string | undefined>> {
  const status = filled(query, 'status')
  return {
    account: filled(query, 'account'),
    model: filled(query, 'model'),
    backend: filled(query, 'backend'),
    key: filled(query, 'key'),
    user: filled(query, 'user'),
    client: filled(query, 'client'),
    session: filled(query, 'session'),
    batch: filled(query, 'batch'),
    tag: filled(query, 'tag'),
    ...statusOf(status),
    min_total_latency_ms: filled(query, 'slow'),
    max_cache_hit_pct: filled(query, 'cache'),
    ...timeOf(query, now),
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

/** Links that set or remove one filter each, and a folded form of all filters, so that more requests are visible. */
export async function requestFilters(request: PageRequest): Promise<{ readonly links: Html; readonly box: Html }> {
  const { query } = request
  const accounts = await accountsOf(request)
  const period = PERIODS.find(([hours]) => hours === (query.get('since') || '24'))?.[1]
  const isTimed = ['batch', ...TIMES.map(([name]) => name)].some(name => filled(query, name) !== undefined)
  const summary = isTimed && !query.has('since') ? 'Filters' : `Filters: ${period ?? 'time'}`
  return {
    links: filterLinks(query, accounts.chosen),
    box: filterBox(filterForm(request, accounts), request.filterProblem === null ? summary : undefined),
  }
}

/** Filters of the form, which links remove. */
const REMOVABLE = [
  ...['account', 'key', 'user', 'model', 'backend', 'status', 'client', 'session', 'tag', 'batch'].map(
    name => [name, `${name[0]!.toUpperCase()}${name.slice(1)}: `, ''] as const,
  ),
  ['slow', 'Longer than ', ' ms'],
  ['cache', 'Cache hit under ', ' %'],
  ...TIMES.map(([name, label]) => [name, `${label}: `, ''] as const),
] as const

/** Each link sets or removes one filter, and keeps the others. `account`: the name of the chosen one. */
function filterLinks(query: URLSearchParams, account: string): Html {
  const link = (text: string, name: string, value: string) => {
    const isChosen = (query.get(name) ?? '') === value
    const next = new URLSearchParams(query)
    next.delete('cursor')
    if (isChosen || value === '') next.delete(name)
    else next.set(name, value)
    return [text, `/requests?${next.toString()}`, isChosen] as const
  }
  const quick = [
    link('All statuses', 'status', ''),
    link('Errors', 'status', 'errors'),
    link('4xx', 'status', '4xx'),
    link('5xx', 'status', '5xx'),
    link('Client left', 'status', '499'),
    link('Longer than 10 s', 'slow', '10000'),
    link('Cache hit under 10 %', 'cache', '10'),
  ]
  const others = REMOVABLE.flatMap(([name, label, unit]) => {
    const value = filled(query, name)
    const [, href, isChosen] = link('', name, value ?? '')
    if (value === undefined || quick.some(([, same, isQuick]) => isQuick && same === href)) return []
    const text = html`${label}${name === 'account' ? account : value}${unit}<span class="hidden">, remove</span> <span aria-hidden="true">×</span>`
    return [[text, href, isChosen] as const]
  })
  return chips('Quick filters', [...quick, ...others])
}

function filterForm(
  { query, config: { models, batches }, filterProblem }: PageRequest,
  { names, chosen: account }: KnownAccounts,
): Html {
  const chosen = (name: string) => query.get(name) ?? ''
  const field = (name: string, label: string, more: Html, value = chosen(name)) =>
    htmlField({ name, label }, filterProblem, own => html`<input${own} value="${value}"${more}>`)
  const input = (name: string, label: string, size: number, placeholder = 'all') =>
    field(name, label, html` placeholder="${placeholder}" size="${size}"`)
  const choice = (name: string, label: string, options: readonly (readonly [string, string])[]) =>
    select(name, label, chosen(name), withChosen(options, chosen(name)), filterProblem)
  const modelNames = models.map(({ id }) => [id, id] as const)
  return html`<form action="/requests" class="fields">
${field('account', 'Account', html` list="accounts" placeholder="all: name or id" autocomplete="off"`, account)}
<datalist id="accounts">${names.map(name => html`<option value="${name}"></option>`)}</datalist>
${input('key', 'Key', 16, 'all: its id')}${input('user', 'User', 16)}${choice('model', 'Model', [['', 'all'], ...modelNames])}
${input('backend', 'Backend', 20, 'part of it')}${field('status', 'Status', html` list="statuses" placeholder="all" size="8" autocomplete="off"`)}
<datalist id="statuses"><option value="errors">every error</option><option value="4xx"><option value="5xx"><option value="200"><option value="400"><option value="401"><option value="429"><option value="499">client left</option><option value="502"><option value="503"><option value="504"></datalist>
${choice('client', 'Client', [['', 'all'], ...CLIENTS.map(name => [name, name] as const)])}
${input('session', 'Session', 16)}${input('tag', 'Tag', 10)}${(batches !== undefined || chosen('batch') !== '') && input('batch', 'Batch', 24)}
${TIMES.map(([name, label]) => chosen(name) !== '' && input(name, label, 22))}
${choice('slow', 'Time taken', SLOW)}
${choice('cache', 'Cache hit', CACHED)}
${select('since', 'Since', chosen('since') || (chosen('batch') === '' ? '24' : ''), chosen('batch') === '' ? PERIODS : [['', 'any time'], ...PERIODS])}
<button class="main">Filter</button></form>`
}

/** A link may set a value that the form does not offer, such as a model that the file no longer has. */
function withChosen(options: readonly (readonly [string, string])[], chosen: string) {
  return options.some(([value]) => value === chosen) ? options : [...options, [chosen, chosen] as const]
}

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
