/** Discovers the backends of models from DNS names and files (docs/adr/0061). */
import type { Logger } from 'pino'
import type { Metrics } from '../../base/metrics.ts'
import { within } from '../../base/timeout.ts'
import type { BackendConfig, BackendOptions, DiscoveryConfig, ModelConfig, SourceConfig } from '../../config/config.ts'
import { sourceName } from '../../config/discovery.ts'
import { addressOf } from '../backend.ts'
import type { EmptySource } from '../backend-list.ts'
import { DnsSource } from './dns-source.ts'
import { Lookup } from './lookup.ts'
import type { Rank, Source } from './source.ts'
import { TargetsFile } from './targets-file.ts'

/** Maximum wait for the first lookups, at start and for new entries at a reload. */
const MAX_FIRST_MS = 5000

interface ServiceDiscoveryOptions {
  readonly log: Logger
  /** undefined: no metrics are exported. */
  readonly metrics?: Metrics
  onChange(): void
  readonly open?: (source: SourceConfig) => Source
  readonly firstMs?: number
}

/** A source, and what has been logged about it. */
interface WatchedSource {
  readonly name: string
  readonly lookup: Lookup
  problem: string | null
  urls: readonly string[]
  ranks: Lookup['ranks']
}

export function openSource(source: SourceConfig): Source {
  return source.discover === 'dns' ? new DnsSource(source) : new TargetsFile(source)
}

/** Discovers the backends of all models. Outlives reloads: an entry whose source has not changed keeps its backends. */
export class ServiceDiscovery {
  readonly #options: ServiceDiscoveryOptions
  /** By keyOf(). Entries of several models may share a source. */
  readonly #watched = new Map<string, WatchedSource>()
  #models: readonly ModelConfig[] = []
  #complete: readonly ModelConfig[] = []
  /** Keeps the same object for the same backend while its entry stays. */
  readonly #configs = new WeakMap<DiscoveryConfig, ReadonlyMap<string, BackendConfig>>()

  constructor(options: ServiceDiscoveryOptions) {
    this.#options = options
    if (options.metrics !== undefined) this.#export(options.metrics)
  }

  /** Starts lookups for new sources of these models, and waits a few seconds for their first results. */
  async prepare(models: readonly ModelConfig[]): Promise<void> {
    const first = entriesOf(models).map(entry => this.#watch(entry).lookup.first)
    if (first.length === 0) return
    const { firstMs = MAX_FIRST_MS, log } = this.#options
    await within(firstMs, 'late', Promise.all(first)).catch(() => {
      log.warn('service discovery is slow: continuing with the known backends')
    })
  }

  /** Discovers the backends of these models, and of no others. */
  update(models: readonly ModelConfig[]): void {
    this.#models = models
    const entries = entriesOf(models)
    for (const entry of entries) this.#watch(entry).lookup.everyMs = entry.everySeconds * 1000
    const keys = new Set(entries.map(({ source }) => keyOf(source)))
    for (const [key, { lookup }] of this.#watched) {
      if (keys.has(key)) continue
      lookup.close()
      this.#watched.delete(key)
    }
    this.#complete = models.map(model => this.#completed(model))
  }

  /** The models of update(). Their `backends` are those of the configuration and those that were discovered. */
  models(): readonly ModelConfig[] {
    return this.#complete
  }

  /** The problem of the source that discovered a backend; null: none, or the backend is in the configuration. */
  problem(model: string, address: string): string | null {
    for (const { id, discover } of this.#models) {
      if (id !== model) continue
      for (const { source } of discover) {
        const { name, lookup } = this.#watched.get(keyOf(source))!
        if (lookup.problem !== null && lookup.urls.some(url => addressOf(url) === address))
          return `${name}: ${lookup.problem}`
      }
    }
    return null
  }

  empty(): EmptySource[] {
    return this.#models.flatMap(({ id, discover }) =>
      discover.flatMap(({ source, backend: { zdr } }) => {
        const { name, lookup } = this.#watched.get(keyOf(source))!
        if (lookup.urls.length > 0) return []
        const problem = lookup.problem ?? (lookup.hasAnswered ? 'it names no backends' : 'there is no answer yet')
        return [{ model: id, source: name, zdr, problem }]
      }),
    )
  }

