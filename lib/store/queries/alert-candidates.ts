/** Accounts that an alert may be due for: the store leaves out the others, which are nearly all. */
import { type Expression, type Selectable, type SqlBool, sql } from 'kysely'
import type { Account } from '../../accounts/access.ts'
import { MICROCENTS_PER_CENT } from '../../base/money.ts'
import { storedAccount } from '../accounts.ts'
import type { Database, Session } from '../database.ts'
import { accountDays } from './whole-days.ts'

/** What makes an account one of them: either of these. */
export interface CandidateFilter {
  /** Prepaid with less than this; undefined: balances do not matter. */
  readonly creditBelowCents: number | undefined
  /** One of these plans, with at least this many requests since the beginning of a day. */
  readonly quotas: readonly UsedQuota[]
}

export interface UsedQuota {
  readonly plan: string
  /** Days since the epoch. */
  readonly fromDay: number
  readonly requests: number
}

export interface Candidates {
  /** All that the filter means, and a few others. */
  readonly accounts: readonly Account[]
  /** The last account that was looked at; null: there is none behind it. */
  readonly last: string | null
}

/** Of the `limit` accounts in the store behind the id `after`, in the order of their ids. '': from the first one. */
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
      (select coalesce(sum(u.requests), 0) from ${days} as u where u.account_id = a.id and u.day >= ${fromDay}))`,
  )
  if (creditBelowCents === undefined) return used
  // A cent more, because cents are compared when they are whole.
  const low = sql<SqlBool>`(a.credits_cents is not null and
    a.credits_cents + coalesce(b.balance_microcents, 0) / ${sql.lit(MICROCENTS_PER_CENT)}.0 < ${creditBelowCents + 1})`
  return [low, ...used]
}
