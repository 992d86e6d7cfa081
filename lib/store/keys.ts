/** API keys in the store. The configuration may have others. Only the SHA-256 of a secret is stored. */
import { randomBytes, randomUUID } from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import type { Key } from '../accounts/access.ts'
import { isObject, parseJson } from '../base/json.ts'
import { sha256 } from '../base/sha256.ts'
import type { KeyConfig, RequestLimitsConfig } from '../config/config.ts'
import { deleteAlerts } from './customer-alerts.ts'
import { type Database, flagOf, type Session, transact } from './database.ts'
import { noteKeyChange } from './key-changes.ts'

export interface NewKey {
  readonly account_id: string
  /** undefined: a legacy key that belongs to no user. */
  readonly user: string | undefined
  readonly kind: KeyConfig['kind']
  /** Hosts of the dedicated endpoints that the key may use. */
  readonly endpoints: readonly string[]
  readonly label?: string | undefined
  /** Microseconds since the epoch. undefined: never. */
  readonly expires_at?: number | undefined
  /** Model ids that the account must allow as well. undefined: all models of the account. */
  readonly models?: readonly string[] | undefined
  readonly limits?: RequestLimitsConfig | undefined
  /** True: the key is refused until it is enabled. */
  readonly disabled?: boolean | undefined
}

/** A change of a key. undefined: the member stays unchanged. null: the member is removed. */
interface KeyChange {
  readonly label?: string | null | undefined
  readonly expires_at?: number | null | undefined
  readonly models?: readonly string[] | null | undefined
  readonly limits?: RequestLimitsConfig | null | undefined
  readonly disabled?: boolean | undefined
  /** Only with `disabled: true`. Default: an operator. */
  readonly disabled_by?: 'user' | 'group'
}

/** The public data of a key. */
export interface StoredKey extends NewKey {
  readonly id: string
  /** Microseconds since the epoch. */
  readonly created_at: number
  /** null: it is not revoked. */
  readonly revoked_at: number | null
  readonly disabled: boolean
  /** undefined: it is not disabled. `group`: a group of the issuer, which the user has left. */
  readonly disabled_by: 'operator' | 'user' | 'group' | undefined
  /** Microseconds since the epoch, to about a minute. undefined: never. */
  readonly last_used_at: number | undefined
  /** End of the validity of the secret before the last rotation. undefined: there is none. */
  readonly previous_until: number | undefined
}

/** The secret is `<brand>_` and 256 random bits in base64url. It is not stored. `now`: microseconds since the epoch. */
export async function createKey(
  session: Session,
  brand: string,
  key: NewKey,
  now: number,
  id = `key_${randomUUID().slice(-12)}`,
): Promise<{ readonly id: string; readonly secret: string }> {
  const secret = newSecret(brand)
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
        label: key.label ?? null,
        expires_at: key.expires_at ?? null,
        models: key.models?.join(',') ?? null,
        limits: key.limits === undefined ? null : JSON.stringify(key.limits),
        disabled: flagOf(session.dialect, key.disabled ?? false),
      })
      .execute()
    await noteKeyChange(transaction)
  })
  return { id, secret }
}

/** The keys of an account, including revoked ones, oldest first. */
export async function listKeys({ db }: Session, accountId: string): Promise<StoredKey[]> {
  const ofAccount = db.selectFrom('keys').selectAll().where('account_id', '=', accountId)
  return (await ofAccount.orderBy('created_at').orderBy('id').execute()).map(toStoredKey)
}

/**
 * The keys of a user in all accounts that are not revoked, oldest first. Not those that were disabled when a group of
 * the issuer made the user a former member: the user could enable them.
 */
export async function keysOfUser({ db, dialect }: Session, user: string): Promise<StoredKey[]> {
  const rows = await db
    .selectFrom('keys')
    .selectAll()
    .where('user_id', '=', user)
    .where('revoked_at', 'is', null)
    .where(({ and, eb, exists, not, selectFrom }) =>
      not(
        and([
          eb('disabled', '=', flagOf(dialect, true)),
          exists(
            selectFrom('members')
              .select('members.user_id')
              .whereRef('members.account_id', '=', 'keys.account_id')
              .where('members.user_id', '=', user)
              .where('removed_at', 'is not', null),
          ),
        ]),
      ),
    )
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map(toStoredKey)
}

/** Ids per statement: databases limit the parameters of one. */
const MAX_IDS = 500

/** The keys with these ids, even if they are revoked. */
export async function findKeys({ db }: Session, ids: readonly string[]): Promise<StoredKey[]> {
  const found: StoredKey[] = []
  for (let at = 0; at < ids.length; at += MAX_IDS) {
    const some = ids.slice(at, at + MAX_IDS)
    found.push(...(await db.selectFrom('keys').selectAll().where('id', 'in', some).execute()).map(toStoredKey))
  }
  return found
}

/** The key, even if it is revoked. */
export async function findKey(session: Session, id: string): Promise<StoredKey | undefined> {
  return (await findKeys(session, [id]))[0]
}

/** Keys whose ids begin with a text, even if they are revoked. The primary key finds the range. */
export async function keysByPrefix({ db }: Session, prefix: string, limit: number): Promise<StoredKey[]> {
  const begins = sql<boolean>`id between ${prefix} and ${`${prefix}zzz`} and substr(id, 1, length(${prefix})) = ${prefix}`
  return (await db.selectFrom('keys').selectAll().where(begins).limit(limit).execute()).map(toStoredKey)
}

