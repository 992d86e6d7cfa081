/** The models that operators have stored, over those of the configuration. Off unless `stored_models` is true. */
import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import { type StoredModel, withStoredModels } from '../config/stored-models.ts'
import { type Polling, pollStore } from '../store/polling.ts'
import type { Store } from '../store/store.ts'
import { listStoredModels } from '../store/stored-models.ts'

interface StoredModelsOptions {
  readonly config: Pick<Config, 'stored_models'>
  /** null: there is no store, because `stored_models` is false. */
  readonly store: Store | null
  readonly log: Logger
  readonly everyMs?: number
}

export class StoredModels {
  readonly #log: Logger
  #stored: readonly StoredModel[] = []
  /** JSON of the stored models, to compare them. */
  #text = '[]'
  /** Those that over() has used last. */
  #usedText = '[]'
  #unused: ReadonlyMap<string, string> = new Map()
  #polling: Polling | undefined
  #onChange: () => Promise<void> = async () => {}

  private constructor(log: Logger) {
    this.#log = log
  }

  /** Reads the models once before it resolves, if the store answers. */
  static async start({ config, store, log, everyMs }: StoredModelsOptions): Promise<StoredModels> {
    const models = new StoredModels(log)
    if (!config.stored_models || store === null) return models
    models.#polling = await pollStore({
      store,
      log,
      everyMs,
      failure: 'models cannot be read from the store: the last known ones stay',
      read: listStoredModels,
      apply: stored => models.#apply(stored),
    })
    return models
  }

  /** The configuration with the stored models that can be used. Each one that cannot is logged once. */
  over(config: Config): Config {
    this.#usedText = this.#text
    const { config: changed, unused } = withStoredModels(config, this.#stored)
    for (const [model, problem] of unused)
      if (this.#unused.get(model) !== problem) this.#log.warn({ model, problem }, 'a stored model is not used')
    this.#unused = unused
    return changed
  }

  /** `apply` is called after each change, also one since the last over(). Its failure is logged. */
  onChange(apply: () => Promise<void>): void {
    this.#onChange = () => apply().catch(err => this.#log.error({ err }, 'the stored models cannot be applied'))
    if (this.#usedText !== this.#text) void this.#onChange()
  }

  /** Remarks for operators. */
  notes(): readonly string[] {
    return Array.from(this.#unused, ([id, problem]) => `the stored model '${id}' is not used: ${problem}`)
  }

  /** Applies changes in the store at once. Never rejects. */
  async refresh(): Promise<void> {
    await this.#polling?.refresh()
  }

  async end(): Promise<void> {
    await this.#polling?.end()
  }

  async #apply(stored: readonly StoredModel[]): Promise<void> {
    const text = JSON.stringify(stored)
    if (text === this.#text) return
    this.#text = text
    this.#stored = stored
    await this.#onChange()
  }
}
