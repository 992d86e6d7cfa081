/**
 * Accounts in the order of a column. SQLite, PostgreSQL and sortKey() have the same order: ASCII letters in lower case,
 * then by code points.
 */
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Account } from '../../accounts/access.ts'
import { MICROCENTS_PER_CENT } from '../../base/money.ts'
import type { Order } from '../../base/order.ts'
import { storedAccount } from '../accounts.ts'
import type { Session } from '../database.ts'

export type AccountSort = 'name' | 'kind' | 'plan' | 'balance'

/** The position of an account in an order. */
interface SortKey {
  readonly value: string | number
  readonly id: string
}

interface Sorted {
  readonly account: Account
  readonly key: SortKey
}

interface AccountOrder {
  readonly by: AccountSort
  readonly order: Order
}

/** The balance of accounts that are not prepaid: they are last in both orders. */
const lastBalance = (order: Order) => (order === 'asc' ? Number.MAX_SAFE_INTEGER : Number.MIN_SAFE_INTEGER)

/** `balance`: in micro-cents; null: the account is not prepaid. */
export function sortKey({ id, ...account }: Account, { by, order }: AccountOrder, balance: number | null): SortKey {
  if (by === 'balance') return { id, value: balance ?? lastBalance(order) }
  return { id, value: (account[by] ?? '').replace(/[A-Z]/g, letter => letter.toLowerCase()) }
}

/** Whether `a` is before `b`. */
export function isBefore(a: SortKey, b: SortKey, order: Order): boolean {
  const [first, second] = order === 'asc' ? [a, b] : [b, a]
  return first.value === second.value ? first.id < second.id : first.value < second.value
}

/** The position of a stored account; undefined: there is none with this id. */
export async function sortKeyOf(
  session: Session,
  { by, order }: AccountOrder,
  id: string,
): Promise<SortKey | undefined> {
  const { rows } = await sql<{ sort_value: string | number }>`
    select ${valueIn(session, by, order)} as sort_value
    from accounts as a left join credit_balances as b on b.account_id = a.id where a.id = ${id}`.execute(session.db)
  return rows[0] && { id, value: rows[0].sort_value }
}

/** At most `limit` stored accounts after a position. `name`: part of their names, lower case. */
export async function accountsInOrder(
  session: Session,
  { by, order, name, after }: AccountOrder & { readonly name: string; readonly after: SortKey | undefined },
  limit: number,
): Promise<Sorted[]> {
  const value = valueIn(session, by, order)
  const id = asText(session, sql`a.id`)
  const direction = sql.raw(order)
  const conditions: RawBuilder<SqlBool>[] = [sql`1 = 1`]
  if (name !== '') conditions.push(sql`lower(a.name) like ${`%${name.replace(/[\\%_]/g, '\\$&')}%`} escape '\\'`)
  if (after !== undefined)
    conditions.push(sql`(${value}, ${id}) ${sql.raw(order === 'asc' ? '>' : '<')} (${after.value}, ${after.id})`)
  const { rows } = await sql<Parameters<typeof storedAccount>[0] & { sort_value: string | number }>`
    select a.*, ${value} as sort_value from accounts as a left join credit_balances as b on b.account_id = a.id
    where ${sql.join(conditions, sql` and `)}
    order by ${value} ${direction}, ${id} ${direction} limit ${limit}`.execute(session.db)
  return rows.map(row => ({ account: storedAccount(row), key: { id: row.id, value: row.sort_value } }))
}

function valueIn(session: Session, by: AccountSort, order: Order): RawBuilder<unknown> {
  if (by !== 'balance') return sql`lower(${asText(session, sql`coalesce(${sql.ref(`a.${by}`)}, '')`)})`
  return sql`case when a.credits_cents is null then ${sql.lit(lastBalance(order))}
    else a.credits_cents * ${sql.lit(MICROCENTS_PER_CENT)} + coalesce(b.balance_microcents, 0) end`
}

/** PostgreSQL compares text by the rules of a language otherwise. */
function asText({ dialect }: Session, text: RawBuilder<unknown>): RawBuilder<unknown> {
  return dialect === 'postgres' ? sql`${text} collate "C"` : text
}
