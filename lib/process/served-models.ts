/** The models of a process: those of the configuration, discovered ones, and over both those that operators store. */
import type { Logger } from 'pino'
import { ModelDiscovery } from '../backends/discovery/model-discovery.ts'
import type { Config } from '../config/config.ts'
import { type StoredModel, type UnusedModel, withServedModels } from '../config/served-models.ts'
import { type Polling, pollStore } from '../store/polling.ts'
import type { Store } from '../store/store.ts'
import { listStoredModels } from '../store/stored-models.ts'

interface ServedModelsOptions {
  readonly config: Config
  /** null: there is no store, because `stored_models` is false. */
  readonly store: Store | null
  readonly log: Logger
  /** Logs what is discovered. undefined: the primary discovers models, and sends them with its configuration. */
  readonly discoveryLog?: Logger | undefined
  readonly everyMs?: number
}

export class ServedModels {
  readonly #log: Logger
  readonly #discovery: ModelDiscovery | null
  #stored: readonly StoredModel[] = []
  /** JSON of the stored models, to compare them. */
  #text = '[]'
  #hasChanged = false
  #unused: readonly UnusedModel[] = []
  #polling: Polling | undefined
  #onChange: (() => Promise<void>) | null = null

  private constructor(log: Logger, discoveryLog: Logger | undefined) {
    this.#log = log
    const onChange = () => void this.#changed()
    this.#discovery = discoveryLog === undefined ? null : new ModelDiscovery({ log: discoveryLog, onChange })
  }

  /** Reads the stored models and asks the servers once before it resolves, if they answer. */
  static async start({ config, store, log, discoveryLog, everyMs }: ServedModelsOptions): Promise<ServedModels> {
    const models = new ServedModels(log, discoveryLog)
    await models.prepare(config)
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

  /** Waits a few seconds for the models that new entries of a configuration discover. */
  async prepare({ modelSources }: Config): Promise<void> {
    await this.#discovery?.prepare(modelSources)
  }

  /** Discovers the models of this configuration alone. */
  keep({ modelSources }: Config): void {
    this.#discovery?.keep(modelSources)
  }

  /** The configuration with what its entries have found. */
  discovered(config: Config): Config {
    return this.#discovery === null || config.modelSources.length === 0
      ? config
      : { ...config, found: this.#discovery.found() }
  }

  /** The configuration with the models that can be used. Each one that cannot is logged once. */
  over(config: Config): Config {
    this.#hasChanged = false
    const { config: changed, unused } = withServedModels(this.discovered(config), this.#stored)
    const before = new Set(this.#unused.map(textOf))
    for (const one of unused) {
      const { id: model, origin, problem } = one
      if (!before.has(textOf(one))) this.#log.warn({ model, problem }, `a ${origin} model is not used`)
    }
    this.#unused = unused
    return changed
  }

  /** `apply` is called after each change, also one since the last over(). Its failure is logged. */
  onChange(apply: () => Promise<void>): void {
    this.#onChange = () => apply().catch(err => this.#log.error({ err }, 'changed models cannot be applied'))
    if (this.#hasChanged) void this.#onChange()
  }

  /** Remarks for operators. */
  notes(): readonly string[] {
    return [...this.#unused.map(textOf), ...this.discoveryNotes()]
  }

  /** Remarks about the servers whose models are discovered. */
  discoveryNotes(): readonly string[] {
    return this.#discovery?.notes() ?? []
  }

  /** Applies changes in the store at once. Never rejects. */
  async refresh(): Promise<void> {
    await this.#polling?.refresh()
  }

  async end(): Promise<void> {
    this.#discovery?.close()
    await this.#polling?.end()
  }

  async #apply(stored: readonly StoredModel[]): Promise<void> {
    const text = JSON.stringify(stored)
    if (text === this.#text) return
    this.#text = text
    this.#stored = stored
    await this.#changed()
  }

  async #changed(): Promise<void> {
    this.#hasChanged = true
    await this.#onChange?.()
  }
}

function textOf({ id, origin, problem }: UnusedModel): string {
  return `the ${origin} model '${id}' is not used: ${problem}`
}
