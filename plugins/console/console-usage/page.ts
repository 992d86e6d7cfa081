import {
  emptyState,
  filterBox,
  type Html,
  html,
  htmlPlot,
  htmlStats,
  htmlTable,
  moneyHtml,
  type PricedRow,
  type Series,
  type Totals,
  totalsBy,
  totalsOf,
} from '../../../lib/console.ts'
import { countText } from '../numbers.ts'
import { alertsLink, type Remaining, remainingStats } from '../remaining.ts'
import { selectField, type View, viewFields } from '../view.ts'
import type { Visitor } from '../visitor.ts'
import { PERIODS, type Period } from './period.ts'

interface UsagePage {
  readonly visitor: Visitor
  readonly view: View
  readonly currency: string
  readonly period: Period
  /** All days of the period, also those without usage. */
  readonly days: readonly string[]
  readonly rows: readonly PricedRow[]
  readonly remaining: Remaining
}

/** Lines of a plot. All further models share one line. */
const MAX_LINES = 5

const HEADS = ['Requests#', 'Input tokens#', 'Cached input#', 'Output tokens#', 'Cost#']

const EMPTY = html`Requests with a <a href="/console/keys">key</a> appear here a second after their end. <a href="/console/try">Ask a model</a> to try it.`

export function usagePage(page: UsagePage): Html {
  const { view, currency, period, rows } = page
  const query = new URLSearchParams({ account: view.account.id, period, ...(view.isTeam && { who: 'team' }) })
  return html`${filterBox(
    html`<form method="get" action="/console/usage"><div class="fields">
${viewFields(view)}${selectField('period', 'Period', PERIODS, period)}<button class="main">Show</button>
<a class="button" href="/console/usage.csv?${query.toString()}" download>CSV</a></div></form>`,
  )}
${cards(page)}
${alertsLink(page.visitor, view.account)}
${rows.length === 0 ? emptyState('No usage in this period', EMPTY) : tables(page)}
<p class="soft">Days are UTC. Costs are tokens at current prices, in ${currency}: an estimate, no invoice. Requests that were refused do not count.</p>`
}

function cards({ view, period, rows, currency, remaining }: UsagePage): Html {
  const total = totalsOf(rows)
  const list = requestsHref(view, period)
  return htmlStats([
    { name: 'Requests', value: countText(total.requests), href: list },
    {
      name: 'Input tokens',
      value: countText(total.input_tokens),
      more: `${countText(total.cache_read_tokens)} from the cache`,
    },
    { name: 'Output tokens', value: countText(total.output_tokens) },
    { name: 'Cost', value: moneyHtml(total.estimated_cost_cents, currency) },
    ...remainingStats(remaining, currency),
  ])
}

/** The list of requests reaches back 30 days. */
function requestsHref({ account, isTeam }: View, period: Period): string {
  const query = { account: account.id, since: period === '7d' ? '7d' : '30d', ...(isTeam && { who: 'team' }) }
  return `/console/requests?${new URLSearchParams(query).toString()}`
}

function tables({ view, period, days, rows, currency }: UsagePage): Html {
  const times = days.map(day => Date.parse(`${day}T00:00:00Z`) / 1000)
  const models = totalsBy(rows, 'model').toSorted((a, b) => tokens(b) - tokens(a))
  const byDay = new Map(totalsBy(rows, 'date').map(total => [total.date, total]))
  const shown = [...byDay.values()].toReversed()
  return html`<h2>By day</h2>
${htmlPlot({ label: 'Tokens by day and model; the tables below have the numbers', times, series: series(days, rows, models), shape: 'line' })}
${htmlTable(
  'Usage by day, newest first',
  ['Day', ...HEADS],
  shown.map(total => [total.date, ...cells(total, currency)]),
)}
<h2>By model</h2>
${htmlTable(
  'Usage by model',
  ['Model', ...HEADS],
  models.map(total => [modelCell(total.model, view, period), ...cells(total, currency)]),
)}
${
  view.isTeam &&
  html`<h2>By member</h2>
${htmlTable(
  'Usage by member',
  ['Member', ...HEADS],
  totalsBy(rows, 'user_id').map(total => [total.user_id ?? 'keys without a user', ...cells(total, currency)]),
)}`
}`
}

function modelCell(model: string | null, view: View, period: Period): Html | string {
  if (model === null) return 'none'
  return html`<a href="${requestsHref(view, period)}&model=${encodeURIComponent(model)}">${model}</a>`
}

function cells(
  { requests, input_tokens, cache_read_tokens, output_tokens, estimated_cost_cents }: Totals,
  currency: string,
): (Html | string)[] {
  const counts = [requests, input_tokens, cache_read_tokens, output_tokens].map(countText)
  return [...counts, moneyHtml(estimated_cost_cents, currency)]
}

function series(
  days: readonly string[],
  rows: readonly PricedRow[],
  models: readonly { readonly model: string | null }[],
): readonly Series[] {
  const lines = models.length > MAX_LINES + 1 ? models.slice(0, MAX_LINES) : models
  const named = new Set(lines.map(({ model }) => model))
  const line = (label: string, own: readonly PricedRow[]): Series => {
    const sums = new Map(totalsBy(own, 'date').map(total => [total.date, tokens(total)]))
    return { label, values: days.map(day => sums.get(day) ?? 0) }
  }
  const rest = rows.filter(({ model }) => !named.has(model))
  return [
    ...lines.map(({ model }) =>
      line(
        model ?? 'none',
        rows.filter(row => row.model === model),
      ),
    ),
    ...(rest.length === 0 ? [] : [line('others', rest)]),
  ]
}

function tokens({ input_tokens, output_tokens }: Pick<Totals, 'input_tokens' | 'output_tokens'>): number {
  return input_tokens + output_tokens
}
