/** The list of accounts for operators: those of the file, then those of the store, or all in the order of a column. */
import { type Account, toAccount } from '../accounts/access.ts'
import type { JsonObject } from '../base/json.ts'
import { centsOf } from '../base/money.ts'
import type { Order } from '../base/order.ts'
import { accountPage, listMembersOf } from '../store/accounts.ts'
import { prepaidBalances } from '../store/credits.ts'
import { type AccountSort, accountsInOrder, isBefore, sortKey, sortKeyOf } from '../store/queries/account-order.ts'
import { mergedMembers, toJson } from './accounts.ts'
import type { AdminContext } from './context.ts'

/** A query that `schemas/admin/account-query.json` accepts. */
export interface AccountQuery {
  readonly limit: number
  readonly cursor?: string
  readonly name?: string
  readonly sort?: AccountSort
  readonly order?: Order
}

/** A page of accounts. `cursor`: from the previous page. */
export async function accountList(context: AdminContext, query: AccountQuery): Promise<JsonObject> {
  const { config, store } = context
  const { limit } = query
  const found = query.sort === undefined ? await inListOrder(context, query) : await sorted(context, query, query.sort)
  const shown = found.slice(0, limit)
  const hasMore = found.length > limit
  const members = await listMembersOf(
    store,
    shown.map(({ id }) => id),
  )
  const balances = await prepaidBalances(store, shown)
  const accounts = shown.map(account => {
    const balance = balances.get(account.id)
    return {
      ...toJson(config, account, mergedMembers(config, account.id, members.get(account.id) ?? [])),
      balance_cents: balance === undefined ? null : centsOf(balance),
    }
  })
  return { accounts, has_more: hasMore, cursor: hasMore ? shown.at(-1)!.id : null }
}

/** At most one account more than `limit`, as sorted(). */
async function inListOrder({ config, store }: AdminContext, query: AccountQuery): Promise<readonly Account[]> {
  const { limit, cursor } = query
  const { ids, configured, name } = accountsOfFile(config, query)
  const isPastFile = cursor !== undefined && !ids.has(cursor)
  const found = isPastFile ? [] : configured.slice(configured.findIndex(({ id }) => id === cursor) + 1)
  // An account of the file can also be in the store, where its position does not count.
  for (let after = isPastFile ? cursor : undefined; found.length <= limit; ) {
    const wanted = limit + 1
    const rows = await accountPage(store, { after, name }, wanted)
    found.push(...rows.filter(({ id }) => !ids.has(id)))
    after = rows.at(-1)?.id
    if (rows.length < wanted) break
  }
  return found
}

async function sorted({ config, store }: AdminContext, query: AccountQuery, by: AccountSort): Promise<Account[]> {
  const { limit, cursor, order = by === 'balance' ? 'desc' : 'asc' } = query
  const { ids, configured, name } = accountsOfFile(config, query)
  const balances = await prepaidBalances(store, by === 'balance' ? configured : [])
  const keyed = configured.map(account => ({
    account,
    key: sortKey(account, { by, order }, balances.get(account.id) ?? null),
  }))
  const start =
    keyed.find(({ account }) => account.id === cursor)?.key ??
    (cursor === undefined ? undefined : await sortKeyOf(store, { by, order }, cursor))
  const found = keyed.filter(({ key }) => start === undefined || isBefore(start, key, order))
  for (let after = start, count = 0; count <= limit; ) {
    const rows = await accountsInOrder(store, { by, order, name, after }, limit + 1)
    const others = rows.filter(({ account }) => !ids.has(account.id))
    found.push(...others)
    count += others.length
    after = rows.at(-1)?.key
    if (rows.length <= limit) break
  }
  const inOrder = found.toSorted((a, b) => (isBefore(a.key, b.key, order) ? -1 : 1))
  return inOrder.slice(0, limit + 1).map(({ account }) => account)
}

function accountsOfFile(config: AdminContext['config'], { name = '' }: AccountQuery) {
  const inFile = config.accounts.map(toAccount)
  const part = name.toLowerCase()
  return {
    name: part,
    ids: new Set(inFile.map(({ id }) => id)),
    configured: inFile.filter(account => account.name.toLowerCase().includes(part)),
  }
}
