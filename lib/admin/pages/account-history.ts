/** The page of an account over time: cost against spend limits, tokens, what limits refused, and the balance. */
import { windowMilliseconds } from '../../config/config.ts'
import { type Html, html } from '../../pages/html.ts'
import { htmlStats, type Stat, timeHtml } from '../../pages/parts.ts'
import { htmlTable, type Series } from '../../pages/table.ts'
import { ACCOUNT, accountTab, tabPath } from './account-tabs.ts'
import { filled } from './form.ts'
import { plotOf, RANGES, rangeLinks } from './history.ts'
import type { PageRequest, PageRoute } from './page.ts'
import { accountHistoryPath } from './paths.ts'
import { moneyCell, NOTHING, numberText, requestsHref, usageHref } from './text.ts'

interface Sums {
  readonly requests: number
  readonly input_tokens: number
  readonly output_tokens: number
  readonly cache_read_tokens: number
  readonly estimated_cost_cents: number
  /** By error code. null: not read in time. */
  readonly refused: Readonly<Record<string, number>> | null
}

interface Point extends Sums {
  readonly at: string
  readonly added_cents: number | null
  readonly charged_cents: number | null
  readonly balance_cents: number | null
}

/** The reply of the API, `schemas/admin/account-history.json`. */
interface AccountHistory {
  readonly account_id: string
  readonly account_name: string
  readonly step: '1h' | '1d'
  readonly from: string
  readonly budgets: readonly { readonly amount_cents: number; readonly window: string }[]
  readonly total: Sums
  readonly points: readonly Point[]
}

const DEFAULT_RANGE = '30d'

export const accountHistoryRoute: PageRoute = {
  method: 'GET',
  path: `${ACCOUNT}/history`,
  async handle(request) {
    const { params, query, call, config } = request
    const range = filled(query, 'range') ?? DEFAULT_RANGE
    const [account, reply] = await Promise.all([
      call('account', { params }),
      call('account-history', { params, query: { range } }),
    ])
    const history = reply as unknown as AccountHistory
    const id = history.account_id
    const ranges = [
      ...RANGES.slice(1),
      ...([7, 30].includes(config.retention_days)
        ? []
        : [['retention', `${numberText(config.retention_days)} days (all records)`] as const]),
    ]
    const body = html`${rangeLinks(range, one => accountHistoryPath(id, one), ranges)}
${htmlStats(stats(request, history))}
<div class="plots">${plots(request, history)}</div>
${pointTable(request, history)}
<p class="soft">Costs are tokens at current prices; charges of the balance are what was booked. ${isDaily(history) ? 'Days' : 'Hours'} are UTC, and the last one is not over. Refused requests have the status 429, and are known as long as records are kept.</p>`
    return accountTab(request, account, 'Over time', { script: 'plot.js', body })
  },
}

function isDaily({ step }: AccountHistory): boolean {
  return step === '1d'
}

const DAY_MS = 86_400_000

function stepMs(history: AccountHistory): number {
  return isDaily(history) ? DAY_MS : DAY_MS / 24
}

/** The hours of all points. */
function sinceOf(history: AccountHistory): string {
  return String(history.points.length * (isDaily(history) ? 24 : 1))
}

function refusedOf({ refused }: Sums): number | null {
  return refused && Object.values(refused).reduce((sum, count) => sum + count, 0)
}

function stats({ config }: PageRequest, history: AccountHistory): Stat[] {
  const { total, budgets, points, account_id: account, from } = history
  const usageBy = (sort: string) => usageHref({ account, from, by: 'model', sort })
  const since = sinceOf(history)
  const balance = points.at(-1)?.balance_cents ?? null
  const limits = budgets.map(({ amount_cents: cents, window }) => html`${moneyCell(cents, config)} in ${window}<br>`)
  return [
    {
      ...{ name: 'Cost', value: moneyCell(total.estimated_cost_cents, config) },
      more: limits.length === 0 ? 'The plan has no spend limit' : html`Limit of the plan: ${limits}`,
      href: usageBy('cost'),
    },
    { name: 'Requests', value: numberText(total.requests), href: requestsHref({ account, since }) },
    {
      ...{ name: 'Refused by limits', value: numberText(refusedOf(total)) },
      more: codesText(total),
      href: requestsHref({ account, since, status: '429' }),
    },
    {
      ...{
        name: 'Input tokens',
        value: numberText(total.input_tokens),
        href: usageBy('input_tokens'),
      },
      more: `${numberText(total.cache_read_tokens)} from the cache`,
    },
    {
      ...{ name: 'Output tokens', value: numberText(total.output_tokens) },
      href: usageBy('output_tokens'),
    },
    {
      ...{ name: 'Balance', value: balance === null ? 'not prepaid' : moneyCell(balance, config) },
      href: tabPath(account, 'Credit'),
    },
  ]
}

