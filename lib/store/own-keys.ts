/** What people do with their own keys in the console: see, create and revoke them. No function takes the word of a form for whose they are. */
import type { Clock } from '../base/clock.ts'
import type { Config } from '../config/config.ts'
import { type Actor, appendAudit } from './audit.ts'
import { type Session, transact } from './database.ts'
import { createKey, revokeKey, type StoredKey } from './keys.ts'
import type { RunQuery } from './query-runner.ts'

/** Valid keys that a user may have in one account, so that a form sent in a loop does not fill the store. */
export const MOST_OWN_KEYS = 50

/** An account in which the user may create serverless keys. */
export interface OwnAccount {
  readonly id: string
  readonly name: string
  /** Model ids it may use; null for all. */
  readonly models: ReadonlySet<string> | null
}

/** A key that has just been created. The secret is not kept. */
export interface IssuedKey {
  readonly id: string
  readonly secret: string
  readonly account: OwnAccount
}

/** A valid key of the user in the store. `created_at`: microseconds since the epoch. */
export type OwnKey = Pick<StoredKey, 'id' | 'account_id' | 'kind' | 'created_at'>

/** All reject with 503 internal_error where the store does not answer. */
export interface OwnKeys {
  /** The serverless accounts, of the configuration and of the store, that the user is a current member of. */
  accounts(user: string): Promise<readonly OwnAccount[]>
  /** The user's valid keys in the store, oldest first; those of the configuration are in the key ring alone. */
  list(user: string): Promise<readonly OwnKey[]>
  /** Creates a serverless key. `unknown`: no such account of the user. `too_many`: MOST_OWN_KEYS exist. */
  create(user: string, accountId: string): Promise<IssuedKey | 'unknown' | 'too_many'>
  /** False: the user has no such valid key in the store. */
  revoke(user: string, id: string): Promise<boolean>
}

export function storeOwnKeys(run: RunQuery, config: Pick<Config, 'brand' | 'accounts'>, clock: Clock): OwnKeys {
  const now = () => clock.now() * 1000
  return {
    accounts: user => run(session => ownAccounts(session, config, user)),
    list: user => run(session => ownKeys(session, user)),
    create: (user, accountId) =>
      run(async session => {
        const account = (await ownAccounts(session, config, user)).find(({ id }) => id === accountId)
        if (account === undefined) return 'unknown'
        const held = (await ownKeys(session, user)).filter(key => key.account_id === accountId)
        if (held.length >= MOST_OWN_KEYS) return 'too_many'
        const key = { account_id: accountId, user, kind: 'serverless', endpoints: [] } as const
        return transact(session, async transaction => {
          const issued = await createKey(transaction, config.brand, key, now())
          const after = { user, kind: key.kind }
          const change = { action: 'key.create', target: issued.id, account: accountId, after }
          await appendAudit(transaction, actorOf(user), change, now())
          return { ...issued, account }
        })
      }),
    revoke: (user, id) =>
      run(async session => {
        const key = (await ownKeys(session, user)).find(one => one.id === id)
        if (key === undefined) return false
        return transact(session, async transaction => {
          if (!(await revokeKey(transaction, id, now()))) return false
          const before = { user, kind: key.kind }
          const change = { action: 'key.revoke', target: id, account: key.account_id, before }
          await appendAudit(transaction, actorOf(user), change, now())
          return true
        })
      }),
  }
}

/** The name in the audit log. No address: which one is the client's is known to the server alone. */
function actorOf(user: string): Actor {
  return { name: `console ${user}`, address: null }
}

/** Of two accounts with one id, that of the configuration counts; members of both are members. */
async function ownAccounts(
  { db }: Session,
  { accounts }: Pick<Config, 'accounts'>,
  user: string,
): Promise<OwnAccount[]> {
  const rows = await db
    .selectFrom('members')
    .leftJoin('accounts', 'accounts.id', 'members.account_id')
    .select(['members.account_id', 'accounts.name', 'accounts.kind', 'accounts.models'])
    .where('members.user_id', '=', user)
    .where('members.removed_at', 'is', null)
    .orderBy('members.account_id')
    .execute()
  const joined = new Set(rows.map(({ account_id }) => account_id))
  const configured = accounts.filter(({ id, members }) => joined.has(id) || members.some(one => one.user === user))
  const ids = new Set(accounts.map(({ id }) => id))
  return [
    ...configured
      .filter(({ kind }) => kind === 'serverless')
      .map(({ id, name, models }) => ({ id, name, models: modelSet(models) })),
    ...rows.flatMap(({ account_id: id, name, kind, models }) =>
      kind !== 'serverless' || name === null || models === null || ids.has(id)
        ? []
        : { id, name, models: modelSet(models.split(',')) },
    ),
  ]
}

function modelSet(models: readonly string[]): ReadonlySet<string> | null {
  return models.includes('*') ? null : new Set(models)
}

async function ownKeys({ db }: Session, user: string): Promise<OwnKey[]> {
  const rows = await db
    .selectFrom('keys')
    .select(['id', 'account_id', 'kind', 'created_at'])
    .where('user_id', '=', user)
    .where('revoked_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  // Kinds are written by createKey().
  return rows.map(row => ({ ...row, kind: row.kind as OwnKey['kind'] }))
}
