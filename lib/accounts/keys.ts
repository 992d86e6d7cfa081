import { sha256 } from '../base/sha256.ts'
import type { FormatOptions } from '../canonical/format.ts'
import type { AccountConfig, Config, KeyConfig } from '../config/config.ts'

/** A recognised key. Contains no part of its secret. */
export interface Key {
  readonly id: string
  readonly kind: KeyConfig['kind']
  /** undefined: a legacy key that belongs to no user. */
  readonly user: string | undefined
  /** Hosts of the dedicated endpoints that the key may use. */
  readonly endpoints: readonly string[]
  readonly account: Account
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
}

/**
 * All valid keys by the SHA-256 of their secret, in memory: a lookup needs no I/O, and its timing tells an attacker nothing
 * about the secret, because digests are compared (docs/DESIGN.md#keys).
 */
export class KeyRing {
  #keys: ReadonlyMap<string, Key>

  constructor(keys: Iterable<readonly [sha256: string, key: Key]> = []) {
    this.#keys = new Map(keys)
  }

  find(secret: string): Key | undefined {
    return this.#keys.get(sha256(secret))
  }

  /** The valid keys of a user, in any account. */
  ofUser(user: string): readonly Key[] {
    return [...this.#keys.values()].filter(key => key.user === user)
  }

  replace(keys: Iterable<readonly [sha256: string, key: Key]>): void {
    this.#keys = new Map(keys)
  }
}

/** The keys of the configuration. */
export function* configuredKeys(config: Config): Generator<readonly [string, Key]> {
  for (const account of config.accounts) {
    const owner = toAccount(account)
    for (const { id, kind, user, endpoints, formats, sha256: digest } of account.keys) {
      yield [digest, { id, kind, user, endpoints, account: owner, formats }]
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
  }
}
