/** Keys, their accounts, and the models that they may use. */
import { sha256 } from '../base/sha256.ts'
import type { FormatOptions } from '../canonical/format.ts'
import type {
  AccountConfig,
  BackendConfig,
  Config,
  EndpointConfig,
  KeyConfig,
  ModelConfig,
  RequestLimitsConfig,
} from '../config/config.ts'

/** A key without its secret. */
export interface Key {
  readonly id: string
  readonly kind: KeyConfig['kind']
  /** undefined: a legacy key without a user. */
  readonly user: string | undefined
  /** Hosts of the dedicated endpoints that the key may use. */
  readonly endpoints: readonly string[]
  readonly account: Account
  /** Model ids that the key may use, among those of its account; null: all of them. */
  readonly models: ReadonlySet<string> | null
  /** Limits of the requests of this key, in addition to those of the account's plan. */
  readonly limits?: RequestLimitsConfig | undefined
  /** Microseconds since the epoch; infinite: never. */
  readonly expiresAt: number
  /** An operator has disabled the key. */
  readonly disabled: boolean
  /** The key is in the store, which records its last use. */
  readonly isStored: boolean
  /** Format options of this key; undefined: those of its account. */
  readonly formats?: FormatOptions | undefined
}

export interface Account {
  readonly id: string
  readonly name: string
  readonly kind: AccountConfig['kind']
  readonly plan: string | undefined
  readonly zdrRequired: boolean
  /** Model ids that the account may use; null: all models. */
  readonly models: ReadonlySet<string> | null
  readonly creditsCents: number | undefined
  readonly disabled: boolean
  /** Microseconds since the epoch. undefined: it is not erased. */
  readonly erasedAt?: number | undefined
}

/** Id and name of the operator's own account. */
export const OPERATOR_ACCOUNT = 'operator'

/** A key of the operator, for requests of the gateway itself. Its account has no limits and no console. */
export function operatorKey(id: string, { zdrRequired }: Pick<Account, 'zdrRequired'>): Key {
  return {
    id,
    kind: 'serverless',
    user: undefined,
    endpoints: [],
    account: {
      id: OPERATOR_ACCOUNT,
      name: OPERATOR_ACCOUNT,
      kind: 'serverless',
      plan: undefined,
      zdrRequired,
      models: null,
      creditsCents: undefined,
      disabled: false,
    },
    models: null,
    expiresAt: Number.POSITIVE_INFINITY,
    disabled: false,
    isStored: false,
  }
}

/** All valid keys by the SHA-256 of their secret. Comparing digests reveals nothing by timing (docs/DESIGN.md#keys). */
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

  /** Updates the ring, then looks the secret up: another process may have just created the key. Rejects with 503. */
  async findFresh(secret: string): Promise<Key | undefined> {
    await this.#refresh()
    return this.find(secret)
  }

  /** `refresh` updates the ring, or rejects with the refusal of the request. It limits its own rate. */
  refreshWith(refresh: () => Promise<void>): void {
    this.#refresh = refresh
  }

  /** Records the use of a key of the store. `now`: microseconds since the epoch. */
  noteUse({ id, isStored }: Key, now: number): void {
    if (isStored) this.#used.set(id, now)
  }

  /** Times of use since the last call, by the id of the key. */
  takeUses(): ReadonlyMap<string, number> {
    const used = this.#used
    this.#used = new Map()
    return used
  }

  ofUser(user: string): readonly Key[] {
    return [...new Map(this.#keys.values().map(key => [key.id, key])).values()].filter(key => key.user === user)
  }

  replace(keys: Iterable<readonly [sha256: string, key: Key]>): void {
    this.#keys = new Map(keys)
  }
}

/** Members of a key of the configuration, which is valid until it is removed from the file. */
const ALWAYS_VALID = { models: null, expiresAt: Number.POSITIVE_INFINITY, disabled: false, isStored: false } as const

export function* configuredKeys(config: Config): Generator<readonly [string, Key]> {
  for (const account of config.accounts) {
    const owner = toAccount(account)
    for (const { id, kind, user, endpoints, limits, formats, sha256: digest } of account.keys) {
      yield [digest, { ...ALWAYS_VALID, id, kind, user, endpoints, account: owner, limits, formats }]
    }
  }
}

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

interface ServedModels {
  readonly backendsOf?: ModelCatalog['backendsOf']
  /** Windows and capabilities of models whose servers contradict the configuration, by id. */
  readonly served?: ReadonlyMap<string, Pick<ModelConfig, 'max_model_len' | 'capabilities'>>
}

/** The configured models by id and alias. Uses Maps, in which `__proto__` is an unknown model. */
export class ModelCatalog {
  readonly #all: readonly ModelConfig[]
  readonly #served: NonNullable<ServedModels['served']>
  /** The current backends of a model: those with a URL in the configuration, and the discovered ones. */
  readonly backendsOf: (model: ModelConfig) => readonly BackendConfig[]
  readonly #byName = new Map<string, ModelConfig>()
  readonly #byEndpoint = new Map<string, ReadonlySet<string>>()

  constructor(
    models: readonly ModelConfig[],
    endpoints: readonly EndpointConfig[] = [],
    { backendsOf = ({ backends }) => backends, served = new Map() }: ServedModels = {},
  ) {
    this.#all = models
    this.#served = served
    this.backendsOf = backendsOf
    for (const model of models) {
      this.#byName.set(model.id, model)
      for (const alias of model.aliases) this.#byName.set(alias, model)
    }
    for (const { host, models: ids } of endpoints) this.#byEndpoint.set(host, new Set(ids))
  }

  get all(): readonly ModelConfig[] {
    return this.#all.map(model => this.#asServed(model))
  }

  /** The model with this id or alias. `endpoint`: the dedicated endpoint that must serve it; null: the gateway. */
  find(name: string, endpoint: string | null): ModelConfig | undefined {
    const model = this.#byName.get(name)
    return model === undefined || !this.#serves(endpoint, model) ? undefined : this.#asServed(model)
  }

  /** The models that this key may use at the dedicated endpoint; null: at the gateway. */
  visible(key: Key, endpoint: string | null): readonly ModelConfig[] {
    return this.all.filter(model => this.#serves(endpoint, model) && mayUse(key, model))
  }

  /** The model with the window and the capabilities that its servers have. */
  #asServed(model: ModelConfig): ModelConfig {
    const served = this.#served.get(model.id)
    return served === undefined
      ? model
      : { ...model, max_model_len: served.max_model_len, capabilities: served.capabilities }
  }

  #serves(endpoint: string | null, model: ModelConfig): boolean {
    return endpoint === null || this.#byEndpoint.get(endpoint)?.has(model.id) === true
  }
}

/** True if the key and its account may use the model. */
export function mayUse({ models, account }: Key, { id }: ModelConfig): boolean {
  return (account.models === null || account.models.has(id)) && (models === null || models.has(id))
}
