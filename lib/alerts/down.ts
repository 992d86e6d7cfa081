import type { DownBackend } from './conditions.ts'

/** A backend as this process sees it now. */
export interface SeenBackend {
  readonly model: string
  readonly address: string
  readonly isUp: boolean
}

interface Seen {
  readonly backend: SeenBackend
  /** Since when it is as it is, in milliseconds since the epoch. */
  readonly since: number
}

/** Since when backends are down. */
export class DownSince {
  #seen = new Map<string, Seen>()

  /** Notes how backends are. `now`: milliseconds since the epoch. */
  look(backends: readonly SeenBackend[], now: number): void {
    const before = this.#seen
    this.#seen = new Map(
      backends.map(backend => {
        const name = `${backend.model} ${backend.address}`
        const known = before.get(name)
        return [name, known?.backend.isUp === backend.isUp ? known : { backend, since: now }]
      }),
    )
  }

  get down(): readonly DownBackend[] {
    return [...this.#seen.values()]
      .filter(({ backend }) => !backend.isUp)
      .map(({ backend: { model, address }, since }) => ({ model, address, since }))
  }

  /**
   * Those that have not been up for `ms`: after a start every backend counts as up until it fails, so the alert that another process
   * has sent is not yet over.
   */
  unsettled(ms: number, now: number): readonly SeenBackend[] {
    return [...this.#seen.values()]
      .filter(({ backend, since }) => !backend.isUp || now - since < ms)
      .map(({ backend }) => backend)
  }
}
