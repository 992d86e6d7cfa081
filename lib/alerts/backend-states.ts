import type { DownBackend } from './conditions.ts'

export interface BackendState {
  readonly model: string
  readonly address: string
  readonly isUp: boolean
}

interface KnownState {
  readonly backend: BackendState
  /** Time of the last change, in milliseconds since the epoch. */
  readonly since: number
}

/** The states of backends, and when each has changed. */
export class BackendStates {
  #known = new Map<string, KnownState>()

  /** `now`: milliseconds since the epoch. */
  update(backends: readonly BackendState[], now: number): void {
    const before = this.#known
    this.#known = new Map(
      backends.map(backend => {
        const name = `${backend.model} ${backend.address}`
        const known = before.get(name)
        return [name, known?.backend.isUp === backend.isUp ? known : { backend, since: now }]
      }),
    )
  }

  get down(): readonly DownBackend[] {
    return [...this.#known.values()]
      .filter(({ backend }) => !backend.isUp)
      .map(({ backend: { model, address }, since }) => ({ model, address, since }))
  }

  /** Backends not up for at least `ms`. They count as up at a start, so another process's alert may stay meanwhile. */
  unsettled(ms: number, now: number): readonly BackendState[] {
    return [...this.#known.values()]
      .filter(({ backend, since }) => !backend.isUp || now - since < ms)
      .map(({ backend }) => backend)
  }
}
