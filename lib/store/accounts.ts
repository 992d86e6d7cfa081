/** Accounts and members in the store. The configuration may have others. */
import { type Selectable, sql } from 'kysely'
import type { Account } from '../accounts/access.ts'
import type { AccountConfig } from '../config/config.ts'
import { deleteAlerts } from './customer-alerts.ts'
import { type Database, flagOf, type Session, transact } from './database.ts'
import { inTurn, noteKeyChange } from './key-changes.ts'

export interface AccountFields
  extends Pick<AccountConfig, 'id' | 'name' | 'kind' | 'plan' | 'zdr_required' | 'models' | 'credits_cents'> {
  /** Its keys are refused. Default: false. */
  readonly disabled?: boolean
}

/** The role of a member. Owners and admins may read the usage of the whole team. */
export type Role = AccountConfig['members'][number]['role']

/** A member of an account in the store. */
export interface StoredMember {
  readonly user: string
  readonly role: Role
  /** True: a former member, whose usage is kept. */
  readonly removed: boolean
  /** The group of the issuer that makes the user a member. */
  readonly group?: string
}

/** Creates or updates the account. `now`: microseconds since the epoch, here and below. */
export async function saveAccount(session: Session, account: AccountFields, now: number): Promise<void> {
  const { id, models, plan = null, credits_cents = null, disabled = false, ...rest } = account
  const flags = { disabled: flagOf(session.dialect, disabled) }
  const fields = { ...rest, ...flags, plan, credits_cents, models: models.join(',') }
  await transact(session, async transaction => {
    await transaction.db
      .insertInto('accounts')
      .values({ id, ...fields, created_at: now })
      .onConflict(conflict => conflict.column('id').doUpdateSet(fields))
      .execute()
    await noteKeyChange(transaction)
  })
}

/** All accounts in the store, oldest first. */
export async function loadAccounts({ db }: Session): Promise<Account[]> {
  const rows = await db.selectFrom('accounts').selectAll().orderBy('created_at').orderBy('id').execute()
  return rows.map(storedAccount)
}

/** Ids per statement. */
const BATCH = 500

export async function findAccounts({ db }: Session, ids: readonly string[]): Promise<Account[]> {
  const found: Account[] = []
  for (let at = 0; at < ids.length; at += BATCH) {
    const batch = ids.slice(at, at + BATCH)
    const rows = await db.selectFrom('accounts').selectAll().where('id', 'in', batch).execute()
    found.push(...rows.map(storedAccount))
  }
  return found
}

export async function findAccount({ db }: Session, id: string): Promise<Account | undefined> {
  const row = await db.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirst()
  return row && storedAccount(row)
}

/** Ids of the accounts in the store with this name. There may be several if processes created them at the same time. */
export async function idsWithName({ db }: Session, name: string): Promise<string[]> {
  return (await db.selectFrom('accounts').select('id').where('name', '=', name).execute()).map(({ id }) => id)
}

/** At most `limit` accounts after the id `after`, oldest first. An unknown id is ignored. `name`: part, lower case. */
export async function accountPage(
  { db }: Session,
  { after, name }: { readonly after: string | undefined; readonly name: string },
  limit: number,
): Promise<Account[]> {
  let query = db.selectFrom('accounts').selectAll()
  if (name !== '')
    query = query.where(sql<boolean>`lower(name) like ${`%${name.replace(/[\\%_]/g, '\\$&')}%`} escape '\\'`)
  const last =
    after === undefined
      ? undefined
      : await db.selectFrom('accounts').select(['created_at', 'id']).where('id', '=', after).executeTakeFirst()
  if (last !== undefined) {
    query = query.where(({ eb, refTuple, tuple }) =>
      eb(refTuple('created_at', 'id'), '>', tuple(last.created_at, last.id)),
    )
  }
  const rows = await query.orderBy('created_at').orderBy('id').limit(limit).execute()
  return rows.map(storedAccount)
}

export function storedAccount(row: Selectable<Database['accounts']>): Account {
  const models = row.models.split(',')
  return {
    id: row.id,
    name: row.name,
    // Written by saveAccount().
    kind: row.kind as Account['kind'],
    plan: row.plan ?? undefined,
    zdrRequired: Boolean(row.zdr_required),
    models: models.includes('*') ? null : new Set(models),
    creditsCents: row.credits_cents ?? undefined,
    disabled: Boolean(row.disabled),
    ...(row.erased_at === null ? null : { erasedAt: row.erased_at }),
  }
}

/** Adds a member, changes the role of a member, or restores a former member. */
export async function saveMember(
  session: Session,
  accountId: string,
  user: string,
  role: Role,
  now: number,
): Promise<void> {
  await session.db
    .insertInto('members')
    .values({ account_id: accountId, user_id: user, role, created_at: now, removed_at: null })
    .onConflict(conflict => conflict.columns(['account_id', 'user_id']).doUpdateSet({ role, removed_at: null }))
    .execute()
}

/** Removes a member with the member's keys, their alerts, and the user's sessions. False: there is no such member. */
export async function removeMember(session: Session, accountId: string, user: string, now: number): Promise<boolean> {
  return inTurn(session, async transaction => {
    const isRemoved = await removedMember(transaction, accountId, user, now)
    const revoked = await transaction.db
      .updateTable('keys')
      .set({ revoked_at: now })
      .where('account_id', '=', accountId)
      .where('user_id', '=', user)
      .where('revoked_at', 'is', null)
      .returning('id')
      .execute()
    for (const { id } of revoked) await deleteAlerts(transaction, 'key_id', id)
    await transaction.db.deleteFrom('console_sessions').where('user_id', '=', user).execute()
    await noteKeyChange(transaction)
    return isRemoved
  })
}

/** Makes the user a former member. False: there is no such member. */
export async function removedMember({ db }: Session, accountId: string, user: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('members')
    .set({ removed_at: now, by_group: null })
    .where('account_id', '=', accountId)
    .where('user_id', '=', user)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Current members of these accounts in the store, by the account's id. */
export async function listMembersOf(
  { db }: Session,
  accountIds: readonly string[],
): Promise<ReadonlyMap<string, readonly StoredMember[]>> {
  if (accountIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('members')
    .select(['account_id', 'user_id', 'role', 'by_group'])
    .where('account_id', 'in', accountIds)
    .where('removed_at', 'is', null)
    .orderBy('user_id')
    .execute()
  const members = rows.map(row => {
    return { account: row.account_id, ...storedMember({ ...row, removed_at: null }) }
  })
  return Map.groupBy(members, ({ account }) => account)
}

/** All members of the account in the store, including former ones. */
export async function listMembers({ db }: Session, accountId: string): Promise<StoredMember[]> {
  const rows = await db
    .selectFrom('members')
    .select(['user_id', 'role', 'removed_at', 'by_group'])
    .where('account_id', '=', accountId)
    .orderBy('user_id')
    .execute()
  return rows.map(storedMember)
}

function storedMember({
  user_id: user,
  role,
  removed_at,
  by_group: group,
}: Pick<Selectable<Database['members']>, 'user_id' | 'role' | 'removed_at' | 'by_group'>): StoredMember {
  return { user, role: role as Role, removed: removed_at !== null, ...(group !== null && { group }) }
}
