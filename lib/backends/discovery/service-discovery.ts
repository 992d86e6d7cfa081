/** The door of this room: the backends of models whose entries say where to look for them (docs/adr/0061). */
import type { Logger } from 'pino'
import type { Metrics } from '../../base/metrics.ts'
import { within } from '../../base/timeout.ts'
import type { BackendConfig, BackendOptions, DiscoveryConfig, ModelConfig, SourceConfig } from '../../config/config.ts'
import { sourceName } from '../../config/discovery.ts'
import { addressOf } from '../backend.ts'
import type { EmptySource } from '../backend-list.ts'
import { DnsSource } from './dns-source.ts'
import { Lookup } from './lookup.ts'
import type { Source } from './source.ts'
import type { Rank } from './srv-ranks.ts'
import { TargetsFile } from './targets-file.ts'

/** Longest wait for the first answers at a start, and at a reload for those of new entries. */
const FIRST_MS = 5000

export interface ServiceDiscoveryOptions {
  readonly log: Logger
  /** undefined: nothing is shown. */
  readonly metrics?: Metrics
  /** The backends of a model have changed: see models(). */
  onChange(): void
  readonly open?: (source: SourceConfig) => Source
  readonly firstMs?: number
}

/** A source, and what has been said of it. */
interface Watched {
  readonly name: string
  readonly lookup: Lookup
  /** The last problem that was logged. */
  problem: string | null
  /** The last answer that was logged. */
  found: readonly string[]
  ranks: Lookup['ranks']
}

export function openSource(source: SourceConfig): Source {
  return source.discover === 'dns' ? new DnsSource(source) : new TargetsFile(source)
}

/** Looks for the backends of all models. It outlives reloads: an entry whose source stays the same keeps its backends. */
export class ServiceDiscovery {
  readonly #options: ServiceDiscoveryOptions
  /** By what decides what is found. Entries of several models may have the same source. */
  readonly #watched = new Map<string, Watched>()
  #models: readonly ModelConfig[] = []
  #complete: readonly ModelConfig[] = []
  /** The same object for the same backend, as long as its entry stays. */
  readonly #configs = new WeakMap<DiscoveryConfig, ReadonlyMap<string, BackendConfig>>()

  constructor(options: ServiceDiscoveryOptions) {
    this.#options = options
    if (options.metrics !== undefined) this.#show(options.metrics)
  }

  /** Begins to look for what is new in these models, and waits for first answers, though not for long. Changes nothing else. */
  async prepare(models: readonly ModelConfig[]): Promise<void> {
    const first = entriesOf(models).map(entry => this.#watch(entry).lookup.first)
    if (first.length === 0) return
    const { firstMs = FIRST_MS, log } = this.#options
    await within(firstMs, 'late', Promise.all(first)).catch(() => {
      log.warn('service discovery takes long: going on with the backends that are known')
    })
  }

  /** Looks for the backends of these models from now on, and of no others. */
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

  /** The models of update(), whose `backends` are those with a URL of their own and those that have been found. */
  models(): readonly ModelConfig[] {
    return this.#complete
  }

  /** What is wrong with the discovery that has found a backend; null: nothing, or it is in the file. */
  problem(model: string, address: string): string | null {
    for (const { id, discover } of this.#models) {
      if (id !== model) continue
      for (const { source } of discover) {
        const { name, lookup } = this.#watched.get(keyOf(source))!
        if (lookup.problem !== null && lookup.found.some(url => addressOf(url) === address))
          return `${name}: ${lookup.problem}`
      }
    }
    return null
  }

  /** Sources that have found no backend. */
  empty(): EmptySource[] {
    return this.#models.flatMap(({ id, discover }) =>
      discover.flatMap(({ source, backend: { zdr } }) => {
        const { name, lookup } = this.#watched.get(keyOf(source))!
        if (lookup.found.length > 0) return []
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

  #watch({ source, everySeconds }: DiscoveryConfig): Watched {
    const key = keyOf(source)
    let watched = this.#watched.get(key)
    if (watched === undefined) {
      const { open = openSource } = this.#options
      const onChange = () => this.#changed(key)
      const lookup = new Lookup(open(source), { everyMs: everySeconds * 1000, onChange })
      watched = { name: sourceName(source), lookup, problem: null, found: [], ranks: new Map() }
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
    if (lookup.found === watched.found && lookup.ranks === watched.ranks) return
    const before = new Set(watched.found)
    const gone = before.difference(new Set(lookup.found)).size
    const added = lookup.found.length - before.size + gone
    watched.found = lookup.found
    watched.ranks = lookup.ranks
    if (added + gone > 0) log.info({ source: name, backends: lookup.found.length, added, gone }, 'backends discovered')
    // New entries are looked up before their configuration is applied.
    if (!entriesOf(this.#models).some(({ source }) => keyOf(source) === key)) return
    this.#complete = this.#models.map(model => this.#completed(model))
    this.#options.onChange()
  }

  /** One that is there twice is one backend. */
  #completed(model: ModelConfig): ModelConfig {
    if (model.discover.length === 0) return model
    const byPlace = new Map(model.backends.map(backend => [placeOf(backend), backend]))
    const backends = [...model.backends]
    for (const entry of model.discover) {
      for (const backend of this.#found(entry)) {
        if (byPlace.has(placeOf(backend))) continue
        byPlace.set(placeOf(backend), backend)
        backends.push(backend)
      }
    }
    return { ...model, backends }
  }

  #found(entry: DiscoveryConfig): Iterable<BackendConfig> {
    const { found, ranks } = this.#watched.get(keyOf(entry.source))!.lookup
    const before = this.#configs.get(entry)
    const configs = new Map(found.map(url => [url, backendAt(url, entry.backend, ranks.get(url), before?.get(url))]))
    this.#configs.set(entry, configs)
    return configs.values()
  }

  #show(metrics: Metrics): void {
    const watched = () => this.#watched.values()
    metrics.gauge({
      name: 'sluiceway_discovery_backends',
      help: 'Backends that a source of service discovery has found.',
      aggregator: 'max',
      labelNames: ['source'],
      collect() {
        this.reset()
        for (const { name, lookup } of watched()) this.set({ source: name }, lookup.found.length)
      },
    })
    metrics.gauge({
      name: 'sluiceway_discovery_up',
      help: '1 where the last look at a source of service discovery went well; 0: what it said before is kept.',
      aggregator: 'min',
      labelNames: ['source'],
      collect() {
        this.reset()
        for (const { name, lookup } of watched()) this.set({ source: name }, Number(lookup.problem === null))
      },
    })
  }
}

/** The same object as before where nothing of it has changed. */
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

/** Equal where the same backends are found. */
function keyOf(source: SourceConfig): string {
  return JSON.stringify(source)
}

function placeOf({ url, model }: BackendConfig): string {
  return `${url} ${model}`
}
