/** Members of accounts by groups of an issuer (docs/OIDC.md#members-by-groups). Every change is audited. */
import { type Role, removedMember } from './accounts.ts'
import { type Actor, appendAudit } from './audit.ts'
import type { Session } from './database.ts'
import { inTurn } from './key-changes.ts'
import { changeKey, listKeys } from './keys.ts'

export interface GroupMember {
  readonly account: string
  readonly role: Role
  /** The group that makes the user a member. */
  readonly group: string
}

interface GroupChange {
  readonly user: string
  /** One per account. */
  readonly wanted: readonly GroupMember[]
  /** Accounts whose member the user is by the configuration, which groups do not change. */
  readonly inFile: ReadonlySet<string>
  readonly actor: Actor
  /** Microseconds since the epoch. */
  readonly now: number
}

/**
 * Makes the user a member of these accounts, and ends other memberships that groups have made: the keys in those
 * accounts are disabled. After the last one, the user's sessions end. Members whom operators have added do not change.
 */
export function applyGroups(session: Session, { user, wanted, inFile, actor, now }: GroupChange): Promise<void> {
  return inTurn(session, async transaction => {
    const current = await currentOf(transaction, user)
    for (const { account, role, group } of wanted) {
      if (inFile.has(account)) continue
      const was = current.find(one => one.account === account)
      if (was !== undefined && (was.group === null || (was.role === role && was.group === group))) continue
      await saveGroupMember(transaction, user, { account, role, group }, now)
      const change = { target: account, account, after: { user, role, group } }
      if (was === undefined) await appendAudit(transaction, actor, { action: 'member.add', ...change }, now)
      else {
        const before = { user, role: was.role, group: was.group }
        await appendAudit(transaction, actor, { action: 'member.change', ...change, before }, now)
      }
    }
    const accounts = new Set(wanted.map(({ account }) => account))
    const left = current.filter(
      ({ account, group }) => group !== null && !accounts.has(account) && !inFile.has(account),
    )
    for (const { account, role, group } of left) {
      await removedMember(transaction, account, user, now)
      await disableKeys(transaction, account, user, actor, now)
      const change = { action: 'member.remove', target: account, account, before: { user, role, group } }
      await appendAudit(transaction, actor, change, now)
    }
    if (left.length > 0 && wanted.length === 0)
      await transaction.db.deleteFrom('console_sessions').where('user_id', '=', user).execute()
  })
}

async function currentOf({ db }: Session, user: string) {
  const rows = await db
    .selectFrom('members')
    .select(['account_id', 'role', 'by_group'])
    .where('user_id', '=', user)
    .where('removed_at', 'is', null)
    .orderBy('account_id')
    .execute()
  return rows.map(({ account_id, role, by_group }) => ({ account: account_id, role, group: by_group }))
}

async function saveGroupMember({ db }: Session, user: string, wanted: GroupMember, now: number): Promise<void> {
  const { account, role, group } = wanted
  await db
    .insertInto('members')
    .values({ account_id: account, user_id: user, role, created_at: now, removed_at: null, by_group: group })
    .onConflict(conflict =>
      conflict.columns(['account_id', 'user_id']).doUpdateSet({ role, removed_at: null, by_group: group }),
    )
    .execute()
}

/** Disabled and not revoked, because a person may return to a group. */
async function disableKeys(session: Session, account: string, user: string, actor: Actor, now: number): Promise<void> {
  for (const { id, user: owner, disabled, revoked_at } of await listKeys(session, account)) {
    if (owner !== user || disabled || revoked_at !== null) continue
    await changeKey(session, id, { disabled: true, disabled_by: 'group' })
    const change = {
      action: 'key.change',
      target: id,
      account,
      before: { user, disabled },
      after: { user, disabled: true },
    }
    await appendAudit(session, actor, change, now)
  }
}
