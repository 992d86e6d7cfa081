import { sha256 } from '../base/sha256.ts'
import type { FormatOptions } from '../canonical/format.ts'
import type { AccountConfig, Config, KeyConfig, RequestLimitsConfig } from '../config/config.ts'

/** A recognised key. Contains no part of its secret. */
export interface Key {
  readonly id: string
  readonly kind: KeyConfig['kind']
  /** undefined: a legacy key that belongs to no user. */
  readonly user: string | undefined
  /** Hosts of the dedicated endpoints that the key may use. */
  readonly endpoints: readonly string[]
  readonly account: Account
  /** Model ids that it may use of those of its account; null: all of them. */
  readonly models: ReadonlySet<string> | null
  /** Limits of its own requests, in addition to those of its account's plan. */
  readonly limits?: RequestLimitsConfig | undefined
  /** Microseconds since the epoch; infinite: never. */
  readonly expiresAt: number
  /** Switched off by an operator. */
  readonly disabled: boolean
  /** The key is in the store, which notes when it was used last. */
  readonly isStored: boolean
  /** Format options of this key alone; undefined: those of its account. */
  readonly formats?: FormatOptions | undefined
}

export interface Account {
  readonly id: string
  readonly name: string
  readonly kind: AccountConfig['kind']
  readonly plan: string | undefined
  readonly zdrRequired: boolean
  /** Model ids it may use; null for all. */
  readonly models: ReadonlySet<string> | null
  readonly creditsCents: number | undefined
  /** Its keys are refused. */
  readonly disabled: boolean
}

/**
 * All valid keys by the SHA-256 of their secret, in memory: a lookup needs no I/O, and its timing tells an attacker nothing
 * about the secret, because digests are compared (docs/DESIGN.md#keys).
 */
export class KeyRing {
  #keys: ReadonlyMap<string, Key>
  #refresh: () => Promise<void> = async () => {}
  #used = new Map<string, number>()

  constructor(keys: Iterable<readonly [sha256: string, key: Key]> = []) {
    this.#keys = new Map(keys)
  }

  find(secret: string): Key | undefined {
    return this.#keys.get(sha256(secret))
  }

  /**
   * For a secret that find() does not know: the same after the ring has been brought up to date, because another process may
   * have made the key a moment ago.
   */
  async findFresh(secret: string): Promise<Key | undefined> {
    await this.#refresh()
    return this.find(secret)
  }

  /** `refresh` brings the ring up to date. It never rejects, and limits by itself how much it does. */
  refreshWith(refresh: () => Promise<void>): void {
    this.#refresh = refresh
  }

  /** Remembers that a key of the store was used. `now`: microseconds since the epoch. */
  noteUse({ id, isStored }: Key, now: number): void {
    if (isStored) this.#used.set(id, now)
  }

  /** When keys were used since the last call, by their id. */
  takeUses(): ReadonlyMap<string, number> {
    const used = this.#used
    this.#used = new Map()
    return used
  }

  /** The keys of a user, in any account. */
  ofUser(user: string): readonly Key[] {
    return [...new Map(this.#keys.values().map(key => [key.id, key])).values()].filter(key => key.user === user)
  }

  replace(keys: Iterable<readonly [sha256: string, key: Key]>): void {
    this.#keys = new Map(keys)
  }
}

/** A key of the configuration is valid as long as it is there. */
const ALWAYS_VALID = { models: null, expiresAt: Number.POSITIVE_INFINITY, disabled: false, isStored: false } as const

/** The keys of the configuration. */
export function* configuredKeys(config: Config): Generator<readonly [string, Key]> {
  for (const account of config.accounts) {
    const owner = toAccount(account)
    for (const { id, kind, user, endpoints, limits, formats, sha256: digest } of account.keys) {
      yield [digest, { ...ALWAYS_VALID, id, kind, user, endpoints, account: owner, limits, formats }]
    }
  }
}

/** An account of the configuration in the form that keys refer to. */
export function toAccount(account: AccountConfig): Account {
  return {
    id: account.id,
    name: account.name,
    kind: account.kind,
    plan: account.plan,
    zdrRequired: account.zdr_required,
    models: account.models.includes('*') ? null : new Set(account.models),
    creditsCents: account.credits_cents,
    disabled: false,
  }
}
