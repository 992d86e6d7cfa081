/** Usage reports of all accounts. */
import type { JsonObject } from '../base/json.ts'
import { parseIso, toIso } from '../base/time.ts'
import { fail } from '../errors/errors.ts'
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

/** The usage of a period, widened to whole hours. */
export async function usageReport({ store, now }: Desk, query: UsageQuery): Promise<JsonObject | TextReply> {
  const to = Math.ceil((micros(query.to) ?? now) / HOUR) * HOUR
  const from = Math.floor((micros(query.from) ?? to - DEFAULT_HOURS * HOUR) / HOUR) * HOUR
  if (from >= to) refuse('from', "must be before 'to'")
  const groups = groupsOf(query.group_by)
  const filter = { account: query.account?.toLowerCase(), from, to }
  const rows = await usageByGroups(store, filter, groups, MOST_ROWS + 1)
  if (rows.length > MOST_ROWS)
    refuse('group_by', `gives more than ${MOST_ROWS} rows: ask for fewer groups or less time`)
  if (query.format === 'csv') return new TextReply('text/csv; charset=utf-8', csvOf(groups, rows))
  return { from: toIso(from), to: toIso(to), group_by: groups, rows }
}

function groupsOf(text: string): UsageGroup[] {
  const names = text === '' ? [] : text.split(',')
  const unknown = names.find(name => !USAGE_GROUPS.some(group => group === name))
  if (unknown !== undefined) refuse('group_by', `must be of ${USAGE_GROUPS.join(', ')}, with commas between`)
  return USAGE_GROUPS.filter(group => names.includes(group))
}

const SUMS = ['requests', 'input_tokens', 'output_tokens', 'cache_read_tokens'] as const

/** RFC 4180. */
function csvOf(groups: readonly UsageGroup[], rows: readonly GroupedUsage[]): string {
  const head = [...groups, ...SUMS]
  return [head, ...rows.map(row => head.map(name => cell(row[name])))].map(cells => `${cells.join(',')}\r\n`).join('')
}

/** A text that a spreadsheet would run as a formula gets an apostrophe before it. */
function cell(value: string | number | null | undefined): string {
  const text = value === null || value === undefined ? '' : String(value)
  const inert = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert
}

function micros(time: string | undefined): number | undefined {
  return time === undefined ? undefined : parseIso(time)!.micros
}

function refuse(param: string, problem: string): never {
  fail('schema_validation_failed', { problem: `'${param}' ${problem}.` }, { param, ownParam: true })
}
