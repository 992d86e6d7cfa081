import type { ModelConfig } from './config/config.ts'

/** The configured models by id and alias. A Map, so that `__proto__` is just an unknown model. */
export class ModelCatalog {
  readonly all: readonly ModelConfig[]
  readonly #byName = new Map<string, ModelConfig>()

  constructor(models: readonly ModelConfig[]) {
    this.all = models
    for (const model of models) {
      this.#byName.set(model.id, model)
      for (const alias of model.aliases) this.#byName.set(alias, model)
    }
  }

  /** The model of this id or alias. */
  find(name: string): ModelConfig | undefined {
    return this.#byName.get(name)
  }
}
