import type { Database, Session } from './database.ts'
import { runInsertions } from './insertions.ts'
import { bookEntries, type CreditEntry } from './ledger.ts'

/** bookEntries() in a session, which must be a transaction. */
export function bookCredits(session: Session, entries: readonly CreditEntry[]): Promise<boolean> {
  return runInsertions(session, bookEntries(entries))
}

/** The sum of the account's ledger entries, in micro-cents. */
export async function creditBalance({ db }: Session, accountId: string): Promise<number> {
  const row = await db
    .selectFrom('credit_balances')
    .select('balance_microcents')
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return row?.balance_microcents ?? 0
}

/** The sums granted and charged per account, in micro-cents. Accounts without entries are absent. */
export async function creditTotals(
  { db }: Session,
  accountIds: readonly string[],
): Promise<Map<string, { readonly granted: number; readonly charged: number }>> {
  const rows = await db
    .selectFrom('credit_balances')
    .select(['account_id', 'balance_microcents', 'charged_microcents'])
    .where('account_id', 'in', accountIds)
    .execute()
  return new Map(
    rows.map(({ account_id, balance_microcents: balance, charged_microcents: charged }) => [
      account_id,
      { granted: balance + charged, charged },
    ]),
  )
}

export async function findEntry({ db }: Session, requestId: string): Promise<Database['credits_ledger'] | undefined> {
  return db.selectFrom('credits_ledger').selectAll().where('request_id', '=', requestId).executeTakeFirst()
}

const CURSOR = /^(\d{1,16})\.(.+)$/

export function isLedgerCursor(text: string): boolean {
  return CURSOR.test(text)
}

/** A page of the account's ledger, newest first. `cursor`: that of the previous page. An invalid cursor is ignored. */
export async function listLedger(
  { db }: Session,
  accountId: string,
  cursor: string | undefined,
  limit: number,
): Promise<{
  readonly entries: readonly Database['credits_ledger'][]
  readonly has_more: boolean
  readonly cursor: string | null
}> {
  let query = db.selectFrom('credits_ledger').selectAll().where('account_id', '=', accountId)
  const [, time, id] = CURSOR.exec(cursor ?? '') ?? []
  if (time !== undefined && id !== undefined) {
    query = query.where(({ eb, refTuple, tuple }) =>
      eb(refTuple('created_at', 'request_id'), '<', tuple(Number(time), id)),
    )
  }
  const rows = await query
    .orderBy('created_at', 'desc')
    .orderBy('request_id', 'desc')
    .limit(limit + 1)
    .execute()
  const entries = rows.slice(0, limit)
  const last = entries.at(-1)
  const hasMore = rows.length > limit
  return { entries, has_more: hasMore, cursor: hasMore && last ? `${last.created_at}.${last.request_id}` : null }
}
