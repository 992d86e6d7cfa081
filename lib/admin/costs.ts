/** What accounts cost, for operators: ranked, with their share and trend. */
import type { JsonObject } from '../base/json.ts'
import { centsOf } from '../base/money.ts'
import { type Order, type SortValue, sortedBy } from '../base/order.ts'
import { toIso } from '../base/time.ts'
import { totalsOf } from '../limits/usage-cost.ts'
import { windowAt } from '../limits/windows.ts'
import { withAccountNames, withNameMember } from './account-names.ts'
import type { AdminContext } from './context.ts'
import { csvReply, MAX_CSV_ROWS, type TextReply } from './csv.ts'
import { pricedUsage } from './usage.ts'

/** A query that `schemas/admin/cost-query.json` accepts. */
export interface CostQuery {
  readonly range: '24h' | '7d' | '30d'
  readonly limit: number
  readonly sort: keyof typeof SORTS
  readonly order?: Order
  readonly format: 'json' | 'csv'
}

const HOUR = 3_600_000_000
const DAY = 24 * HOUR

const SORTS = {
  account: 'account_name',
  requests: 'requests',
  input_tokens: 'input_tokens',
  output_tokens: 'output_tokens',
  cost: 'estimated_cost_cents',
} as const

const MEMBERS = ['requests', 'input_tokens', 'cache_read_tokens', 'output_tokens', 'estimated_cost_cents', 'share_pct']

/** `steps` whole hours or days, the last of which is not over. */
export function stepsOf(steps: number, step: number, now: number): { readonly from: number; readonly to: number } {
  const { to } = windowAt(now, step)
  return { from: to - steps * step, to }
}

const RANGES = { '24h': [24, HOUR], '7d': [7, DAY], '30d': [30, DAY] } as const

export async function costReport(context: AdminContext, query: CostQuery): Promise<JsonObject | TextReply> {
  const { range, sort, order = sort === 'account' ? 'asc' : 'desc' } = query
  const [count, step] = RANGES[range]
  const { from, to } = stepsOf(count, step, context.now)
  const rows = await pricedUsage(context, { from, to }, ['account'])
  const total = totalsOf(rows)
  const sums = [...Map.groupBy(rows, ({ account }) => account ?? null)].map(([account, own]) => {
    const totals = totalsOf(own)
    return { account, ...totals, share_pct: shareOf(totals.estimated_cost_cents, total.estimated_cost_cents) }
  })
  const named = await withAccountNames(context, sums, 'account')
  const sorted = sortedBy(named, row => (row[SORTS[sort]] ?? null) as SortValue, order)
  if (query.format === 'csv')
    return csvReply(
      withNameMember(['account', ...MEMBERS], 'account'),
      sorted.slice(0, MAX_CSV_ROWS),
      context.config.currency,
    )
  const shown = sorted.slice(0, query.limit)
  const trends = await trendsOf(
    context,
    { from, to, step },
    shown.map(({ account }) => String(account)),
  )
  return {
    ...{ range, step: step === HOUR ? '1h' : '1d', from: toIso(from), to: toIso(to), total },
    accounts: shown.map(row => ({ ...row, trend_cents: [...(trends.get(String(row.account)) ?? [])] })),
    count: sums.length,
  }
}

/** Percentage with one digit. null: nothing cost anything. */
function shareOf(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.round((part / whole) * 1000) / 10
}

/** Cents of each step, by account. */
async function trendsOf(
  context: AdminContext,
  { from, to, step }: { readonly from: number; readonly to: number; readonly step: number },
  accounts: readonly string[],
): Promise<ReadonlyMap<string, readonly number[]>> {
  if (accounts.length === 0) return new Map()
  const unit = step === HOUR ? 'hour' : 'day'
  const sums = new Map<string, number[]>()
  for (const row of await pricedUsage(context, { accounts, from, to }, ['account', unit])) {
    const account = String(row.account)
    const own = sums.get(account) ?? new Array<number>((to - from) / step).fill(0)
    own[(Date.parse(String(row[unit])) * 1000 - from) / step]! += row.microcents
    sums.set(account, own)
  }
  return new Map(Array.from(sums, ([account, own]) => [account, own.map(centsOf)]))
}
