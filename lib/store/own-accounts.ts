/** The accounts of a user, with the user's roles. */
import { type Account, toAccount } from '../accounts/access.ts'
import type { Config } from '../config/config.ts'
import { type Role, storedAccount } from './accounts.ts'
import type { Session } from './database.ts'
import { keysOfUser } from './keys.ts'

/** An account of a user. */
export interface OwnAccount extends Account {
  /** null: the user is not a member, but has a key. */
  readonly role: Role | null
}

/** Accounts in which the user is a member or has a key. Of equal ids, the configuration's account and role are used. */
export async function ownAccounts(
  session: Session,
  { accounts }: Pick<Config, 'accounts'>,
  user: string,
): Promise<readonly OwnAccount[]> {
  const { db } = session
  const memberships = await db
    .selectFrom('members')
    .select(['account_id', 'role'])
    .where('user_id', '=', user)
    .where('removed_at', 'is', null)
    .execute()
  // Written by saveMember().
  const roles = new Map<string, Role | null>()
  for (const { account_id } of await keysOfUser(session, user)) roles.set(account_id, null)
  for (const { account_id, role } of memberships) roles.set(account_id, role as Role)
  const configured = accounts.flatMap(account => {
    const role = account.members.find(one => one.user === user)?.role ?? roles.get(account.id)
    if (role !== undefined) return { ...toAccount(account), role }
    return account.keys.some(key => key.user === user) ? { ...toAccount(account), role: null } : []
  })
  const ids = new Set(accounts.map(({ id }) => id))
  const others = [...roles.keys()].filter(id => !ids.has(id))
  if (others.length === 0) return configured
  const rows = await db.selectFrom('accounts').selectAll().where('id', 'in', others).orderBy('id').execute()
  return [...configured, ...rows.map(row => ({ ...storedAccount(row), role: roles.get(row.id)! }))]
}

/** Whether this role may read the usage and the requests of the whole account. */
export function isManager(role: Role | null): boolean {
  return role === 'owner' || role === 'admin'
}
