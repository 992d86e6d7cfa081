/** Tokens of an account, or of one of its keys, by model. */
import type { Session } from '../database.ts'

export interface ModelUsageFilter {
  readonly account: string
  /** Id of a key of the account; undefined: all of them. */
  readonly key: string | undefined
  /** Hours since the epoch. */
  readonly from: number
  /** Exclusive. */
  readonly to: number
}

export interface ModelUsage {
  readonly model: string
  readonly input_tokens: number
  readonly output_tokens: number
  readonly cache_read_tokens: number
}

/** From hourly totals. */
export async function modelUsage({ db }: Session, filter: ModelUsageFilter): Promise<ModelUsage[]> {
  let query = db
    .selectFrom('usage_hours')
    .select('model')
    .select(({ fn }) => [
      fn.sum<number>('input_tokens').as('input_tokens'),
      fn.sum<number>('output_tokens').as('output_tokens'),
      fn.sum<number>('cache_read_tokens').as('cache_read_tokens'),
    ])
    .where('account_id', '=', filter.account)
    .where('hour', '>=', filter.from)
    .where('hour', '<', filter.to)
  if (filter.key !== undefined) query = query.where('key_id', '=', filter.key)
  return query.groupBy('model').execute()
}
