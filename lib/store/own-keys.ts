/** Keys that users manage in the console. Every function checks that the key belongs to the user. */
import type { Clock } from '../base/clock.ts'
import type { JsonObject } from '../base/json.ts'
import { sha256 } from '../base/sha256.ts'
import { toIsoOrNull } from '../base/time.ts'
import type { Config } from '../config/config.ts'
import { appendAudit, type Change, consoleActor } from './audit.ts'
import type { Session } from './database.ts'
import { inTurn } from './key-changes.ts'
import { changeKey, createKey, findKey, keysOfUser, revokeKey, rotateKey, type StoredKey } from './keys.ts'
import { type OwnAccount, ownAccounts } from './own-accounts.ts'
import type { RunQuery } from './query-runner.ts'

/** Maximum number of valid keys of a user in one account, so that a repeated form does not fill the store. */
export const MAX_OWN_KEYS = 50

/** A new secret. It is not stored. */
export interface IssuedKey {
  readonly id: string
  readonly secret: string
  readonly account: OwnAccount
}

/** The members of a key that a user chooses. */
export interface OwnKeyFields {
  readonly label: string | null
  /** Microseconds since the epoch; null: never. */
  readonly expires_at: number | null
  /** Model ids; null: all models of the account. */
  readonly models: readonly string[] | null
}

export interface NewOwnKey extends OwnKeyFields {
  readonly account: string
  /** A random text of the form, so that the same form creates only one key. */
  readonly nonce: string
}

/**
 * `unknown`: the user is not in such a serverless account. `repeated`: the form has created its key already.
 * `models`: the account does not have one of them. `too_many`: the user has MAX_OWN_KEYS.
 */
type NotCreated = 'unknown' | 'too_many' | 'repeated' | 'models'

/** All methods reject with 503 internal_error if the store does not answer. */
export interface OwnKeys {
  accounts(user: string): Promise<readonly OwnAccount[]>
  /** The user's valid, disabled and expired keys in the store, oldest first; not those of the configuration. */
  list(user: string): Promise<readonly StoredKey[]>
  create(user: string, key: NewOwnKey): Promise<IssuedKey | NotCreated>
  /**
   * False: the user has no such key in the store, its account does not have one of the models, or an operator has
   * disabled it and `disabled` is in the change.
   */
  change(user: string, id: string, change: Partial<OwnKeyFields> & { readonly disabled?: boolean }): Promise<boolean>
  /**
   * Creates a new secret; the current one stays valid for `grace` seconds. `previous`: `previous_until` on the page.
   * undefined: the user has no such key, or it was rotated after the page was loaded.
   */
  rotate(
    user: string,
    id: string,
    grace: number,
    previous: number | undefined,
  ): Promise<Omit<IssuedKey, 'account'> | undefined>
  /** False: the user has no such key in the store. */
  revoke(user: string, id: string): Promise<boolean>
}

interface OwnKeysOptions {
  readonly run: RunQuery
  readonly config: Pick<Config, 'brand' | 'accounts' | 'models'>
  readonly clock: Clock
  /** Called after each change, to apply it at once in this process. */
  readonly changed: () => Promise<void>
}

export function storeOwnKeys({ run, config, clock, changed }: OwnKeysOptions): OwnKeys {
  const now = () => clock.now() * 1000
  /** Makes a change, one at a time among all processes, and applies it. */
  const change = async <T>(work: (session: Session) => Promise<T>): Promise<T> => {
    const result = await run(session => inTurn(session, work))
    await changed()
    return result
  }
  /** Changes a key of the user and adds an entry to the audit log. null: nothing changes. */
  const changeOwn = <T>(
    user: string,
    id: string,
    work: (session: Session, key: StoredKey, account: OwnAccount | undefined) => Promise<[action: string, T] | null>,
  ): Promise<T | undefined> =>
    change(async session => {
      const key = (await keysOfUser(session, user)).find(one => one.id === id)
      if (key === undefined) return undefined
      const account = (await ownAccounts(session, config, user)).find(one => one.id === key.account_id)
      const done = await work(session, key, account)
      if (done === null) return undefined
      const [action, result] = done
      const after = action === 'key.revoke' ? undefined : auditedKey((await findKey(session, id))!)
      await note(session, user, { action, target: id, account: key.account_id, before: auditedKey(key), after })
      return result
    })
  const note = (session: Session, user: string, change: Change) =>
    appendAudit(session, consoleActor(user), change, now())

  return {
    accounts: user => run(session => ownAccounts(session, config, user)),
    list: user => run(session => keysOfUser(session, user)),

    create: (user, { account: accountId, nonce, ...fields }) =>
      change(async session => {
        const account = (await ownAccounts(session, config, user)).find(({ id }) => id === accountId)
        if (account === undefined || !mayCreateKeys(account)) return 'unknown'
        if (!areOf(account, config, fields.models)) return 'models'
        const id = `key_${sha256(`${user}\n${accountId}\n${nonce}`).slice(0, 12)}`
        if ((await findKey(session, id)) !== undefined) return 'repeated'
        const valid = (await keysOfUser(session, user)).filter(
          key => key.account_id === accountId && (key.expires_at ?? Number.POSITIVE_INFINITY) > now(),
        )
        if (valid.length >= MAX_OWN_KEYS) return 'too_many'
        const key = {
          account_id: accountId,
          user,
          kind: 'serverless',
          endpoints: [],
          label: fields.label ?? undefined,
          expires_at: fields.expires_at ?? undefined,
          models: fields.models ?? undefined,
        } as const
        const issued = await createKey(session, config.brand, key, now(), id)
        const after = auditedKey((await findKey(session, id))!)
        await note(session, user, { action: 'key.create', target: id, account: accountId, after })
        return { ...issued, account }
      }),

    change: async (user, id, fields) =>
      (await changeOwn(user, id, async (session, key, account) => {
        const { models = null, disabled } = fields
        if (disabled !== undefined && key.disabled_by === 'operator') return null
        if (models !== null && (account === undefined || !areOf(account, config, models))) return null
        await changeKey(session, id, disabled === true ? { ...fields, disabled_by: 'user' } : fields)
        return ['key.change', true]
      })) ?? false,

    rotate: (user, id, grace, previous) =>
      changeOwn(user, id, async (session, key) => {
        if (key.previous_until !== previous) return null
        const secret = await rotateKey(session, config.brand, id, now() + grace * 1_000_000)
        return ['key.rotate', { id, secret }]
      }),

    revoke: async (user, id) =>
      (await changeOwn(user, id, async session =>
        (await revokeKey(session, id, now())) ? ['key.revoke', true] : null,
      )) ?? false,
  }
}

/** Whether the user may create serverless keys of the account. Members of every role may. */
export function mayCreateKeys({ role, kind, disabled }: OwnAccount): boolean {
  return role !== null && kind === 'serverless' && !disabled
}

/** Whether the models exist and the account may use them. */
function areOf(account: OwnAccount, config: Pick<Config, 'models'>, models: readonly string[] | null): boolean {
  return (
    models === null ||
    models.every(id => config.models.some(model => model.id === id) && (account.models?.has(id) ?? true))
  )
}

/** The key in the audit log, with times as in the operators' API. */
function auditedKey({ user, kind, label, expires_at, models, disabled, previous_until }: StoredKey): JsonObject {
  return {
    user: user ?? null,
    kind,
    label: label ?? null,
    expires_at: toIsoOrNull(expires_at),
    models: models === undefined ? null : [...models],
    disabled,
    previous_valid_until: toIsoOrNull(previous_until),
  }
}
