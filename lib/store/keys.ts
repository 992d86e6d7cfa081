/** API keys in the store, in addition to those of the configuration. Only the SHA-256 of a secret is stored. */
import { randomBytes, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Account, Key } from '../accounts/keys.ts'
import { sha256 } from '../base/sha256.ts'
import type { KeyConfig } from '../config/config.ts'
import { type Session, transact } from './database.ts'

export interface NewKey {
  readonly account_id: string
  /** undefined: a legacy key that belongs to no user. */
  readonly user: string | undefined
  readonly kind: KeyConfig['kind']
  /** Hosts of the dedicated endpoints that the key may use. */
  readonly endpoints: readonly string[]
}

/** The public data of a key. */
export interface StoredKey extends NewKey {
  readonly id: string
  /** Microseconds since the epoch. */
  readonly created_at: number
  /** null: it is valid. */
  readonly revoked_at: number | null
}

/**
 * Creates a key. The secret is `<brand>_` and 43 characters of base64url, 256 random bits. It is not stored.
 * `now`: microseconds since the epoch.
 */
export async function createKey(
  session: Session,
  brand: string,
  key: NewKey,
  now: number,
): Promise<{ readonly id: string; readonly secret: string }> {
  const id = `key_${randomUUID().slice(-12)}`
  const secret = `${brand}_${randomBytes(32).toString('base64url')}`
  await transact(session, async transaction => {
    await transaction.db
      .insertInto('keys')
      .values({
        id,
        account_id: key.account_id,
        user_id: key.user ?? null,
        kind: key.kind,
        sha256: sha256(secret),
        endpoints: key.endpoints.join(','),
        created_at: now,
        revoked_at: null,
      })
      .execute()
    await noteKeyChange(transaction)
  })
  return { id, secret }
}

/** The keys of an account, including revoked ones, oldest first. */
export async function listKeys({ db }: Session, accountId: string): Promise<StoredKey[]> {
  const rows = await db
    .selectFrom('keys')
    .select(['id', 'account_id', 'user_id', 'kind', 'endpoints', 'created_at', 'revoked_at'])
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map(row => ({
    id: row.id,
    account_id: row.account_id,
    user: row.user_id ?? undefined,
    kind: row.kind as KeyConfig['kind'],
    endpoints: hostsOf(row.endpoints),
    created_at: row.created_at,
    revoked_at: row.revoked_at,
  }))
}

/** Revokes a key. False: there is no such key, or it is revoked already. */
export async function revokeKey(session: Session, id: string, now: number): Promise<boolean> {
  return transact(session, async transaction => {
    const { numUpdatedRows } = await transaction.db
      .updateTable('keys')
      .set({ revoked_at: now })
      .where('id', '=', id)
      .where('revoked_at', 'is', null)
      .executeTakeFirst()
    await noteKeyChange(transaction)
    return numUpdatedRows > 0n
  })
}

/** A valid key. Its account is in the configuration or in the store. */
export interface ValidKey extends Omit<Key, 'account'> {
  readonly sha256: string
  readonly account_id: string
}

/** Every key that is not revoked. */
export async function loadKeys({ db }: Session): Promise<ValidKey[]> {
  const rows = await db.selectFrom('keys').selectAll().where('revoked_at', 'is', null).execute()
  return rows.map(row => ({
    id: row.id,
    sha256: row.sha256,
    account_id: row.account_id,
    // Written by createKey().
    kind: row.kind as Key['kind'],
    user: row.user_id ?? undefined,
    endpoints: hostsOf(row.endpoints),
  }))
}

/** The keys in the ring's form, without those of unknown accounts. Of two accounts with one id, the later one counts. */
export function* withAccounts(
  keys: Iterable<ValidKey>,
  accounts: Iterable<Account>,
): Generator<readonly [string, Key]> {
  const byId = new Map<string, Account>()
  for (const account of accounts) byId.set(account.id, account)
  for (const { sha256: digest, account_id, ...key } of keys) {
    const account = byId.get(account_id)
    if (account !== undefined) yield [digest, { ...key, account }]
  }
}

function hostsOf(joined: string): string[] {
  return joined === '' ? [] : joined.split(',')
}

/** Must be called in the transaction of every change of accounts or keys. */
export async function noteKeyChange({ db }: Session): Promise<void> {
  await db.updateTable('key_changes').set({ counter: sql`counter + 1` }).where('id', '=', 1).execute()
}

/** The counter of changes: one cheap query shows whether keys must be loaded again. */
export async function keyChanges({ db }: Session): Promise<number> {
  const row = await db.selectFrom('key_changes').select('counter').where('id', '=', 1).executeTakeFirstOrThrow()
  return row.counter
}
