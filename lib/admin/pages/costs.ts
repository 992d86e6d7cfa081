/** The page of costs by account: ranked, with share and trend. */
import type { JsonObject } from '../../base/json.ts'
import { type Column, columnTable, SORTED_BY_STORE } from '../../pages/columns.ts'
import { type Html, html } from '../../pages/html.ts'
import { moneyText } from '../../pages/money.ts'
import { emptyState, htmlStats, nameHtml } from '../../pages/parts.ts'
import { htmlSparkline } from '../../pages/sparkline.ts'
import type { CostQuery } from '../costs.ts'
import { pageSorting } from './columns.ts'
import { filled } from './form.ts'
import { HOURS, RANGES, rangeLinks, unitText } from './history.ts'
import { csvLink, type PageRequest, type PageRoute } from './page.ts'
import { accountHistoryPath, COSTS_PATH } from './paths.ts'
import { moneyCell, numberText, requestsHref, textOf, usageHref } from './text.ts'

const CSV = '/costs.csv'
const DEFAULT_RANGE = '30d'

/** The reply of the API, `schemas/admin/costs.json`. */
interface Costs {
  readonly step: '1h' | '1d'
  readonly from: string
  readonly total: JsonObject
  readonly accounts: readonly JsonObject[]
  readonly count: number
}

export const costsRoutes: readonly PageRoute[] = [
  {
    method: 'GET',
    path: COSTS_PATH,
    async handle(request) {
      const costs = (await request.call('costs', { query: queryOf(request) })) as unknown as Costs
      const range = rangeOf(request)
      const columns = columnsOf(request, costs)
      const sorting = pageSorting(request, COSTS_PATH, columns)
      const shown = costs.accounts.length
      const caption = shown < costs.count ? `The first ${shown} of ${numberText(costs.count)} accounts` : 'All accounts'
      const body = html`${rangeLinks(range, one => `${COSTS_PATH}?range=${one}`, RANGES.slice(1))}
${cards(request, costs)}
${shown === 0 ? EMPTY : columnTable(`${caption} with usage`, columns, costs.accounts, { sorting, isSorted: true })}
${csvLink(CSV, request.query)}
<p class="soft">Costs are tokens at current prices, in ${request.config.currency}. Hours and days are UTC, and the last one is not over.</p>`
      return { title: 'Costs by account', path: COSTS_PATH, body }
    },
  },
  { method: 'GET', path: CSV, handle: request => request.csv('costs', { query: queryOf(request) }) },
]

const EMPTY = emptyState('No usage in this time', 'An account appears here a second after its first request has ended.')

function rangeOf({ query }: Pick<PageRequest, 'query'>): string {
  return filled(query, 'range') ?? DEFAULT_RANGE
}

function queryOf(request: Pick<PageRequest, 'query'>): Partial<Record<keyof CostQuery, string | undefined>> {
  const { query } = request
  return { range: rangeOf(request), sort: filled(query, 'sort'), order: filled(query, 'order') }
}

function sinceOf(request: PageRequest): string {
  return HOURS[rangeOf(request)] ?? '720'
}

function cards(request: PageRequest, { total, count, from }: Costs): Html {
  const { config } = request
  return htmlStats([
    {
      ...{ name: 'Cost', value: moneyCell(total.estimated_cost_cents, config) },
      href: usageHref({ from, by: 'account', sort: 'cost' }),
    },
    { name: 'Accounts', value: numberText(count), more: 'with usage', href: '/accounts' },
    {
      ...{ name: 'Requests', value: numberText(total.requests) },
      href: requestsHref({ since: sinceOf(request) }),
    },
    {
      ...{ name: 'Input tokens', value: numberText(total.input_tokens) },
      more: `${numberText(total.cache_read_tokens)} from the cache`,
      href: usageHref({ from, by: 'model', sort: 'input_tokens' }),
    },
    {
      ...{ name: 'Output tokens', value: numberText(total.output_tokens) },
      href: usageHref({ from, by: 'model', sort: 'output_tokens' }),
    },
  ])
}

function columnsOf(request: PageRequest, { step, from }: Costs): readonly Column<JsonObject>[] {
  const { config } = request
  const usageOf = ({ account }: JsonObject, by: string, sort: string, shown: Html | string) =>
    html`<a href="${usageHref({ account: textOf(account), from, by, sort })}">${shown}</a>`
  return [
    {
      ...{ name: 'account', head: 'Account', value: SORTED_BY_STORE },
      // The account `operator` and removed accounts have no page.
      cell: ({ account, account_name: name }) =>
        typeof name === 'string'
          ? html`<a href="${accountHistoryPath(textOf(account), rangeOf(request))}">${nameHtml(name)}</a>`
          : textOf(account),
    },
    {
      ...{ name: 'cost', head: 'Cost#', value: SORTED_BY_STORE },
      cell: row => usageOf(row, 'model', 'cost', moneyCell(row.estimated_cost_cents, config)),
    },
    { name: 'share', head: 'Share#', cell: row => unitText(row.share_pct as number | null, '%') },
    { name: 'trend', head: `Trend by ${step === '1h' ? 'hour' : 'day'}`, cell: row => trend(row, request) },
    {
      ...{ name: 'requests', head: 'Requests#', value: SORTED_BY_STORE },
      cell: ({ account, requests }) =>
        html`<a href="${requestsHref({ account: textOf(account), since: sinceOf(request) })}">${numberText(requests)}</a>`,
    },
    {
      ...{ name: 'input_tokens', head: 'Input tokens#', value: SORTED_BY_STORE },
      cell: row => usageOf(row, 'model', 'input_tokens', numberText(row.input_tokens)),
    },
    {
      ...{ name: 'output_tokens', head: 'Output tokens#', value: SORTED_BY_STORE },
      cell: row => usageOf(row, 'model', 'output_tokens', numberText(row.output_tokens)),
    },
  ]
}

/** The costs of all steps as a line, and the largest as text. */
function trend({ trend_cents: trend }: JsonObject, { config }: PageRequest): Html {
  const cents = trend as number[]
  const label = cents.map(one => moneyText(one, '').trim()).join(', ')
  return html`${htmlSparkline(cents, `${label} ${config.currency}`)} <small>max. ${moneyCell(Math.max(...cents), config)}</small>`
}
