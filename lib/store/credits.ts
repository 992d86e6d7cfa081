import { bulkInsert, insertRows } from './bulk.ts'
import type { Database, Session } from './database.ts'

/** `note`: why an operator has changed the balance. */
export type CreditEntry = Readonly<Omit<Database['credits_ledger'], 'note'>> & { readonly note?: string }

const ledger = bulkInsert(
  'credits_ledger',
  [
    { name: 'request_id', type: 'text' },
    { name: 'account_id', type: 'text' },
    { name: 'amount_microcents', type: 'bigint' },
    { name: 'kind', type: 'text' },
    { name: 'created_at', type: 'bigint' },
    { name: 'note', type: 'text' },
  ],
  'do nothing',
)
const balances = bulkInsert(
  'credit_balances',
  [
    { name: 'account_id', type: 'text' },
    { name: 'balance_microcents', type: 'bigint' },
    { name: 'charged_microcents', type: 'bigint' },
  ],
  `(account_id) do update set
    balance_microcents = credit_balances.balance_microcents + excluded.balance_microcents,
    charged_microcents = credit_balances.charged_microcents + excluded.charged_microcents`,
)

/**
 * Adds entries to the ledger and to the balances, in micro-cents: charges are negative, top-ups positive. An entry whose
 * request id is in the ledger already is not booked again. Must be called in a transaction. False: all were there already.
 */
export async function bookCredits(session: Session, entries: readonly CreditEntry[]): Promise<boolean> {
  const booked = await insertRows(
    session,
    ledger,
    entries.map(({ request_id, account_id, amount_microcents, kind, created_at, note = null }) => {
      return [request_id, account_id, amount_microcents, kind, created_at, note]
    }),
  )
  const fresh = new Set(booked)
  const sums = new Map<string, [account: string, balance: number, charged: number]>()
  for (const { request_id, account_id, amount_microcents, kind } of entries) {
    if (!fresh.has(request_id)) continue
    const [, balance, charged] = sums.get(account_id) ?? [account_id, 0, 0]
    const charge = kind === 'charge' ? -amount_microcents : 0
    sums.set(account_id, [account_id, balance + amount_microcents, charged + charge])
  }
  await insertRows(session, balances, [...sums.values()].sort())
  return fresh.size > 0
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

/** The entry of the ledger with this id. */
export async function findEntry({ db }: Session, requestId: string): Promise<Database['credits_ledger'] | undefined> {
  return db.selectFrom('credits_ledger').selectAll().where('request_id', '=', requestId).executeTakeFirst()
}

const CURSOR = /^(\d{1,16})\.(.+)$/

export function isLedgerCursor(text: string): boolean {
  return CURSOR.test(text)
}

/** A page of the account's ledger, newest first. `cursor`: that of the page before; a text that is none is ignored. */
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
