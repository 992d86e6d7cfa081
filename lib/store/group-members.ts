/** Memberships that appear and leave with groups of the issuer. Those of operators and of the file are not touched. */

import type { Role } from './accounts.ts'
import { idsWithName, saveMember } from './accounts.ts'
import { type Actor, appendAudit, type Change } from './audit.ts'
import { flagOf, type Session, transact } from './database.ts'
import { keysOfUser, noteKeyChange } from './keys.ts'

/** The account has an id or a name. */
export interface GroupMembership {
  readonly account: string
  readonly role: Role
}

/** Value of the column `source`. */
const GROUPS = 'groups'

interface Judgement {
  readonly user: string
  readonly memberships: readonly GroupMembership[]
  /** Accounts of the configuration. */
  readonly configured: readonly { readonly id: string; readonly name: string }[]
  readonly actor: Actor
  /** Microseconds since the epoch. */
  readonly now: number
}

/**
 * Makes the user a member of these accounts, and ends the memberships by groups that are not among them: their keys are
 * disabled, and the sessions of the user end. Returns the accounts that do not exist.
 */
export function judgeMember(session: Session, judgement: Judgement): Promise<readonly string[]> {
  return transact(session, async transaction => {
    const { user, actor, now } = judgement
    // Locks the row of the counter, so that two sign-ins of a user take turns.
    await noteKeyChange(transaction)
    const { wanted, unknown } = await resolved(transaction, judgement)
    const present = await presentMemberships(transaction, user)
    const note = (change: Change) => appendAudit(transaction, actor, change, now)
    for (const [id, role] of wanted) {
      const known = present.get(id)
      if (known !== undefined && (known.source !== GROUPS || known.role === role)) continue
      await saveMember(transaction, id, user, role, now)
      await markGroups(transaction, id, user)
      const before = known === undefined ? undefined : { user, role: known.role }
      const action = known === undefined ? 'member.add' : 'member.change'
      await note({ action, target: id, account: id, before, after: { user, role } })
    }
    for (const [id, { source, role }] of present) {
      if (source !== GROUPS || wanted.has(id)) continue
      await leave(transaction, id, user, now)
      await note({ action: 'member.remove', target: id, account: id, before: { user, role } })
      for (const key of await disableKeys(transaction, id, user))
        await note({ action: 'key.change', target: key, account: id, before: { disabled: false }, after: DISABLED })
    }
    return unknown
  })
}

const DISABLED = { disabled: true } as const

interface Resolved {
  readonly wanted: ReadonlyMap<string, Role>
  readonly unknown: readonly string[]
}

/** Finds accounts by id or name. Erased ones count as unknown. */
async function resolved(session: Session, { memberships, configured }: Judgement): Promise<Resolved> {
  const wanted = new Map<string, Role>()
  const unknown: string[] = []
  for (const { account, role } of memberships) {
    const id =
      configured.find(one => one.id === account.toLowerCase() || one.name === account)?.id ??
      (await storedId(session, account))
    if (id === undefined) unknown.push(account)
    else if (!wanted.has(id)) wanted.set(id, role)
  }
  return { wanted, unknown }
}

async function storedId(session: Session, account: string): Promise<string | undefined> {
  const ids = [account.toLowerCase(), ...(await idsWithName(session, account))]
  const rows = await session.db
    .selectFrom('accounts')
    .select('id')
    .where('id', 'in', ids)
    .where('erased_at', 'is', null)
    .execute()
  // Several accounts may have the same name: then none is meant.
  return rows.length === 1 ? rows[0]!.id : undefined
}

async function presentMemberships({ db }: Session, user: string) {
  const rows = await db
    .selectFrom('members')
    .select(['account_id', 'role', 'source'])
    .where('user_id', '=', user)
    .where('removed_at', 'is', null)
    .orderBy('account_id')
    .execute()
  return new Map(rows.map(({ account_id, ...row }) => [account_id, row]))
}

async function markGroups({ db }: Session, id: string, user: string): Promise<void> {
  await db
    .updateTable('members')
    .set({ source: GROUPS })
    .where('account_id', '=', id)
    .where('user_id', '=', user)
    .execute()
}

async function leave({ db }: Session, id: string, user: string, now: number): Promise<void> {
  await db
    .updateTable('members')
    .set({ removed_at: now })
    .where('account_id', '=', id)
    .where('user_id', '=', user)
    .execute()
  await db.deleteFrom('console_sessions').where('kind', 'in', ['link', 'session']).where('user_id', '=', user).execute()
}

/** Disables the keys that the user has in the account, and returns the ids of those that were enabled. */
async function disableKeys(session: Session, id: string, user: string): Promise<readonly string[]> {
  const keys = (await keysOfUser(session, user)).filter(key => key.account_id === id && !key.disabled)
  for (const key of keys) {
    const disabled = flagOf(session.dialect, true)
    await session.db.updateTable('keys').set({ disabled }).where('id', '=', key.id).execute()
  }
  return keys.map(key => key.id)
}
