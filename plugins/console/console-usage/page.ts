import {
  type Html,
  html,
  htmlPlot,
  htmlTable,
  moneyHtml,
  type PricedRow,
  type Series,
  type Totals,
  totalsBy,
  totalsOf,
} from '../../../lib/console.ts'
import { balanceHtml, countText } from '../numbers.ts'
import { selectField, type View, viewFields } from '../view.ts'
import { PERIODS, type Period } from './period.ts'

/** The quota of the account's plan in the current window. */
export interface QuotaUsage {
  readonly limit: number
  readonly used: number
  /** Milliseconds since the epoch. */
  readonly end: number
}

interface UsagePage {
  readonly view: View
  readonly currency: string
  readonly period: Period
  /** All days of the period, also those without usage. */
  readonly days: readonly string[]
  readonly rows: readonly PricedRow[]
  /** Micro-cents; null: the account is not prepaid. */
  readonly balance: number | null
  /** null: the plan has no quota. */
  readonly quota: QuotaUsage | null
}

/** Lines of a plot. All further models share one line. */
const MAX_LINES = 5

const HEADS = ['Requests#', 'Input tokens#', 'of them cached#', 'Output tokens#', 'Cost#']

export function usagePage(page: UsagePage): Html {
  const { view, currency, period, rows } = page
  const query = new URLSearchParams({ account: view.account.id, period, ...(view.isTeam && { who: 'team' }) })
  return html`<form method="get" action="/console/usage"><div class="fields">
${viewFields(view)}${selectField('period', 'Period', PERIODS, period)}<button>Show</button>
<a class="button" href="/console/usage.csv?${query.toString()}" download>CSV</a></div></form>
${cards(page)}
${rows.length === 0 ? html`<p>Nothing was used in this period.</p>` : tables(page)}
<p class="soft">Days are UTC. Costs are tokens at current prices, in ${currency}: an estimate, no invoice. Requests that were refused do not count.</p>`
}

function cards({ rows, currency, balance, quota }: UsagePage): Html {
  const total = totalsOf(rows)
  return html`<dl class="cards">
${card('Requests', countText(total.requests))}
${card('Input tokens', countText(total.input_tokens), `${countText(total.cache_read_tokens)} from the cache`)}
${card('Output tokens', countText(total.output_tokens))}
${card('Cost', moneyHtml(total.estimated_cost_cents, currency))}
${balance !== null && card('Balance', balanceHtml(balance, currency))}
${
  quota !== null &&
  card(
    'Quota left',
    countText(Math.max(0, quota.limit - quota.used)),
    `of ${countText(quota.limit)} requests until ${new Date(quota.end).toISOString().slice(0, 16).replace('T', ' ')} UTC`,
  )
}
</dl>`
}

function card(name: string, value: Html | string, more?: string): Html {
  return html`<div class="card"><dt>${name}</dt><dd>${value}${more !== undefined && html`<small>${more}</small>`}</dd></div>`
}

function tables({ view, days, rows, currency }: UsagePage): Html {
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
  models.map(total => [total.model ?? 'none', ...cells(total, currency)]),
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
