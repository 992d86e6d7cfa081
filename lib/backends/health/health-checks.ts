import type { Backend } from '../backend.ts'
import { HealthCheck, type HealthOptions } from './health-check.ts'
import { serverAddressOf } from './server-address.ts'

/** A health check, and the backends that take its results. */
interface Checked {
  readonly check: HealthCheck
  backends: readonly Backend[]
}

/** One health check for each server, however many models it runs (docs/adr/0040-ejection-by-independent-evidence.md). */
export class HealthChecks {
  readonly #options: HealthOptions
  readonly #random: () => number
  readonly #onHealthy: ((backend: Backend) => void) | undefined
  /** By the key of the server. */
  #servers: ReadonlyMap<string, Checked> = new Map()

  /** `random`: returns numbers as Math.random does. `onHealthy`: called after each good check, for each backend. */
  constructor(options: HealthOptions, random: () => number, onHealthy?: (backend: Backend) => void) {
    this.#options = options
    this.#random = random
    this.#onHealthy = onHealthy
  }

  /** Checks the servers of these backends from now on, and no others. Checks that go on keep their connection. */
  update(backends: Iterable<Backend>): void {
    const before = this.#servers
    const servers = new Map<string, Checked & { readonly backends: Backend[] }>()
    for (const backend of backends) {
      const server = serverAddressOf(backend.config)
      // Nothing would readmit a backend whose server is no longer checked.
      if (server === undefined) {
        backend.health.checked(true)
        continue
      }
      const known = servers.get(server.key)
      if (known !== undefined) {
        known.backends.push(backend)
        continue
      }
      const check =
        before.get(server.key)?.check ??
        new HealthCheck(server, this.#options, this.#random, healthy => this.#report(server.key, healthy))
      servers.set(server.key, { check, backends: [backend] })
    }
    this.#servers = servers
    for (const [key, { check }] of before) if (!servers.has(key)) check.close()
  }

  close(): void {
    for (const { check } of this.#servers.values()) check.close()
    this.#servers = new Map()
  }

  #report(key: string, healthy: boolean): void {
    for (const backend of this.#servers.get(key)?.backends ?? []) {
      backend.health.checked(healthy)
      if (healthy) this.#onHealthy?.(backend)
    }
  }
}
