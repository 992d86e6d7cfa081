import type { BackendConfig, EndpointConfig, ModelConfig } from '../config/config.ts'
import type { Key } from './keys.ts'

/** The configured models by id and alias. Uses Maps, so that `__proto__` is just an unknown model. */
export class ModelCatalog {
  readonly all: readonly ModelConfig[]
  /** Backends of a model: those with a URL in the configuration, and those that were discovered. */
  readonly backendsOf: (model: ModelConfig) => readonly BackendConfig[]
  readonly #byName = new Map<string, ModelConfig>()
  readonly #byEndpoint = new Map<string, ReadonlySet<string>>()

  /** `backendsOf`: the backends that a model has at the moment. */
  constructor(
    models: readonly ModelConfig[],
    endpoints: readonly EndpointConfig[] = [],
    backendsOf: ModelCatalog['backendsOf'] = ({ backends }) => backends,
  ) {
    this.all = models
    this.backendsOf = backendsOf
    for (const model of models) {
      this.#byName.set(model.id, model)
      for (const alias of model.aliases) this.#byName.set(alias, model)
    }
    for (const { host, models: ids } of endpoints) this.#byEndpoint.set(host, new Set(ids))
  }

  /** The model of this id or alias, served at this dedicated endpoint or, with null, at the gateway. */
  find(name: string, endpoint: string | null): ModelConfig | undefined {
    const model = this.#byName.get(name)
    return model === undefined || !this.#serves(endpoint, model) ? undefined : model
  }

  /** The models that this key may use at the endpoint or, with null, at the gateway. */
  visible(key: Key, endpoint: string | null): readonly ModelConfig[] {
    return this.all.filter(model => this.#serves(endpoint, model) && mayUse(key, model))
  }

  #serves(endpoint: string | null, model: ModelConfig): boolean {
    return endpoint === null || this.#byEndpoint.get(endpoint)?.has(model.id) === true
  }
}

/** Whether the key and its account may use the model. */
export function mayUse({ models, account }: Key, { id }: ModelConfig): boolean {
  return (account.models === null || account.models.has(id)) && (models === null || models.has(id))
}