function toStoredKey(row: Selectable<Database['keys']>): StoredKey {
  return {
    id: row.id,
    account_id: row.account_id,
    user: row.user_id ?? undefined,
    kind: row.kind as KeyConfig['kind'],
    endpoints: listOf(row.endpoints),
    created_at: row.created_at,
    revoked_at: row.revoked_at,
    label: row.label ?? undefined,
    expires_at: row.expires_at ?? undefined,
    models: row.models === null ? undefined : listOf(row.models),
    limits: limitsOf(row.limits),
    disabled: Boolean(row.disabled),
    disabled_by: disablerOf(row),
    last_used_at: row.last_used_at ?? undefined,
    previous_until: row.previous_until ?? undefined,
  }
}

function disablerOf({ disabled, disabled_by: by }: Selectable<Database['keys']>): StoredKey['disabled_by'] {
  if (!disabled) return undefined
  return by === 'user' || by === 'group' ? by : 'operator'
}

/** Changes a key that is not revoked. */
export async function changeKey(session: Session, id: string, change: KeyChange): Promise<void> {
  const { models, limits, disabled, disabled_by = null, ...rest } = change
  const columns = {
    ...rest,
    ...(models === undefined ? null : { models: models?.join(',') ?? null }),
    ...(limits === undefined ? null : { limits: limits === null ? null : JSON.stringify(limits) }),
    ...(disabled === undefined ? null : { disabled: flagOf(session.dialect, disabled), disabled_by }),
  }
  const set = Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined))
  if (Object.keys(set).length === 0) return
  await transact(session, async transaction => {
    await transaction.db.updateTable('keys').set(set).where('id', '=', id).where('revoked_at', 'is', null).execute()
    await noteKeyChange(transaction)
  })
}

/** Gives the key a new secret and returns it. The previous one is valid until `until`, in microseconds since 1970. */
export async function rotateKey(session: Session, brand: string, id: string, until: number): Promise<string> {
  const secret = newSecret(brand)
  await transact(session, async transaction => {
    await transaction.db
      .updateTable('keys')
      .set(({ ref }) => ({ previous_sha256: ref('sha256'), previous_until: until, sha256: sha256(secret) }))
      .where('id', '=', id)
      .where('revoked_at', 'is', null)
      .execute()
    await noteKeyChange(transaction)
  })
  return secret
}

/** Stores when keys were used. `times`: microseconds since the epoch, by id. Unknown ids are ignored. */
export async function noteKeyUse(session: Session, times: ReadonlyMap<string, number>): Promise<void> {
  await transact(session, async ({ db }) => {
    // Sorted by id, so that two processes cannot deadlock.
    for (const [id, time] of [...times].sort(([a], [b]) => (a < b ? -1 : 1))) {
      await db
        .updateTable('keys')
        .set({ last_used_at: time })
        .where('id', '=', id)
        .where(({ eb, or }) => or([eb('last_used_at', 'is', null), eb('last_used_at', '<', time)]))
        .execute()
    }
  })
}

/** Revokes a key, and removes its alerts. False: there is no such key, or it is already revoked. */
export async function revokeKey(session: Session, id: string, now: number): Promise<boolean> {
  return transact(session, async transaction => {
    const { numUpdatedRows } = await transaction.db
      .updateTable('keys')
      .set({ revoked_at: now })
      .where('id', '=', id)
      .where('revoked_at', 'is', null)
      .executeTakeFirst()
    if (numUpdatedRows > 0n) await deleteAlerts(transaction, 'key_id', id)
    await noteKeyChange(transaction)
    return numUpdatedRows > 0n
  })
}

/** A valid key. Its account is in the configuration or in the store. */
export interface ValidKey extends Omit<Key, 'account'> {
  readonly sha256: string
  readonly account_id: string
}

/** All keys that are not revoked, including disabled and expired ones; a rotated key has an entry per valid secret. */
export async function loadKeys({ db }: Session): Promise<ValidKey[]> {
  const rows = await db.selectFrom('keys').selectAll().where('revoked_at', 'is', null).execute()
  return rows.flatMap(row => {
    const key: ValidKey = {
      id: row.id,
      sha256: row.sha256,
      account_id: row.account_id,
      kind: row.kind as Key['kind'],
      user: row.user_id ?? undefined,
      endpoints: listOf(row.endpoints),
      models: row.models === null ? null : new Set(listOf(row.models)),
      limits: limitsOf(row.limits),
      expiresAt: row.expires_at ?? Number.POSITIVE_INFINITY,
      disabled: Boolean(row.disabled),
      isStored: true,
    }
    const { previous_sha256: previous, previous_until: until } = row
    if (previous === null || until === null) return [key]
    return [key, { ...key, sha256: previous, expiresAt: Math.min(key.expiresAt, until) }]
  })
}

function listOf(joined: string): string[] {
  return joined === '' ? [] : joined.split(',')
}

function limitsOf(text: string | null): RequestLimitsConfig | undefined {
  const limits = text === null ? undefined : parseJson(text)
  return isObject(limits) ? (limits as RequestLimitsConfig) : undefined
}

function newSecret(brand: string): string {
  return `${brand}_${randomBytes(32).toString('base64url')}`
}
