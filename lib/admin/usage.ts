import type { JsonObject } from '../base/json.ts'
import { type Order, type SortValue, sortedBy } from '../base/order.ts'
import { toIso } from '../base/time.ts'
import { batchPriceFactor } from '../config/resolve.ts'
import { priced, type Totals, totalsOf } from '../limits/usage-cost.ts'
import { findAccounts } from '../store/accounts.ts'
import { type GroupedUsage, USAGE_GROUPS, type UsageGroup, usageByGroups } from '../store/queries/usage-groups.ts'
import { withAccountNames, withNameMember } from './account-names.ts'
import { accountIdOf } from './accounts.ts'
import type { AdminContext } from './context.ts'
import { csvReply, MAX_CSV_ROWS, type TextReply } from './csv.ts'
import { microsOf, refuseValue } from './values.ts'

/** A query that `schemas/admin/usage-query.json` accepts. */
export interface UsageQuery {
  readonly account?: string
  readonly client?: string
  readonly from?: string
  readonly to?: string
  readonly group_by: string
  readonly sort?: string
  readonly order?: Order
  readonly format: 'json' | 'csv'
}

const HOUR_MICROS = 3_600_000_000
const DAY_MICROS = 24 * HOUR_MICROS
const DEFAULT_HOURS = 30 * 24
/** The last whole hour of a year with four digits. */
const MAX_TIME = Date.UTC(9999, 11, 31, 23) * 1000
const MAX_ROWS = MAX_CSV_ROWS
/** Models have prices, and plans of accounts a factor for batches, even if the report is not grouped by them. */
const PRICED_BY = ['model', 'batch_account'] as const
const MAX_ROWS_READ = 4 * MAX_ROWS
const SUMS = ['requests', 'input_tokens', 'output_tokens', 'cache_read_tokens', 'estimated_cost_cents'] as const

/** A row of the report. Costs are tokens at the current prices of the models (docs/USAGE.md). */
type PricedUsage = Partial<Record<UsageGroup | 'end_user_label', string | null>> & Totals & JsonObject

export async function usageReport(context: AdminContext, query: UsageQuery): Promise<JsonObject | TextReply> {
  const { config, now } = context
  const to = Math.min(Math.ceil((microsOf(query.to) ?? now) / HOUR_MICROS) * HOUR_MICROS, MAX_TIME)
  const from = Math.floor((microsOf(query.from) ?? to - DEFAULT_HOURS * HOUR_MICROS) / HOUR_MICROS) * HOUR_MICROS
  if (from >= to) refuseValue('from', "must be before 'to'")
  const groups = groupsOf(query.group_by)
  const sort = sortOf(query, groups)
  // The future has no usage. A period that includes the present can end with its day, which has daily totals.
  const end = to > now ? Math.ceil(to / DAY_MICROS) * DAY_MICROS : to
  const filter = { account: await accountIdOf(context, query.account), from, to: end, where: whereOf(query) }
  const rows = summed(await pricedUsage(context, filter, groups), groups)
  if (rows.length > MAX_ROWS) refuseTooMany()
  const found = groups.includes('account') ? await withAccountNames(context, rows, 'account') : rows
  const named = sort === undefined ? found : sortedBy(found, memberIn(sort), query.order ?? orderOf(sort))
  if (query.format === 'csv') return csvReply(membersOf(groups), named, config.currency)
  return { from: toIso(from), to: toIso(to), group_by: groups, rows: [...named] }
}

/** Names of the sums to sort by. */
const SORTS: Readonly<Record<string, (typeof SUMS)[number]>> = {
  requests: 'requests',
  input_tokens: 'input_tokens',
  output_tokens: 'output_tokens',
  cache_read_tokens: 'cache_read_tokens',
  cost: 'estimated_cost_cents',
}

/** The member to sort by. Refuses a group that the report does not have. */
function sortOf({ sort }: UsageQuery, groups: readonly UsageGroup[]): UsageGroup | (typeof SUMS)[number] | undefined {
  if (sort === undefined) return undefined
  const names = [...groups, ...Object.keys(SORTS)]
  if (!names.includes(sort)) refuseValue('sort', `must be of ${names.join(', ')}`)
  return SORTS[sort] ?? (sort as UsageGroup)
}

function orderOf(sort: string): Order {
  return SUMS.some(name => name === sort) ? 'desc' : 'asc'
}

/** Accounts are sorted by their names. */
function memberIn(sort: UsageGroup | (typeof SUMS)[number]): (row: JsonObject) => SortValue {
  return row => (sort === 'account' ? (row.account_name ?? row.account) : row[sort]) as SortValue
}

/** Usage by these groups, model and price factor, with its cost at current prices. Refuses more rows than it reads. */
export async function pricedUsage(
  context: AdminContext,
  filter: Parameters<typeof usageByGroups>[1],
  groups: readonly UsageGroup[],
): Promise<readonly (GroupedUsage & { readonly microcents: number })[]> {
  const { store, config } = context
  const read = await usageByGroups(store, filter, [...new Set([...groups, ...PRICED_BY])], MAX_ROWS_READ + 1)
  if (read.length > MAX_ROWS_READ) refuseTooMany()
  const plans = await plansOf(context, read)
  return priced(read, config.models, ({ batch_account: account }) =>
    account == null ? 1 : batchPriceFactor(config, plans.get(account)),
  )
}

function refuseTooMany(): never {
  refuseValue('group_by', `gives more than ${MAX_ROWS} rows: ask for fewer groups or less time`)
}

/** The filters of the query, by the group that has their values. */
function whereOf({ client }: UsageQuery): Partial<Record<UsageGroup, string>> {
  return { ...(client === undefined ? null : { client }) }
}

function groupsOf(text: string): UsageGroup[] {
  const names = text === '' ? [] : text.split(',')
  const unknown = names.find(name => !USAGE_GROUPS.some(group => group === name))
  if (unknown !== undefined) refuseValue('group_by', `must be of ${USAGE_GROUPS.join(', ')}, with commas between`)
  return USAGE_GROUPS.filter(group => names.includes(group))
}

/** Plans of the accounts with lines of batches, by their id. */
async function plansOf({ config, store }: AdminContext, rows: readonly GroupedUsage[]) {
  const plans = new Map(config.accounts.map(({ id, plan }) => [id, plan]))
  const others = new Set(rows.flatMap(({ batch_account: id }) => (id == null || plans.has(id) ? [] : [id])))
  for (const { id, plan } of await findAccounts(store, [...others])) plans.set(id, plan)
  return plans
}

/** One row for each combination of group values, in the order of the rows that are read. */
function summed(rows: Awaited<ReturnType<typeof pricedUsage>>, groups: readonly UsageGroup[]): PricedUsage[] {
  if (groups.length === 0) return [totalsOf(rows)]
  const valuesOf = (row: GroupedUsage) => groups.map(group => [group, row[group] ?? null] as const)
  const labelOf = (own: readonly GroupedUsage[]) =>
    groups.includes('end_user') ? { end_user_label: own.find(row => row.end_user_label)?.end_user_label ?? null } : null
  const grouped = Map.groupBy(rows, row => JSON.stringify(valuesOf(row)))
  return [...grouped.values()].map(own => ({
    ...Object.fromEntries(valuesOf(own[0]!)),
    ...labelOf(own),
    ...totalsOf(own),
  }))
}

/** Members of a row, in the order of the file. */
function membersOf(groups: readonly UsageGroup[]): string[] {
  const own = groups.flatMap(group => (group === 'end_user' ? [group, 'end_user_label'] : [group]))
  return withNameMember([...own, ...SUMS], 'account')
}
