/** Grouped usage for operators, from daily and hourly totals, or from records if a group is not in the totals. */
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Session } from '../database.ts'
import { firstIdAt } from './lookup.ts'
import { AMOUNTS, IS_SERVED, sumOf } from './usage.ts'
import { accountDays, type Span, wholeParts } from './whole-days.ts'

const HOUR = 3_600_000_000
const DAY = 24 * HOUR

/** Where the value of a group is. */
interface GroupColumn {
  /** Expression on a row of totals. undefined: only records have it. */
  readonly totals?: RawBuilder<unknown>
  /** Expression on a record `r`, with its tag `t`. */
  readonly records: RawBuilder<unknown>
  /** True: a request without a value is in no group. Default: it is in the group null. */
  readonly isPartial?: true
  /** Column with a name of the value, which is shown too. */
  readonly label?: 'end_user_label'
  /** The value as text. Default: the value itself. */
  textOf?(value: number): string
}

/** A new group is a new row. A request with two tags counts in both groups. */
const GROUPS = {
  day: { totals: sql`day`, records: sql`r.created_at / ${sql.lit(DAY)}`, textOf: day => isoOf(day * DAY).slice(0, 10) },
  hour: { totals: sql`hour`, records: sql`r.created_at / ${sql.lit(HOUR)}`, textOf: hour => isoOf(hour * HOUR) },
  model: { totals: sql`model`, records: sql`r.model_resolved` },
  account: { totals: sql`account_id`, records: sql`r.account_id` },
  user: { totals: sql`user_id`, records: sql`r.user_id` },
  key: { totals: sql`key_id`, records: sql`r.key_id` },
  backend: { records: sql`r.backend` },
  tag: { records: sql`t.tag` },
  client: { records: sql`r.client` },
  end_user: { records: sql`r.end_user`, isPartial: true, label: 'end_user_label' },
  batch: {
    totals: sql`batch`,
    records: sql`case when r.surface = 'batch' then 1 else 0 end`,
    textOf: batch => (batch === 1 ? 'batch' : 'interactive'),
  },
  // The account of lines of batches, whose plan has the factor of their price; null for all other requests.
  batch_account: {
    totals: sql`case when batch = 1 then account_id else '' end`,
    records: sql`case when r.surface = 'batch' then r.account_id else '' end`,
  },
} as const satisfies Readonly<Record<string, GroupColumn>>

type ReadGroup = keyof typeof GROUPS
export type UsageGroup = Exclude<ReadGroup, 'batch_account'>

/** The groups of reports. */
export const USAGE_GROUPS = Object.keys(GROUPS).filter(name => name !== 'batch_account') as readonly UsageGroup[]

const columnOf = (group: ReadGroup): GroupColumn => GROUPS[group]

/** Groups that need records, which are kept for a shorter time than totals. */
export const RECORDED_GROUPS = USAGE_GROUPS.filter(group => columnOf(group).totals === undefined)

const labelsOf = (groups: readonly ReadGroup[]) => groups.flatMap(group => columnOf(group).label ?? [])

interface GroupedUsageFilter {
  /** Id of the account; undefined: all accounts. */
  readonly account?: string | undefined
  /** Ids of some accounts, instead of one. */
  readonly accounts?: readonly string[]
  /** Only requests with these values of groups. */
  readonly where?: Partial<Record<UsageGroup, string>>
  /** Microseconds since the epoch, whole hours. */
  readonly from: number
  /** Exclusive. */
  readonly to: number
}

/** A member per group, which may be null, and the sums. `day`: UTC, `2026-11-21`. `hour`: `2026-11-21T10:00:00Z` */
export type GroupedUsage = Partial<Record<ReadGroup | 'end_user_label', string | null>> &
  Record<(typeof SUMS)[number], number>

const SUMS = ['requests', ...AMOUNTS] as const

/** At most `limit` rows, ordered by their groups. */
export async function usageByGroups(
  session: Session,
  filter: GroupedUsageFilter,
  groups: readonly ReadGroup[],
  limit: number,
): Promise<GroupedUsage[]> {
  const filtered = Object.keys(filter.where ?? {}) as UsageGroup[]
  const isRecorded = [...groups, ...filtered].some(group => columnOf(group).totals === undefined)
  const queries = isRecorded ? fromRecords(filter, groups) : [fromTotals(session, filter, groups)]
  const sums = new Map<string, GroupedUsage>()
  for (const query of queries) {
    const { rows } = await sql<Record<string, string | number | null>>`${query} limit ${limit}`.execute(session.db)
    for (const row of rows) add(sums, row, groups)
    if (sums.size >= limit) break
  }
  const order = (a: GroupedUsage, b: GroupedUsage) => {
    const group = groups.find(one => a[one] !== b[one])
    return group === undefined || (a[group] ?? '') < (b[group] ?? '') ? -1 : 1
  }
  return [...sums.values()].sort(order).slice(0, limit)
}

