/** Names of accounts next to their ids, so that people need not look them up. */
import type { Json, JsonObject } from '../base/json.ts'
import type { Config } from '../config/config.ts'
import { findAccounts } from '../store/accounts.ts'
import type { Session } from '../store/database.ts'

interface Accounts {
  readonly config: Pick<Config, 'accounts'>
  readonly store: Session
}

/** Names by id. Ids of accounts that do not exist any more are absent. */
export async function accountNames(
  { config, store }: Accounts,
  ids: Iterable<string>,
): Promise<ReadonlyMap<string, string>> {
  const names = new Map(config.accounts.map(({ id, name }) => [id, name]))
  const others = [...new Set(ids)].filter(id => !names.has(id))
  for (const { id, name } of await findAccounts(store, others)) names.set(id, name)
  return names
}

/** The members with `account_name` after the member of the id. */
export function withNameMember(members: readonly string[], idMember = 'account_id'): string[] {
  return members.flatMap(member => (member === idMember ? [member, 'account_name'] : [member]))
}

/** Adds `account_name` after `idMember` to each row. null: there is no such account. */
export async function withAccountNames(
  accounts: Accounts,
  rows: readonly JsonObject[],
  idMember = 'account_id',
): Promise<JsonObject[]> {
  const idsOf = (row: JsonObject) => (typeof row[idMember] === 'string' ? [row[idMember]] : [])
  const names = await accountNames(accounts, rows.flatMap(idsOf))
  return rows.map(row => {
    const values: JsonObject = { ...row, account_name: names.get(String(row[idMember])) ?? null }
    const entries: [string, Json][] = withNameMember(Object.keys(row), idMember).map(name => [
      name,
      values[name] ?? null,
    ])
    return Object.fromEntries(entries)
  })
}
