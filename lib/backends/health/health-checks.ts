import type { BackendConfig } from '../../config/config.ts'
import { type BackendAddress, BackendClient } from '../../transport/client.ts'
import { serverKey } from '../../transport/egress.ts'
import type { ResponseHandler, UpstreamCall } from '../../transport/transport.ts'
import type { Backend } from '../backend.ts'

export interface HealthOptions {
  readonly intervalMs: number
  readonly timeoutMs: number
}

/** A health check, and the backends that it applies to. */
interface CheckedServer {
  readonly check: HealthCheck
  backends: readonly Backend[]
}

/** One health check per server, however many models it serves (docs/adr/0040-ejection-by-independent-evidence.md). */
export class HealthChecks {
  readonly #options: HealthOptions
  readonly #random: () => number
  readonly #onHealthy: ((backend: Backend) => void) | undefined
  /** By key of the server. */
  #servers: ReadonlyMap<string, CheckedServer> = new Map()

  /** `random`: returns numbers as Math.random does. `onHealthy`: called after each passed check, for each backend. */
  constructor(options: HealthOptions, random: () => number, onHealthy?: (backend: Backend) => void) {
    this.#options = options
    this.#random = random
    this.#onHealthy = onHealthy
  }

  /** Checks the servers of these backends, and no others. Checks that continue keep their connection. */
  update(backends: Iterable<Backend>): void {
    const before = this.#servers
    const servers = new Map<string, CheckedServer & { readonly backends: Backend[] }>()
    for (const backend of backends) {
      const server = serverOf(backend.config)
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
        new HealthCheck(server, this.#options, this.#random, isHealthy => this.#report(server.key, isHealthy))
      servers.set(server.key, { check, backends: [backend] })
    }
    this.#servers = servers
    for (const [key, { check }] of before) if (!servers.has(key)) check.close()
  }

  close(): void {
    for (const { check } of this.#servers.values()) check.close()
    this.#servers = new Map()
  }

  #report(key: string, isHealthy: boolean): void {
    for (const backend of this.#servers.get(key)?.backends ?? []) {
      backend.health.checked(isHealthy)
      if (isHealthy) this.#onHealthy?.(backend)
    }
  }
}

/** A server with its health route. */
interface Server {
  /** Equal for backends on the same server whose requests have the same key and headers. */
  readonly key: string
  /** Without a path. */
  readonly address: BackendAddress
  readonly path: string
}

/** The server of this backend; undefined: its profile has no health route. */
function serverOf({ url, api_key, headers, tls, proxy, profile }: BackendConfig): Server | undefined {
  if (profile.health_path === null) return undefined
  const { origin, pathname, search } = new URL(profile.health_path, url)
  const path = pathname + search
  // A proxy in front of several servers may route by the key or by a header.
  const key = JSON.stringify([
    serverKey({ url, tls, proxy }),
    path,
    api_key ?? null,
    Object.entries(headers).toSorted(),
  ])
  return { key, address: { url: origin, api_key, headers, tls, proxy }, path }
}

/**
 * Requests the health route of one server periodically, over a kept connection; a failed check closes it.
 * Any status below 500 is healthy: some servers have no health route, or require a key for it.
 */
class HealthCheck implements ResponseHandler {
  readonly #path: string
  readonly #options: HealthOptions
  readonly #random: () => number
  readonly #onResult: (isHealthy: boolean) => void
  readonly #client: BackendClient
  #timer: NodeJS.Timeout
  #call: UpstreamCall | undefined
  #isClosed = false

  constructor(
    { address, path }: Server,
    options: HealthOptions,
    random: () => number,
    onResult: (isHealthy: boolean) => void,
  ) {
    this.#path = path
    this.#options = options
    this.#random = random
    this.#onResult = onResult
    this.#client = new BackendClient(address, options.timeoutMs)
    // The first check is late: requests show sooner whether a server can be reached.
    this.#timer = this.#checkIn(options.intervalMs * (1 + random()))
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
    this.#call?.cancel()
    this.#client.close()
  }

  // ------------------------------------------------------------ ResponseHandler

  onHead(status: number): void {
    // Reads the rest of the response, so that the connection can be reused.
    this.#call?.release()
    this.#end(status < 500)
  }

  onData(): void {}

  onEnd(): void {}

  onError(): void {
    this.#end(false)
  }

  // ------------------------------------------------------------

  #checkIn(ms: number): NodeJS.Timeout {
    return setTimeout(() => this.#check(), ms).unref()
  }

  #check(): void {
    this.#timer = setTimeout(() => {
      this.#call?.cancel()
      this.#end(false)
    }, this.#options.timeoutMs).unref()
    this.#call = this.#client.send({ method: 'GET', path: this.#path, body: null }, this)
  }

  #end(isHealthy: boolean): void {
    clearTimeout(this.#timer)
    if (this.#isClosed) return
    this.#onResult(isHealthy)
    // The result may have closed the check. Intervals vary by 20 %, so that the checks of all servers spread.
    if (!this.#isClosed) this.#timer = this.#checkIn(this.#options.intervalMs * (0.8 + 0.4 * this.#random()))
  }
}
