import { type Expression, type SqlBool, sql } from 'kysely'
import type { Account } from '../accounts/access.ts'
import { microcentsOf } from '../base/money.ts'
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

/** The balances of those accounts that are prepaid, in micro-cents. */
export async function prepaidBalances(
  session: Session,
  accounts: readonly Pick<Account, 'id' | 'creditsCents'>[],
): Promise<ReadonlyMap<string, number>> {
  const initial = accounts.flatMap(({ id, creditsCents: cents }) => (cents === undefined ? [] : [{ id, cents }]))
  if (initial.length === 0) return new Map()
  const totals = await creditTotals(
    session,
    initial.map(({ id }) => id),
  )
  return new Map(
    initial.map(({ id, cents }) => {
      const { granted, charged } = totals.get(id) ?? { granted: 0, charged: 0 }
      return [id, microcentsOf(cents) + granted - charged]
    }),
  )
}

export async function findEntry({ db }: Session, requestId: string): Promise<Database['credits_ledger'] | undefined> {
  return db.selectFrom('credits_ledger').selectAll().where('request_id', '=', requestId).executeTakeFirst()
}

const CURSOR = /^(\d{1,16})\.(.+)$/

export function isLedgerCursor(text: string): boolean {
  return CURSOR.test(text)
}

interface LedgerFilter {
  readonly accountId: string
  /** That of the previous page. An invalid cursor is ignored. */
  readonly cursor?: string | undefined
  /** Not before, in microseconds since the epoch. */
  readonly from?: number | undefined
  /** Before. */
  readonly to?: number | undefined
}

function conditionsOf({ accountId, cursor, from, to }: LedgerFilter): Expression<SqlBool>[] {
  const conditions = [sql<SqlBool>`account_id = ${accountId}`]
  const [, time, id] = CURSOR.exec(cursor ?? '') ?? []
  if (time !== undefined) conditions.push(sql`(created_at, request_id) < (${Number(time)}, ${id})`)
  if (from !== undefined) conditions.push(sql`created_at >= ${from}`)
  if (to !== undefined) conditions.push(sql`created_at < ${to}`)
  return conditions
}

interface LedgerPage<T> {
  readonly entries: readonly T[]
  readonly has_more: boolean
  readonly cursor: string | null
}

/** A page of the account's ledger, newest first. */
export async function listLedger(
  { db }: Session,
  filter: LedgerFilter,
  limit: number,
): Promise<LedgerPage<Database['credits_ledger']>> {
  const { rows } = await sql<Database['credits_ledger']>`
    select * from credits_ledger where ${sql.join(conditionsOf(filter), sql` and `)}
    order by created_at desc, request_id desc limit ${limit + 1}`.execute(db)
  const entries = rows.slice(0, limit)
  const last = entries.at(-1)
  const hasMore = rows.length > limit
  return { entries, has_more: hasMore, cursor: hasMore && last ? cursorOf(last) : null }
}

function cursorOf({ created_at: time, request_id: id }: Position): string {
  return `${time}.${id}`
}

type Position = Pick<Database['credits_ledger'], 'created_at' | 'request_id'>

/** The charges of a day together, or another entry of the ledger. */
interface LedgerDay extends Pick<Database['credits_ledger'], 'kind' | 'note' | 'amount_microcents'> {
  /** Days since the epoch. */
  readonly day: number
  /** Time of the oldest entry, in microseconds since the epoch. */
  readonly first_at: number
  /** Time of the newest entry. */
  readonly last_at: number
  readonly entries: number
}

const DAY_MICROS = 86_400_000_000
const MAX_DAYS = 31
/** Maximum number of entries that one page sums. */
const MAX_SUMMED = 20_000

/** A page of the ledger with one row for the charges of each UTC day. A long day continues on the next page. */
export async function listLedgerDays({ db }: Session, filter: LedgerFilter): Promise<LedgerPage<LedgerDay>> {
  const own = conditionsOf(filter)
  const { rows: ends } = await sql<Position>`
    select created_at, request_id from credits_ledger where ${sql.join(own, sql` and `)}
    order by created_at desc, request_id desc limit 2 offset ${MAX_SUMMED - 1}`.execute(db)
  const [end, next] = ends
  if (end !== undefined) own.push(sql`(created_at, request_id) >= (${end.created_at}, ${end.request_id})`)
  const { rows } = await sql<LedgerDay>`
    select kind, created_at / ${sql.lit(DAY_MICROS)} as day, min(note) as note, count(*) as entries,
      sum(amount_microcents) as amount_microcents, min(created_at) as first_at, max(created_at) as last_at
    from credits_ledger where ${sql.join(own, sql` and `)}
    group by kind, created_at / ${sql.lit(DAY_MICROS)}, case when kind = 'charge' then '' else request_id end
    order by day desc, last_at desc`.execute(db)
  const days = [...new Set(rows.map(({ day }) => day))]
  const lastDay = days[MAX_DAYS - 1]
  if (lastDay !== undefined && days.length > MAX_DAYS) {
    const cursor = cursorOf({ created_at: lastDay * DAY_MICROS, request_id: '0' })
    return { entries: rows.filter(({ day }) => day >= lastDay), has_more: true, cursor }
  }
  return { entries: rows, has_more: next !== undefined, cursor: end && next ? cursorOf(end) : null }
}