function codesText({ refused }: Sums): string {
  return Object.entries(refused ?? {})
    .map(([code, count]) => `${numberText(count)} ${code}`)
    .join(', ')
}

function plots({ config }: PageRequest, history: AccountHistory): Html {
  const { points, budgets, total } = history
  const times = points.map(({ at }) => Date.parse(at) / 1000)
  const per = isDaily(history) ? 'day' : 'hour'
  const unitsOf = (read: (point: Point) => number | null) => points.map(read).map(cents => cents && cents / 100)
  const limits = budgets.map(({ amount_cents: cents, window }): Series => {
    const share = stepMs(history) / (windowMilliseconds(window) ?? DAY_MS)
    return { label: `Limit in ${window}, a ${per}'s share`, values: times.map(() => (cents * share) / 100) }
  })
  const codes = Object.keys(total.refused ?? {})
  const line = (label: string, read: (point: Point) => number | null): Series => ({ label, values: points.map(read) })
  const drawn = [
    plotOf(
      `Cost per ${per} and spend limit`,
      config.currency,
      times,
      [{ label: 'Cost', values: unitsOf(point => point.estimated_cost_cents) }, ...limits],
      'line',
      { zeroIsGap: true },
    ),
    plotOf(`Requests per ${per}`, '', times, [line('Requests', point => point.requests)], 'bars'),
    plotOf(
      `Tokens per ${per}`,
      '',
      times,
      [line('Input', point => point.input_tokens), line('Output', point => point.output_tokens)],
      'line',
      { zeroIsGap: true },
    ),
  ]
  if (codes.length > 0) {
    const series = codes.map(code => line(code, ({ refused }) => refused && (refused[code] ?? null)))
    drawn.push(plotOf('Requests refused by limits', '', times, series, 'bars'))
  }
  if (points.some(({ balance_cents: cents }) => cents !== null)) {
    const balance = { label: 'Balance', values: unitsOf(point => point.balance_cents) }
    drawn.push(plotOf('Balance', config.currency, times, [balance], 'line'))
  }
  return html`${drawn}`
}

/** All points, newest first. */
function pointTable({ config }: PageRequest, history: AccountHistory): Html {
  const { points, account_id: account } = history
  const isPrepaid = points.some(({ balance_cents: cents }) => cents !== null)
  const rows = points.toReversed().map(point => {
    const to = new Date(Date.parse(point.at) + stepMs(history)).toISOString()
    const usage = usageHref({ account, from: point.at, to, by: 'model' })
    const refused = refusedOf(point)
    return [
      isDaily(history) ? point.at.slice(0, 10) : timeHtml(point.at),
      html`<a href="${usage}">${moneyCell(point.estimated_cost_cents, config)}</a>`,
      html`<a href="${requestsHref({ account, from: point.at, to })}">${numberText(point.requests)}</a>`,
      numberText(point.input_tokens),
      numberText(point.output_tokens),
      refused === null
        ? NOTHING
        : html`<a href="${requestsHref({ account, from: point.at, to, status: '429' })}" title="${codesText(point)}">${numberText(refused)}</a>`,
      ...(isPrepaid
        ? [point.added_cents, point.charged_cents, point.balance_cents].map(cents => moneyCell(cents as number, config))
        : []),
    ]
  })
  const heads = [
    ...[isDaily(history) ? 'Day (UTC)' : 'Hour', 'Cost#', 'Requests#', 'Input tokens#', 'Output tokens#', 'Refused#'],
    ...(isPrepaid ? ['Added#', 'Charged#', 'Balance#'] : []),
  ]
  return html`<details><summary>As a table</summary>${htmlTable('Newest first', heads, rows)}</details>`
}
