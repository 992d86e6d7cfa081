import { BackendClient } from '../../transport/client.ts'
import type { ResponseHandler, UpstreamCall } from '../../transport/transport.ts'
import type { ServerAddress } from './server-address.ts'

export interface HealthOptions {
  readonly intervalMs: number
  readonly timeoutMs: number
}

/**
 * Requests the health route of one server periodically, until close(), and reports each result. A server error, a broken
 * connection and a timeout make a server unhealthy. Any other status shows a working one: some have no health route, or
 * protect it by a key. The connection is kept: a check that fails closes it, so that the next one opens another.
 */
export class HealthCheck implements ResponseHandler {
  readonly #path: string
  readonly #options: HealthOptions
  readonly #random: () => number
  readonly #onResult: (healthy: boolean) => void
  readonly #client: BackendClient
  /** Starts the next check, or ends a check that takes too long. */
  #timer: NodeJS.Timeout
  #call: UpstreamCall | undefined
  #closed = false

  constructor(
    { address, path }: ServerAddress,
    options: HealthOptions,
    random: () => number,
    onResult: (healthy: boolean) => void,
  ) {
    this.#path = path
    this.#options = options
    this.#random = random
    this.#onResult = onResult
    this.#client = new BackendClient(address, options.timeoutMs)
    // The first check comes late: at a start, requests and not checks show whether a server is there.
    this.#timer = this.#checkIn(options.intervalMs * (1 + random()))
  }

  close(): void {
    this.#closed = true
    clearTimeout(this.#timer)
    this.#call?.cancel()
    this.#client.close()
  }

  // ------------------------------------------------------------ ResponseHandler

  onHead(status: number): void {
    // The rest of the response is read, so that the connection can be used again.
    this.#call?.release()
    this.#end(status < 500)
  }

  onData(): void {}

  onEnd(): void {}

  onError(): void {
    this.#end(false)
  }

  // ------------------------------------------------------------

  /** The interval varies by a fifth to either side, so that the checks of all servers spread over it. */
  #next(): void {
    if (!this.#closed) this.#timer = this.#checkIn(this.#options.intervalMs * (0.8 + 0.4 * this.#random()))
  }

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

  #end(healthy: boolean): void {
    clearTimeout(this.#timer)
    if (this.#closed) return
    this.#onResult(healthy)
    this.#next()
  }
}
