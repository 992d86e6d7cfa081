import type { Backend } from './backend.ts'
import { type BackendAddress, BackendClient, type ResponseHandler, type UpstreamCall } from './client.ts'

export interface HealthOptions {
  readonly intervalMs: number
  readonly timeoutMs: number
}

/**
 * Requests the health route of one backend periodically, until close(). A server error, a broken connection and a timeout
 * make the backend unhealthy. Any other status shows a working server: some have no health route, or protect it by a key.
 * Each check opens a connection of its own, because it also checks that the server accepts connections.
 */
export class HealthCheck implements ResponseHandler {
  readonly #backend: Backend
  readonly #options: HealthOptions
  readonly #random: () => number
  /** Starts the next check, or ends a check that takes too long. */
  #timer: NodeJS.Timeout
  /** Of the configuration that `#address` is from. */
  #client: BackendClient | undefined
  #address: BackendAddress | undefined
  #call: UpstreamCall | undefined
  #closed = false

  constructor(backend: Backend, options: HealthOptions, random: () => number) {
    this.#backend = backend
    this.#options = options
    this.#random = random
    // The first check comes late: at a start, requests and not checks show whether a backend is there.
    this.#timer = this.#checkIn(options.intervalMs * (1 + random()))
  }

  close(): void {
    this.#closed = true
    clearTimeout(this.#timer)
    this.#call?.cancel()
  }

  // ------------------------------------------------------------ ResponseHandler

  onHead(status: number): void {
    this.#end(status < 500)
  }

  onData(): void {}

  onEnd(): void {}

  onError(): void {
    this.#end(false)
  }

  // ------------------------------------------------------------

  /** The interval varies by a fifth to either side, so that the checks of all backends spread over it. */
  #next(): void {
    if (!this.#closed) this.#timer = this.#checkIn(this.#options.intervalMs * (0.8 + 0.4 * this.#random()))
  }

  #checkIn(ms: number): NodeJS.Timeout {
    return setTimeout(() => this.#check(), ms).unref()
  }

  #check(): void {
    const { config } = this.#backend
    const { health_path } = config.profile
    if (health_path === null) return this.#done(true)
    const { origin, pathname, search } = new URL(health_path, config.url)
    if (this.#client === undefined || this.#address !== config) {
      this.#address = config
      this.#client = new BackendClient({ ...config, url: origin }, this.#options.timeoutMs)
    }
    this.#timer = setTimeout(() => this.#end(false), this.#options.timeoutMs).unref()
    this.#call = this.#client.send({ method: 'GET', path: pathname + search, body: null, fresh: true }, this)
  }

  #end(healthy: boolean): void {
    clearTimeout(this.#timer)
    this.#call?.cancel()
    this.#done(healthy)
  }

  #done(healthy: boolean): void {
    if (this.#closed) return
    this.#backend.checked(healthy)
    this.#next()
  }
}
