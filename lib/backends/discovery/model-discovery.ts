/** Discovers the models that servers list (docs/ROUTING.md#models-that-are-discovered). */
import type { Logger } from 'pino'
import { within } from '../../base/timeout.ts'
import type { FoundModel, ModelSourceConfig } from '../../config/config.ts'
import { WatchedServers } from './watched-servers.ts'

/** Maximum wait for the first answers, at start and for new entries at a reload. */
const MAX_FIRST_MS = 10_000

interface ModelDiscoveryOptions {
  readonly log: Logger
  /** found() has changed. */
  onChange(): void
  readonly firstMs?: number
}

/** Outlives reloads: an entry whose servers have not changed keeps its models. */
export class ModelDiscovery {
  readonly #options: ModelDiscoveryOptions
  /** By key of the entry. Several entries may ask the same servers. */
  readonly #watched = new Map<string, WatchedServers>()

  constructor(options: ModelDiscoveryOptions) {
    this.#options = options
  }

  /** Asks the servers of these entries, and waits a few seconds for the first answers of new ones. */
  async prepare(sources: readonly ModelSourceConfig[]): Promise<void> {
    const { log, onChange, firstMs = MAX_FIRST_MS } = this.#options
    const first: Promise<void>[] = []
    for (const [key, group] of Map.groupBy(sources, source => source.key)) {
      const known = this.#watched.get(key)
      known?.update(group)
      if (known !== undefined) continue
      // Of the same servers with another key or header, the last lists hold until they have answered.
      const before = this.#watched.values().find(one => one.isSameAddress(group[0]!))
      const watched = new WatchedServers(group, { log, onChange, before })
      this.#watched.set(key, watched)
      first.push(watched.first)
    }
    if (first.length === 0) return
    await within(firstMs, 'late', Promise.all(first)).catch(() => {
      log.warn('model discovery is slow: continuing with the known models')
    })
  }

  /** Asks no other servers than those of these entries. */
  keep(sources: readonly ModelSourceConfig[]): void {
    const keys = new Set(sources.map(({ key }) => key))
    for (const [key, watched] of this.#watched) {
      if (keys.has(key)) continue
      watched.close()
      this.#watched.delete(key)
    }
  }

  found(): readonly FoundModel[] {
    return [...this.#watched.values()].flatMap(watched => watched.found)
  }

  /** Remarks for operators. */
  notes(): readonly string[] {
    return [...this.#watched.values()].flatMap(watched => watched.notes())
  }

  close(): void {
    this.keep([])
  }
}
