/** Usage of end users, from records while they are kept: totals have no end users. */
import { type RawBuilder, sql } from 'kysely'
import type { Session } from '../database.ts'

const DAY = 86_400_000_000

/** Times: microseconds since the epoch. `to`: exclusive. undefined: any. */
interface EndUserFilter {
  readonly account?: string | undefined
  readonly key?: string | undefined
  readonly endUser?: string | undefined
  readonly from: number
  readonly to: number
}

/** A row per request of an end user, with the columns of usage groups. Counts the same requests as rollups.ts. */
export function endUserRequests({ account, key, endUser, from, to }: EndUserFilter): RawBuilder<unknown> {
  const conditions = [
    sql`created_at >= ${from}`,
    sql`created_at < ${to}`,
    sql`account_id is not null`,
    endUser === undefined ? sql`end_user is not null` : sql`end_user = ${endUser}`,
    sql`dispatched`,
    sql`(status_code < 400 or coalesce(input_tokens, 0) > 0 or coalesce(output_tokens, 0) > 0 or coalesce(units, 0) > 0)`,
  ]
  if (account !== undefined) conditions.push(sql`account_id = ${account}`)
  if (key !== undefined) conditions.push(sql`key_id = ${key}`)
  return sql`
    select created_at / ${sql.lit(DAY)} as day, model_resolved as model, account_id as account, key_id as key,
      end_user, end_user_label, 1 as requests, coalesce(input_tokens, 0) as input_tokens,
      coalesce(output_tokens, 0) as output_tokens, coalesce(cache_read_tokens, 0) as cache_read_tokens,
      coalesce(units, 0) as units
    from requests where ${sql.join(conditions, sql` and `)}`
}

/** Tokens of an end user by model. */
export async function endUserTokens({ db }: Session, filter: EndUserFilter) {
  const { rows } = await sql<
    Record<'input_tokens' | 'output_tokens' | 'cache_read_tokens' | 'units', number> & { model: string }
  >`
    select coalesce(model, '') as model, sum(input_tokens) as input_tokens, sum(output_tokens) as output_tokens,
      sum(cache_read_tokens) as cache_read_tokens, sum(units) as units
    from (${endUserRequests(filter)}) as u group by model`.execute(db)
  return rows.map(({ model, input_tokens, output_tokens, cache_read_tokens, units }) => ({
    model,
    input_tokens: Number(input_tokens),
    output_tokens: Number(output_tokens),
    cache_read_tokens: Number(cache_read_tokens),
    units: Number(units),
  }))
}
