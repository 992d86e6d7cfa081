import { Places, type PlacesHost } from './places.ts'

interface CapacityHost extends PlacesHost {
  /** Requests in the queue of this model may try again. */
  pump(model: string): void
  /** How many requests are in the queue of this model. */
  queued(model: string): number
}

/** The places of all models, servers and backends, and the requests that wait until other processes give some back. */
export class Capacity {
  readonly #host: CapacityHost
  /** By name. */
  readonly #all = new Map<string, Places>()
  /** The ids of the models whose requests use them. */
  #models: ReadonlyMap<Places, ReadonlySet<string>> = new Map()
  /** By model, the oldest first. */
  readonly #attempts = new Map<string, Set<() => void>>()

  constructor(host: CapacityHost) {
    this.#host = host
    host.store?.watch(name => this.#all.get(name)?.changed())
  }

  of(name: string): Places {
    let places = this.#all.get(name)
    if (places === undefined) {
      const made: Places = new Places(name, this.#host, {
        onMore: () => this.report(made),
        waiting: () => this.#modelsOf(made).reduce((sum, model) => sum + this.waiting(model), 0),
      })
      places = made
      this.#all.set(name, places)
    }
    return places
  }

  /** Forgets all other places. */
  retain(models: ReadonlyMap<Places, ReadonlySet<string>>): void {
    this.#models = models
    for (const [name, places] of this.#all) {
      if (models.has(places)) continue
      places.close()
      this.#all.delete(name)
    }
  }

  /** A request has left these places, or there are more. */
  report(places: Places): void {
    for (const model of this.#modelsOf(places)) this.reportModel(model)
  }

  reportModel(model: string): void {
    this.#host.pump(model)
    for (const attempt of [...(this.#attempts.get(model) ?? [])]) attempt()
  }

  /** Calls `attempt` whenever there may be capacity, until the returned function is called. */
  wait(model: string, attempt: () => void): () => void {
    const attempts = this.#attempts.get(model) ?? new Set()
    this.#attempts.set(model, attempts.add(attempt))
    return () => {
      attempts.delete(attempt)
      if (attempts.size === 0 && this.#attempts.get(model) === attempts) this.#attempts.delete(model)
    }
  }

  /** How many requests of a model wait. */
  waiting(model: string): number {
    return this.#host.queued(model) + (this.#attempts.get(model)?.size ?? 0)
  }

  close(): void {
    this.retain(new Map())
  }

  #modelsOf(places: Places): readonly string[] {
    return [...(this.#models.get(places) ?? [])]
  }
}
