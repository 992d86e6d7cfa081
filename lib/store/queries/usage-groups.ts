/** Grouped usage for operators, from daily and hourly totals. Groups by tag or end user are computed from records. */
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Session } from '../database.ts'
import { endUserRequests } from './end-users.ts'
import { accountDays, type Span, wholeParts } from './whole-days.ts'

const HOUR = 3_600_000_000

/**
 * Columns for grouping. A request with two tags counts in both groups. A request without a tag or end user is in no
 * group of these.
 */
export const USAGE_GROUPS = ['day', 'model', 'account', 'key', 'tag', 'end_user'] as const
export type UsageGroup = (typeof USAGE_GROUPS)[number]

interface GroupedUsageFilter {
  /** Id of the account; undefined: all accounts. */
  readonly account?: string | undefined
  /** Microseconds since the epoch, whole hours. */
  readonly from: number
  /** Exclusive. */
  readonly to: number
}

/** A member per group, which may be null, and the sums. `day`: UTC, `2026-11-21` */
export type GroupedUsage = Partial<Record<UsageGroup | 'end_user_label', string | null>> &
  Record<(typeof SUMS)[number], number>

const SUMS = ['requests', 'input_tokens', 'output_tokens', 'cache_read_tokens'] as const

/** At most `limit` rows, ordered by their groups. */
export async function usageByGroups(
  session: Session,
  filter: GroupedUsageFilter,
  groups: readonly UsageGroup[],
  limit: number,
): Promise<GroupedUsage[]> {
  const hasKeys = groups.includes('key')
  const days = filter.account === undefined || hasKeys ? 'usage_days' : accountDays(session)
  const hasUsers = groups.includes('end_user')
  const ofRequests = hasUsers ? endUserRequests(filter) : periodTotals(filter, days, hasKeys)
  const source = groups.includes('tag') ? taggedRequests(filter) : ofRequests
  const label = hasUsers ? [sql`max(end_user_label) as end_user_label`] : []
  const by = groups.map(group => sql.ref(group))
  const columns = [...by, ...label, ...SUMS.map(sum => sql`sum(${sql.ref(sum)}) as ${sql.ref(sum)}`)]
  const order = by.length === 0 ? sql`` : sql`group by ${sql.join(by)} order by ${sql.join(by)}`
  const { rows } = await sql<Record<string, string | number | null>>`
    select ${sql.join(columns)} from (${source}) as u ${order} limit ${limit}`.execute(session.db)
  return rows.map(row => ({
    ...Object.fromEntries(groups.map(group => [group, group === 'day' ? dayOf(Number(row.day)) : row[group] || null])),
    ...(hasUsers && { end_user_label: (row.end_user_label as string | null) ?? null }),
    requests: Number(row.requests),
    input_tokens: Number(row.input_tokens),
    output_tokens: Number(row.output_tokens),
    cache_read_tokens: Number(row.cache_read_tokens),
  }))
}

function periodTotals(
  { account, from, to }: GroupedUsageFilter,
  dayTable: string,
  hasKeys: boolean,
): RawBuilder<unknown> {
  const own = account === undefined ? sql`true` : sql`account_id = ${account}`
  const { hours, days } = wholeParts(from / HOUR, to / HOUR)
  const totals = (day: RawBuilder<unknown>, table: string, unit: string, [start, end]: Span) => sql`
    select ${day} as day, model, account_id as account, ${hasKeys ? sql`key_id as key, ` : sql``}
      requests, input_tokens, output_tokens, cache_read_tokens
    from ${sql.table(table)} where ${sql.ref(unit)} >= ${start} and ${sql.ref(unit)} < ${end} and ${own}`
  return sql.join(
    [
      totals(sql`day`, dayTable, 'day', days),
      ...hours.map(span => totals(sql`hour / 24`, 'usage_hours', 'hour', span)),
    ],
    sql` union all `,
  )
}

/** Requests of dedicated endpoints with a tag, while their records are kept. Counts the same requests as rollups.ts. */
function taggedRequests({ account, from, to }: GroupedUsageFilter): RawBuilder<unknown> {
  const conditions: Expression<SqlBool>[] = [
    sql`t.created_at >= ${from}`,
    sql`t.created_at < ${to}`,
    sql`r.account_id is not null`,
    sql`r.dispatched`,
    sql`(r.status_code < 400 or coalesce(r.input_tokens, 0) > 0 or coalesce(r.output_tokens, 0) > 0)`,
  ]
  if (account !== undefined) conditions.push(sql`r.account_id = ${account}`)
  return sql`
    select r.created_at / ${sql.lit(24 * HOUR)} as day, r.model_resolved as model, r.account_id as account,
      r.key_id as key, t.tag as tag, r.end_user as end_user, r.end_user_label as end_user_label, 1 as requests, coalesce(r.input_tokens, 0) as input_tokens,
      coalesce(r.output_tokens, 0) as output_tokens, coalesce(r.cache_read_tokens, 0) as cache_read_tokens
    from request_tags as t
    join requests as r on r.endpoint = t.endpoint and r.created_at = t.created_at and r.public_id = t.public_id
    where ${sql.join(conditions, sql` and `)}`
}

function dayOf(day: number): string {
  return new Date(day * 86_400_000).toISOString().slice(0, 10)
}