  close(): void {
    for (const { lookup } of this.#watched.values()) lookup.close()
    this.#watched.clear()
    this.#models = []
  }

  #watch({ source, everySeconds }: DiscoveryConfig): WatchedSource {
    const key = keyOf(source)
    let watched = this.#watched.get(key)
    if (watched === undefined) {
      const { open = openSource } = this.#options
      const onChange = () => this.#changed(key)
      const lookup = new Lookup(open(source), { everyMs: everySeconds * 1000, onChange })
      watched = { name: sourceName(source), lookup, problem: null, urls: [], ranks: new Map() }
      this.#watched.set(key, watched)
    }
    return watched
  }

  #changed(key: string): void {
    const watched = this.#watched.get(key)!
    const { name, lookup } = watched
    const { log } = this.#options
    if (lookup.problem !== watched.problem) {
      if (lookup.problem !== null) log.warn({ source: name, problem: lookup.problem }, 'service discovery')
      else log.info({ source: name }, 'service discovery works again')
      watched.problem = lookup.problem
    }
    if (lookup.urls === watched.urls && lookup.ranks === watched.ranks) return
    const before = new Set(watched.urls)
    const gone = before.difference(new Set(lookup.urls)).size
    const added = lookup.urls.length - before.size + gone
    watched.urls = lookup.urls
    watched.ranks = lookup.ranks
    if (added + gone > 0) log.info({ source: name, backends: lookup.urls.length, added, gone }, 'backends discovered')
    // prepare() starts lookups before their configuration is applied.
    if (!entriesOf(this.#models).some(({ source }) => keyOf(source) === key)) return
    this.#complete = this.#models.map(model => this.#completed(model))
    this.#options.onChange()
  }

  /** A model with its discovered backends. A backend that is found twice, or is in the configuration, is added once. */
  #completed(model: ModelConfig): ModelConfig {
    if (model.discover.length === 0) return model
    const known = new Set(model.backends.map(identityOf))
    const backends = [...model.backends]
    for (const entry of model.discover) {
      for (const backend of this.#discovered(entry)) {
        if (known.has(identityOf(backend))) continue
        known.add(identityOf(backend))
        backends.push(backend)
      }
    }
    return { ...model, backends }
  }

  #discovered(entry: DiscoveryConfig): Iterable<BackendConfig> {
    const { urls, ranks } = this.#watched.get(keyOf(entry.source))!.lookup
    const before = this.#configs.get(entry)
    const configs = new Map(urls.map(url => [url, backendAt(url, entry.backend, ranks.get(url), before?.get(url))]))
    this.#configs.set(entry, configs)
    return configs.values()
  }

  #export(metrics: Metrics): void {
    const watched = () => this.#watched.values()
    metrics.gauge({
      name: 'sluiceway_discovery_backends',
      help: 'Backends that a source of service discovery has found.',
      aggregator: 'max',
      labelNames: ['source'],
      collect() {
        this.reset()
        for (const { name, lookup } of watched()) this.set({ source: name }, lookup.urls.length)
      },
    })
    metrics.gauge({
      name: 'sluiceway_discovery_up',
      help: '1 if the last lookup of a source of service discovery succeeded; 0: its last result is kept.',
      aggregator: 'min',
      labelNames: ['source'],
      collect() {
        this.reset()
        for (const { name, lookup } of watched()) this.set({ source: name }, Number(lookup.problem === null))
      },
    })
  }
}

/** The same object as before if nothing has changed. */
function backendAt(
  url: string,
  options: BackendOptions,
  rank: Rank | undefined,
  before: BackendConfig | undefined,
): BackendConfig {
  const ranked = rank && { priority: rank.priority, weight: options.weight * rank.weight }
  const backend: BackendConfig = { ...options, url, ...ranked }
  return before?.priority === backend.priority && before?.weight === backend.weight ? before : backend
}

function entriesOf(models: readonly ModelConfig[]): readonly DiscoveryConfig[] {
  return models.flatMap(({ discover }) => discover)
}

/** Equal for sources that find the same backends. */
function keyOf(source: SourceConfig): string {
  return JSON.stringify(source)
}

function identityOf({ url, model }: BackendConfig): string {
  return `${url} ${model}`
}
