import { type RawBuilder, sql } from 'kysely'
import type { Session } from '../database.ts'
import { accountDays } from './whole-days.ts'

const HOUR = 3_600_000_000

/**
 * Requests of each of these accounts from a time on, from hourly totals until midnight (UTC) and daily ones behind it: a part of an hour
 * at the beginning is not counted. `from`: microseconds since the epoch. Accounts without any are absent.
 */
export async function requestCounts(
  session: Session,
  accounts: readonly string[],
  from: number,
): Promise<ReadonlyMap<string, number>> {
  const hour = Math.ceil(from / HOUR)
  const day = Math.ceil(hour / 24)
  const own = sql`account_id in (${sql.join([...accounts])})`
  const parts: RawBuilder<unknown>[] = [
    sql`select account_id, requests from ${sql.table(accountDays(session))} where ${own} and day >= ${day}`,
  ]
  if (hour < day * 24)
    parts.push(
      sql`select account_id, requests from usage_hours where ${own} and hour >= ${hour} and hour < ${day * 24}`,
    )
  const { rows } = await sql<{ account_id: string; requests: number }>`
    select account_id, sum(requests) as requests from (${sql.join(parts, sql` union all `)}) as u
    group by account_id`.execute(session.db)
  return new Map(rows.map(({ account_id, requests }) => [account_id, Number(requests)]))
}
