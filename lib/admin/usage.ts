/** Usage reports of all accounts. */
import { csvOf } from '../base/csv.ts'
import type { JsonObject } from '../base/json.ts'
import { parseIso, toIso } from '../base/time.ts'
import { fail } from '../errors/errors.ts'
import { costOf } from '../limits/cost.ts'
import { MICROCENTS_PER_CENT } from '../limits/limits.ts'
import { type GroupedUsage, USAGE_GROUPS, type UsageGroup, usageByGroups } from '../store/queries/usage-groups.ts'
import type { Desk } from './desk.ts'

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
const DEFAULT_HOURS = 30 * 24
const MOST_ROWS = 50_000
/** Rows are read by model, which has the price, whatever they are grouped by. */
const MOST_READ = 4 * MOST_ROWS

/** A row of the report. Costs are those of usage reports: tokens at the present prices of the models. */
type PricedUsage = GroupedUsage & { estimated_cost_cents: number }

/** The usage of a period, widened to whole hours. */
export async function usageReport({ config, store, now }: Desk, query: UsageQuery): Promise<JsonObject | TextReply> {
  const to = Math.ceil((micros(query.to) ?? now) / HOUR) * HOUR
  const from = Math.floor((micros(query.from) ?? to - DEFAULT_HOURS * HOUR) / HOUR) * HOUR
  if (from >= to) refuse('from', "must be before 'to'")
  const groups = groupsOf(query.group_by)
  const filter = { account: query.account?.toLowerCase(), from, to }
  const read = await usageByGroups(store, filter, [...new Set([...groups, 'model' as const])], MOST_READ + 1)
  const rows = priced(read, groups, config)
  if (rows.length > MOST_ROWS || read.length > MOST_READ)
    refuse('group_by', `gives more than ${MOST_ROWS} rows: ask for fewer groups or less time`)
  if (query.format === 'csv') return new TextReply('text/csv; charset=utf-8', tableOf(groups, rows))
  return { from: toIso(from), to: toIso(to), group_by: groups, rows }
}

function groupsOf(text: string): UsageGroup[] {
  const names = text === '' ? [] : text.split(',')
  const unknown = names.find(name => !USAGE_GROUPS.some(group => group === name))
  if (unknown !== undefined) refuse('group_by', `must be of ${USAGE_GROUPS.join(', ')}, with commas between`)
  return USAGE_GROUPS.filter(group => names.includes(group))
}

const SUMS = ['requests', 'input_tokens', 'output_tokens', 'cache_read_tokens'] as const

/** One row for each value of the groups, in the order of the first of its models. A model without a price costs nothing. */
function priced(
  read: readonly GroupedUsage[],
  groups: readonly UsageGroup[],
  { models }: Desk['config'],
): PricedUsage[] {
  const prices = new Map(models.map(({ id, pricing }) => [id, pricing]))
  const sums = new Map<string, PricedUsage & { microcents: number }>()
  for (const row of read) {
    const own = Object.fromEntries(groups.map(group => [group, row[group] ?? null]))
    const name = JSON.stringify(own)
    const sum = sums.get(name) ?? { ...own, ...NO_USAGE }
    for (const member of SUMS) sum[member] += row[member]
    const pricing = prices.get(row.model ?? '')
    if (pricing !== undefined) {
      const { input_tokens: input, output_tokens: output, cache_read_tokens: cachedInput } = row
      sum.microcents += costOf(pricing, { input, cachedInput, output })
    }
    sums.set(name, sum)
  }
  const total = groups.length === 0 && sums.size === 0 ? [{ ...NO_USAGE }] : [...sums.values()]
  return total.map(({ microcents, ...row }) => ({ ...row, estimated_cost_cents: microcents / MICROCENTS_PER_CENT }))
}

const NO_USAGE = {
  ...{ requests: 0, input_tokens: 0, output_tokens: 0, cache_read_tokens: 0 },
  ...{ estimated_cost_cents: 0, microcents: 0 },
}

function tableOf(groups: readonly UsageGroup[], rows: readonly PricedUsage[]): string {
  const head = [...groups, ...SUMS, 'estimated_cost_cents'] as const
  return csvOf([head, ...rows.map(row => head.map(name => row[name]))])
}

function micros(time: string | undefined): number | undefined {
  return time === undefined ? undefined : parseIso(time)!.micros
}

function refuse(param: string, problem: string): never {
  fail('schema_validation_failed', { problem: `'${param}' ${problem}.` }, { param, ownParam: true })
}
