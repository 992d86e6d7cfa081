/** Usage of accounts and their users, from hourly totals (docs/api/usage-me.md, docs/api/usage-team.md). */
import { sql } from 'kysely'
import type { Surface } from '../../config/surface.ts'
import type { Session } from '../database.ts'

const HOUR = 3_600_000_000
/** Days per statement. */
const PORTION_DAYS = 7

/** Absent members do not restrict. */
export interface UsageFilter {
  readonly account_id: string
  /** Microseconds since the epoch. The period is widened to whole hours. */
  readonly from: number
  /** Exclusive. */
  readonly to: number
  readonly user_id?: string | undefined
  /** Only the usage of this key. Used for legacy keys, which belong to no user. */
  readonly key_id?: string | undefined
  readonly endpoint?: string | undefined
  readonly surface?: Surface | undefined
}

/** The usage of one model by one user on one day. */
export interface UsageRow {
  /** null: used by keys without a user. */
  readonly user_id: string | null
  /** UTC: `2026-11-21` */
  readonly date: string
  /** null: no model was resolved. */
  readonly model: string | null
  readonly requests: number
  readonly input_tokens: number
  readonly output_tokens: number
  readonly cache_read_tokens: number
}

/** Oldest day first. Read in portions, so that no statement takes long. */
export async function usageByDay(session: Session, filter: UsageFilter): Promise<UsageRow[]> {
  const rows: UsageRow[] = []
  const end = Math.ceil(filter.to / HOUR)
  for (let from = Math.floor(filter.from / HOUR); from < end; ) {
    const to = Math.min(end, (Math.floor(from / 24) + PORTION_DAYS) * 24)
    rows.push(...(await usageBetween(session, filter, from, to)))
    from = to
  }
  return rows
}

/** The hours from `from` to before `to`. */
async function usageBetween(
  { db }: Session,
  { account_id, ...filter }: UsageFilter,
  from: number,
  to: number,
): Promise<UsageRow[]> {
  const day = sql<number>`hour / 24`
  let query = db
    .selectFrom('usage_hours')
    .select(['user_id', 'model', day.as('day')])
    .select(({ fn }) => [
      fn.sum<number>('requests').as('requests'),
      fn.sum<number>('input_tokens').as('input_tokens'),
      fn.sum<number>('output_tokens').as('output_tokens'),
      fn.sum<number>('cache_read_tokens').as('cache_read_tokens'),
    ])
    .where('account_id', '=', account_id)
    .where('hour', '>=', from)
    .where('hour', '<', to)
  for (const column of ['user_id', 'key_id', 'endpoint', 'surface'] as const) {
    const value = filter[column]
    if (value !== undefined) query = query.where(column, '=', value)
  }
  const rows = await query
    .groupBy(['user_id', 'model', day])
    .orderBy('day')
    .orderBy('user_id')
    .orderBy('model')
    .execute()
  return rows.map(({ user_id, model, day, ...sums }) => ({
    user_id: user_id === '' ? null : user_id,
    date: new Date(day * 86_400_000).toISOString().slice(0, 10),
    model: model === '' ? null : model,
    ...sums,
  }))
}
