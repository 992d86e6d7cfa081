/** The page of usage over all accounts, by any of the groups of the API. */
import type { JsonObject } from '../../base/json.ts'
import { type Column, columnTable, SORTED_BY_STORE } from '../../pages/columns.ts'
import { htmlField } from '../../pages/field.ts'
import { type Html, html } from '../../pages/html.ts'
import { addressHtml, emptyState, filterBox, nameHtml, timeHtml } from '../../pages/parts.ts'
import { sortFields } from '../../pages/sorting.ts'
import { RECORDED_GROUPS, USAGE_GROUPS, type UsageGroup } from '../../store/queries/usage-groups.ts'
import { CLIENTS } from '../../store/record.ts'
import { columnChoice, columnRoute, pageSorting } from './columns.ts'
import { filled, select } from './form.ts'
import { modelLink } from './links.ts'
import { csvLink, filterNote, type PageReply, type PageRequest, type PageRoute } from './page.ts'
import { moneyCell, numberText, requestsHref, textOf } from './text.ts'

const PATH = '/usage'
const CSV = '/usage.csv'
const MAX_ROWS = 500

export const usageRoutes: readonly PageRoute[] = [
  {
    method: 'GET',
    path: PATH,
    fields: {
      account: ['account', 'Account'],
      client: ['client', 'Client'],
      from: ['from', 'From'],
      to: ['to', 'To'],
    },
    async handle(request) {
      if (request.filterProblem !== null) return refusedPage(request)
      const { rows, group_by: groups } = await request.call('usage', { query: queryOf(request) })
      const columns = columnsOf(request, groups as UsageGroup[])
      const body = html`${filterBox(form(request, groups as UsageGroup[]))}
${usageTable(request, rows as JsonObject[], columns, groupsText(groups as UsageGroup[]))}
${csvLink(CSV, request.query)}
<p class="soft">Hours are complete hours, UTC. Costs are tokens at current prices. Groups by ${groupsText(RECORDED_GROUPS)} need records, which are kept ${request.config.retention_days} days.</p>`
      return { title: 'Usage', path: PATH, body }
    },
  },
  { method: 'GET', path: CSV, handle: request => request.csv('usage', { query: queryOf(request) }) },
  columnRoute(PATH, request => columnsOf(request, [])),
]

function refusedPage(request: PageRequest): PageReply {
  const groups = USAGE_GROUPS.filter(group => request.query.getAll('by').includes(group))
  return { title: 'Usage', path: PATH, body: html`${filterNote(request)}${filterBox(form(request, groups))}` }
}

/** `by` is repeated: one for each group. Default: account and model. */
function queryOf({ query }: PageRequest): Readonly<Record<string, string | undefined>> {
  const by = query.getAll('by')
  return {
    account: filled(query, 'account'),
    client: filled(query, 'client'),
    from: filled(query, 'from'),
    to: filled(query, 'to'),
    group_by: by.length === 0 ? 'account,model' : by.join(','),
    sort: filled(query, 'sort'),
    order: filled(query, 'order'),
  }
}

function form({ query, filterProblem }: PageRequest, groups: readonly UsageGroup[]): Html {
  const field = (name: string, label: string, placeholder: string) =>
    htmlField(
      { name, label },
      filterProblem,
      own => html`<input${own} value="${query.get(name) ?? ''}" placeholder="${placeholder}">`,
    )
  const boxes = USAGE_GROUPS.map(
    group =>
      html`<label class="check"><input type="checkbox" name="by" value="${group}"${groups.includes(group) && html` checked`}> ${group.replaceAll('_', ' ')}</label>`,
  )
  return html`<form action="${PATH}">${sortFields(query)}<div class="fields">
${field('account', 'Account', 'all')}
${select('client', 'Client', query.get('client') ?? '', [['', 'all'], ...CLIENTS.map(name => [name, name] as const)], filterProblem)}
${field('from', 'From', '30 days ago')}
${field('to', 'To', 'now')}</div>
<div class="fields"><fieldset><legend>Group by</legend>${boxes}</fieldset>
<button class="main">Show</button></div></form>`
}

