import type { Session } from '../database.ts'

const HOUR = 3_600_000_000

/**
 * Requests of each of these accounts from a time on, from hourly totals: a part of an hour at the beginning is not counted.
 * `from`: microseconds since the epoch. Accounts without any are absent.
 */
export async function requestCounts(
  { db }: Session,
  accounts: readonly string[],
  from: number,
): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('usage_hours')
    .select('account_id')
    .select(({ fn }) => fn.sum<number>('requests').as('requests'))
    .where('account_id', 'in', accounts)
    .where('hour', '>=', Math.ceil(from / HOUR))
    .groupBy('account_id')
    .execute()
  return new Map(rows.map(({ account_id, requests }) => [account_id, Number(requests)]))
}
