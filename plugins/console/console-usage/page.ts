import {
  type Column,
  columnTable,
  emptyState,
  filterBox,
  type Html,
  html,
  htmlPlot,
  htmlStats,
  moneyHtml,
  nameHtml,
  type PricedRow,
  type Series,
  type Sorting,
  sortFields,
  type Totals,
  totalsBy,
  totalsOf,
} from '../../../lib/console.ts'
import { countText } from '../numbers.ts'
import { PERIODS, type Period } from '../period.ts'
import { alertsLink, type Remaining, remainingStats } from '../remaining.ts'
import { selectField, type View, viewFields } from '../view.ts'
import type { Visitor } from '../visitor.ts'

interface UsagePage {
  readonly visitor: Visitor
  readonly view: View
  readonly currency: string
  readonly period: Period
  /** All days of the period, also those without usage. */
  readonly days: readonly string[]
  readonly rows: readonly PricedRow[]
  readonly remaining: Remaining
  readonly sorting: Sorting
}

/** Lines of a plot. All further models share one line. */
const MAX_LINES = 5

const EMPTY = html`Requests with a <a href="/console/keys">key</a> appear here a second after their end. <a href="/console/try">Ask a model</a> to try it.`

export function usagePage(page: UsagePage): Html {
  const { view, currency, period, rows } = page
  const query = new URLSearchParams({ account: view.account.id, period, ...(view.isTeam && { who: 'team' }) })
  return html`${filterBox(
    html`<form method="get" action="/console/usage"><div class="fields">${sortFields(new URLSearchParams({ ...(page.sorting.by !== null && { sort: page.sorting.by, order: page.sorting.order }) }))}
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
      href: '#models',
    },
    { name: 'Output tokens', value: countText(total.output_tokens), href: '#models' },
    { name: 'Cost', value: moneyHtml(total.estimated_cost_cents, currency), href: '#models' },
    ...remainingStats(remaining, currency),
  ])
}

/** The list of requests reaches back 30 days. */
function requestsHref({ account, isTeam }: View, period: Period): string {
  const query = { account: account.id, since: period === '7d' ? '7d' : '30d', ...(isTeam && { who: 'team' }) }
  return `/console/requests?${new URLSearchParams(query).toString()}`
}

function tables({ view, period, days, rows, currency, sorting }: UsagePage): Html {
  const times = days.map(day => Date.parse(`${day}T00:00:00Z`) / 1000)
  const models = totalsBy(rows, 'model').toSorted((a, b) => tokens(b) - tokens(a))
  const byDay = new Map(totalsBy(rows, 'date').map(total => [total.date, total]))
  const shown = [...byDay.values()].toReversed()
  return html`<h2>By day</h2>
<div class="panel"><h3>Input and output tokens, by model</h3>${htmlPlot({ label: 'Tokens by day and model; the tables below have the numbers', times, series: series(days, rows, models), shape: 'line' })}</div>
${columnTable('Usage by day', [DAY, ...sums(currency)], shown, { sorting })}
<h2 id="models">By model</h2>
${columnTable('Usage by model', [modelColumn(view, period), ...sums(currency)], models, { sorting })}
${
  view.isTeam &&
  html`<h2>By member</h2>
${columnTable('Usage by member', [MEMBER, ...sums(currency)], totalsBy(rows, 'user_id'), { sorting })}`
}`
}

const DAY: Column<{ readonly date: string }> = { name: 'day', head: 'Day', cell: dateOf, value: dateOf }

function dateOf({ date }: { readonly date: string }): string {
  return date
}

const MEMBER: Column<{ readonly user_id: string | null }> = {
  ...{ name: 'member', head: 'Member' },
  cell: ({ user_id: user }) => (user === null ? 'keys without a user' : nameHtml(user)),
  value: ({ user_id: user }) => user,
}

function modelColumn(view: View, period: Period): Column<{ readonly model: string | null }> {
  return {
    ...{ name: 'model', head: 'Model' },
    cell: ({ model }) =>
      model === null
        ? 'none'
        : html`<a href="${requestsHref(view, period)}&model=${encodeURIComponent(model)}">${model}</a>`,
    value: ({ model }) => model,
  }
}

function sums(currency: string): readonly Column<Totals>[] {
  const count = (name: keyof Totals & string, head: string): Column<Totals> => ({
    ...{ name, head },
    cell: total => countText(Number(total[name])),
    value: total => Number(total[name]),
  })
  return [
    count('requests', 'Requests#'),
    count('input_tokens', 'Input tokens#'),
    count('cache_read_tokens', 'Cached input#'),
    count('output_tokens', 'Output tokens#'),
    {
      ...{ name: 'cost', head: 'Cost#' },
      cell: total => moneyHtml(total.estimated_cost_cents, currency),
      value: total => total.estimated_cost_cents,
    },
  ]
}

/** The columns of all tables of the page. */
export function usageColumns(view: View, period: Period, currency: string): readonly Column<never>[] {
  return [DAY, modelColumn(view, period), MEMBER, ...sums(currency)]
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