/** The groups, which are always shown, and the sums. */
function columnsOf(request: PageRequest, groups: readonly UsageGroup[]): readonly Column<JsonObject>[] {
  const { config } = request
  const sum = (name: string, head: string, cell: Column<JsonObject>['cell']) => ({
    name,
    head,
    cell,
    value: SORTED_BY_STORE,
  })
  return [
    ...groups.map(group => ({
      name: group,
      head: headOf(group),
      cell: (row: JsonObject) => groupCell(group, row, groups, request),
      value: SORTED_BY_STORE,
      shown: 'always' as const,
    })),
    sum('requests', 'Requests#', row => requestsCell(row, groups, request)),
    sum('input_tokens', 'Input tokens#', row => numberText(row.input_tokens)),
    sum('cache_read_tokens', 'Cached input#', row => numberText(row.cache_read_tokens)),
    sum('output_tokens', 'Output tokens#', row => numberText(row.output_tokens)),
    { ...sum('cost', 'Cost#', row => moneyCell(row.estimated_cost_cents, config)), shown: 'always' },
  ]
}

/** `model, end user and batch`; empty: no groups. */
function groupsText(groups: readonly string[]): string {
  return groups
    .join(', ')
    .replaceAll('_', ' ')
    .replace(/, ([^,]*)$/, ' and $1')
}

function usageTable(
  request: PageRequest,
  rows: readonly JsonObject[],
  columns: readonly Column<JsonObject>[],
  groups: string,
): Html {
  if (rows.length === 0)
    return emptyState('No usage in this time', 'Requests of the accounts appear here a second after their end.')
  const { shown, form: choice } = columnChoice(request, PATH, columns)
  const sorting = pageSorting(request, PATH, columns)
  const all = groups === '' ? 'Usage in total' : `Usage by ${groups}`
  const caption = rows.length > MAX_ROWS ? `${all}: the first ${MAX_ROWS} of ${rows.length} rows` : all
  return html`${choice}${columnTable(caption, shown, rows.slice(0, MAX_ROWS), { sorting, isSorted: true })}`
}

/** Groups by which the list of requests has a filter. */
const LISTED: readonly UsageGroup[] = ['account', 'key', 'user', 'model', 'client', 'backend', 'tag', 'day', 'hour']
const LENGTHS_MS = { day: 86_400_000, hour: 3_600_000 } as const

/** A number of requests, with a link to them if their list has a filter for each group. */
function requestsCell(row: JsonObject, groups: readonly UsageGroup[], request: PageRequest): Html | string {
  const shown = numberText(row.requests)
  if (groups.some(group => !LISTED.includes(group) || typeof row[group] !== 'string')) return shown
  return html`<a href="${listHref(row, groups, request)}">${shown}</a>`
}

/** The list of requests with these groups of a row as filters. */
function listHref(row: JsonObject, groups: readonly UsageGroup[], { query, now }: PageRequest): string {
  const unit = groups.includes('hour') ? 'hour' : groups.includes('day') ? 'day' : undefined
  const begin = unit === undefined ? undefined : Date.parse(String(row[unit]))
  const given = ['account', 'client'].map(name => [name, filled(query, name)] as const)
  const own = groups.filter(group => group !== 'day' && group !== 'hour').map(group => [group, row[group]] as const)
  const filters: Record<string, unknown> = {
    ...Object.fromEntries([...given, ...own]),
    from: begin === undefined ? (filled(query, 'from') ?? isoOf(now / 1000 - DEFAULT_MS)) : isoOf(begin),
    to: begin === undefined ? filled(query, 'to') : isoOf(begin + LENGTHS_MS[unit!]),
  }
  const known = Object.entries(filters).filter((pair): pair is [string, string] => typeof pair[1] === 'string')
  return requestsHref(Object.fromEntries(known))
}

/** The time of a report without `from`. */
const DEFAULT_MS = 30 * 86_400_000

function isoOf(millis: number): string {
  return new Date(millis).toISOString()
}

function headOf(group: UsageGroup): string {
  const text = group.replaceAll('_', ' ')
  return text[0]!.toUpperCase() + text.slice(1)
}

function groupCell(
  group: UsageGroup,
  row: JsonObject,
  groups: readonly UsageGroup[],
  request: PageRequest,
): Html | string {
  const value = row[group]
  if (group === 'hour') return timeHtml(value)
  if (group === 'end_user') return textOf(row.end_user_label ?? value)
  if (group === 'day' || !LISTED.includes(group) || typeof value !== 'string') return textOf(value)
  if (group === 'model') return modelLink(value)
  if (group === 'account')
    return typeof row.account_name === 'string'
      ? html`<a href="/accounts/${value}">${nameHtml(row.account_name)}</a>`
      : value
  // An index finds the requests of a user in an account.
  const own = groups.filter(one => one === group || (one === 'account' && typeof row.account === 'string'))
  return html`<a href="${listHref(row, own, request)}">${group === 'backend' ? addressHtml(value) : nameHtml(value)}</a>`
}
