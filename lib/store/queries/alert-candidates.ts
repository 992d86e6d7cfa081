/** Accounts that may have an alert, which are few, and the number of their requests. */
import { type Expression, type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely'
import type { Account } from '../../accounts/access.ts'
import { MICROCENTS_PER_CENT } from '../../base/money.ts'
import { storedAccount } from '../accounts.ts'
import type { Database, Session } from '../database.ts'
import { accountDays } from './whole-days.ts'

/** Members are combined with OR. */
export interface CandidateFilter {
  /** Prepaid accounts with a lower balance. undefined: none. */
  readonly creditBelowCents: number | undefined
  /** Accounts of a plan with at least this number of requests since the start of a day. */
  readonly quotas: readonly UsedQuota[]
}

interface UsedQuota {
  readonly plan: string
  /** Days since the epoch. */
  readonly fromDay: number
  readonly requests: number
}

interface Candidates {
  /** All accounts that match the filter, and a few others. */
  readonly accounts: readonly Account[]
  /** Id of the last account that was checked. null: there are no further accounts. */
  readonly last: string | null
}

/** Checks the next `limit` accounts after the id `after`, ordered by id. '': from the first account. */
export async function alertCandidates(
  session: Session,
  filter: CandidateFilter,
  after: string,
  limit: number,
): Promise<Candidates> {
  const any = sql.join([sql<SqlBool>`a.id = (select max(id) from slice)`, ...conditions(session, filter)], sql` or `)
  const { rows } = await sql<Selectable<Database['accounts']> & { readonly slice_size: number }>`
    with slice as (select id, plan, credits_cents from accounts where id > ${after} order by id limit ${limit})
    select accounts.*, (select count(*) from slice) as slice_size
    from slice as a join accounts on accounts.id = a.id left join credit_balances as b on b.account_id = a.id
    where ${any} order by a.id`.execute(session.db)
  const isLast = Number(rows[0]?.slice_size ?? 0) < limit
  return { accounts: rows.map(storedAccount), last: isLast ? null : rows.at(-1)!.id }
}

function conditions(session: Session, { creditBelowCents, quotas }: CandidateFilter): Expression<SqlBool>[] {
  const days = sql.table(accountDays(session))
  const used = quotas.map(
    ({ plan, fromDay, requests }) => sql<SqlBool>`(a.plan = ${plan} and ${requests} <=
      (select coalesce(sum(u.requests), 0) from ${days} as u where u.account_id = a.id and u.day >= ${fromDay} and u.batch = 0))`,
  )
  if (creditBelowCents === undefined) return used
  // One cent more, because the alert compares whole cents.
  const low = sql<SqlBool>`(a.credits_cents is not null and
    a.credits_cents + coalesce(b.balance_microcents, 0) / ${sql.lit(MICROCENTS_PER_CENT)}.0 < ${creditBelowCents + 1})`
  return [low, ...used]
}

const HOUR = 3_600_000_000

/**
 * Requests of each account since `from` (microseconds since the epoch), without the part of an hour at the start, and
 * without lines of batches, which no quota counts.
 * Accounts without requests are absent.
 */
export async function requestCounts(
  session: Session,
  accounts: readonly string[],
  from: number,
): Promise<ReadonlyMap<string, number>> {
  const hour = Math.ceil(from / HOUR)
  const day = Math.ceil(hour / 24)
  const own = sql`account_id in (${sql.join([...accounts])}) and batch = 0`
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