function add(
  sums: Map<string, GroupedUsage>,
  row: Readonly<Record<string, string | number | null>>,
  groups: readonly ReadGroup[],
): void {
  const values = groups.map(group => {
    const { textOf } = columnOf(group)
    return textOf === undefined ? row[group] || null : textOf(Number(row[group]))
  })
  const key = JSON.stringify(values)
  const own = Object.fromEntries(groups.map((group, at) => [group, values[at]]))
  const labels = labelsOf(groups).map(label => [label, row[label] ?? (sums.get(key)?.[label] || null)])
  const counts = SUMS.map(sum => [sum, Number(row[sum]) + (sums.get(key)?.[sum] ?? 0)])
  sums.set(key, { ...own, ...Object.fromEntries(labels), ...Object.fromEntries(counts) } as GroupedUsage)
}

function fromTotals(
  session: Session,
  { account, accounts, from, to }: GroupedUsageFilter,
  groups: readonly ReadGroup[],
): RawBuilder<unknown> {
  const ids = account === undefined ? accounts : [account]
  const dayTable = ids === undefined || groups.includes('key') ? 'usage_days' : accountDays(session)
  const own = ids === undefined ? sql`true` : sql`account_id in (${sql.join(ids)})`
  const span = [from / HOUR, to / HOUR] as const
  const { hours, days } = groups.includes('hour') ? { hours: [span], days: [0, 0] as const } : wholeParts(...span)
  const totals = (table: string, unit: 'hour' | 'day', [start, end]: Span) => {
    const values = groups.map(group => {
      const value = group === 'day' && unit === 'hour' ? sql`hour / 24` : columnOf(group).totals!
      return sql`${value} as ${sql.ref(group)}`
    })
    return sql`select ${sql.join([...values, ...SUMS.map(sum => sql.ref(sum))])}
      from ${sql.table(table)} where ${sql.ref(unit)} >= ${start} and ${sql.ref(unit)} < ${end} and ${own}`
  }
  const parts = [
    ...(days[0] < days[1] ? [totals(dayTable, 'day', days)] : []),
    ...hours.map(hourly => totals('usage_hours', 'hour', hourly)),
  ]
  const by = groups.map(group => sql.ref(group))
  const columns = [...by, ...SUMS.map(sum => sql`sum(${sql.ref(sum)}) as ${sql.ref(sum)}`)]
  const grouping = by.length === 0 ? sql`` : sql`group by ${sql.join(by)}`
  return sql`select ${sql.join(columns)} from (${sql.join(parts, sql` union all `)}) as u ${grouping}`
}

/** One query per day, so that each statement is short. Records are kept for a shorter time than totals. */
function* fromRecords(
  { account, where = {}, from, to }: GroupedUsageFilter,
  groups: readonly ReadGroup[],
): Generator<RawBuilder<unknown>> {
  const hasTags = groups.includes('tag')
  const values = groups.map(group => sql`${columnOf(group).records} as ${sql.ref(group)}`)
  const labels = labelsOf(groups).map(label => sql`max(${sql.ref(`r.${label}`)}) as ${sql.ref(label)}`)
  const sums = [
    ...labels,
    sql`count(*) as requests`,
    ...AMOUNTS.map(column => sql`${sumOf(column)} as ${sql.ref(column)}`),
  ]
  const source = hasTags
    ? sql`request_tags as t
        join requests as r on r.endpoint = t.endpoint and r.created_at = t.created_at and r.public_id = t.public_id`
    : sql`requests as r`
  const by = sql.join(groups.map((_, at) => sql.lit(at + 1)))
  for (let start = from; start < to; start += DAY) {
    const end = Math.min(start + DAY, to)
    const time = hasTags ? sql`t.created_at` : sql`r.created_at`
    const conditions: Expression<SqlBool>[] = [
      sql`${time} >= ${start}`,
      sql`${time} < ${end}`,
      sql`r.account_id is not null`,
      IS_SERVED,
    ]
    for (const group of groups) {
      const { isPartial, records } = columnOf(group)
      if (isPartial === true) conditions.push(sql`${records} is not null`)
    }
    // The index of SQLite is by id.
    if (!hasTags) conditions.push(sql`r.id >= ${firstIdAt(start)}`, sql`r.id < ${firstIdAt(end + 1000)}`)
    if (account !== undefined) conditions.push(sql`r.account_id = ${account}`)
    for (const [group, value] of Object.entries(where))
      conditions.push(sql`${columnOf(group as UsageGroup).records} = ${value}`)
    yield sql`select ${sql.join([...values, ...sums])} from ${source}
      where ${sql.join(conditions, sql` and `)} group by ${by}`
  }
}

function isoOf(micros: number): string {
  return new Date(micros / 1000).toISOString().replace('.000Z', 'Z')
}
