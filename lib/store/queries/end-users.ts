/** Usage of end users, from records while they are kept: totals have no end users. */
import type { Session } from '../database.ts'
import { AMOUNTS, IS_SERVED, sumOf } from './usage.ts'

/** Times: microseconds since the epoch. `to`: exclusive. */
interface EndUserFilter {
  readonly account: string
  /** undefined: any. */
  readonly key?: string | undefined
  readonly endUser: string
  readonly from: number
  readonly to: number
}

/** Tokens and units of an end user by model, without lines of batches, which no limit of end users counts. */
export async function endUserTokens({ db }: Session, { account, key, endUser, from, to }: EndUserFilter) {
  const rows = await db
    .selectFrom('requests')
    .select('model_resolved as model')
    .select(AMOUNTS.map(column => sumOf(column).as(column)))
    .where('created_at', '>=', from)
    .where('created_at', '<', to)
    .where('account_id', '=', account)
    .where('end_user', '=', endUser)
    .where('surface', '<>', 'batch')
    .where(IS_SERVED)
    .$if(key !== undefined, query => query.where('key_id', '=', key!))
    .groupBy('model_resolved')
    .execute()
  return rows.map(({ model, ...amounts }) => ({ model: model ?? '', ...amounts, batch: 0 }))
}
