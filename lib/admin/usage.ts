/** Usage reports of all accounts. */

import type { JsonObject } from '../base/json.ts'
import { parseIso, toIso } from '../base/time.ts'
import { priced, type Totals, totalsOf } from '../limits/usage-cost.ts'
import { type GroupedUsage, USAGE_GROUPS, type UsageGroup, usageByGroups } from '../store/queries/usage-groups.ts'
import { csvOf } from '../text/csv.ts'
import { accountIdOf } from './accounts.ts'
import type { Desk } from './desk.ts'
import { refuseValue } from './refuse.ts'

/** Only what `schemas/admin/usage-query.json` accepts. */
export interface UsageQuery {
  readonly account?: string
  readonly from?: string
  readonly to?: string
  readonly group_by: string
  readonly format: 'json' | 'csv'
}

/** A reply that is no JSON. */
export class TextReply {
  readonly type: string
  readonly text: string

  constructor(type: string, text: string) {
    this.type = type
    this.text = text
  }
}

const HOUR = 3_600_000_000
const DAY = 24 * HOUR
const DEFAULT_HOURS = 30 * 24
/** The last whole hour of a year with four digits. */
const LAST = Date.UTC(9999, 11, 31, 23) * 1000
const MOST_ROWS = 50_000
/** Rows are read by model, which has the price, whatever they are grouped by. */
const MOST_READ = 4 * MOST_ROWS

/** A row of the report. Costs are those of usage reports: tokens at the present prices of the models. */
type PricedUsage = Partial<Record<UsageGroup, string | null>> & Totals

/** The usage of a period, widened to whole hours. */
export async function usageReport(desk: Desk, query: UsageQuery): Promise<JsonObject | TextReply> {
  const { config, store, now } = desk
  const to = Math.min(Math.ceil((micros(query.to) ?? now) / HOUR) * HOUR, LAST)
  const from = Math.floor((micros(query.from) ?? to - DEFAULT_HOURS * HOUR) / HOUR) * HOUR
  if (from >= to) refuseValue('from', "must be before 'to'")
  const groups = groupsOf(query.group_by)
  // What is to come has no usage: a period that reaches the present may end with its day, which is read from daily totals alone.
  const end = to > now ? Math.ceil(to / DAY) * DAY : to
  const filter = { account: await accountIdOf(desk, query.account), from, to: end }
  const read = await usageByGroups(store, filter, [...new Set([...groups, 'model' as const])], MOST_READ + 1)
  const rows = summed(read, groups, config)
  if (rows.length > MOST_ROWS || read.length > MOST_READ)
    refuseValue('group_by', `gives more than ${MOST_ROWS} rows: ask for fewer groups or less time`)
  if (query.format === 'csv') return new TextReply('text/csv; charset=utf-8', tableOf(groups, rows))
  return { from: toIso(from), to: toIso(to), group_by: groups, rows }
}

function groupsOf(text: string): UsageGroup[] {
  const names = text === '' ? [] : text.split(',')
  const unknown = names.find(name => !USAGE_GROUPS.some(group => group === name))
  if (unknown !== undefined) refuseValue('group_by', `must be of ${USAGE_GROUPS.join(', ')}, with commas between`)
  return USAGE_GROUPS.filter(group => names.includes(group))
}

/** One row for each value of the groups, in the order of the first of its models. */
function summed(
  read: readonly GroupedUsage[],
  groups: readonly UsageGroup[],
  { models }: Desk['config'],
): PricedUsage[] {
  const rows = priced(read, models)
  if (groups.length === 0) return [totalsOf(rows)]
  const own = (row: GroupedUsage) => groups.map(group => [group, row[group] ?? null] as const)
  const parts = Map.groupBy(rows, row => JSON.stringify(own(row)))
  return [...parts.values()].map(part => ({ ...Object.fromEntries(own(part[0]!)), ...totalsOf(part) }))
}

const SUMS = ['requests', 'input_tokens', 'output_tokens', 'cache_read_tokens'] as const

function tableOf(groups: readonly UsageGroup[], rows: readonly PricedUsage[]): string {
  const head = [...groups, ...SUMS, 'estimated_cost_cents'] as const
  return csvOf([head, ...rows.map(row => head.map(name => row[name]))])
}

function micros(time: string | undefined): number | undefined {
  return time === undefined ? undefined : parseIso(time)!.micros
}
