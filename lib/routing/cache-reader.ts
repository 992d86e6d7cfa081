import type { Backend } from '../backends/backend.ts'
import { BackendClient } from '../transport/client.ts'
import type { ResponseHandler, UpstreamCall } from '../transport/transport.ts'
import { cacheTokensOf } from './cache-tokens.ts'

const TIMEOUT_MS = 5000
const MOST_BYTES = 4 * 1024 * 1024
/** The size of a cache changes when its server starts again: good health checks between two readings. */
const CHECKS_BETWEEN = 12

/**
 * Asks the servers of backends for the sizes of their caches, beside the health checks. No request waits for an answer.
 */
export class CacheReader {
  readonly #onTokens: (backend: Backend, tokens: number) => void
  /** Good checks until the next reading. */
  readonly #countdown = new WeakMap<Backend, number>()
  readonly #readings = new Set<Reading>()
  #closed = false

  constructor(onTokens: (backend: Backend, tokens: number) => void) {
    this.#onTokens = onTokens
  }

  /** The backend was found healthy: its size is read the first time, and now and then afterwards. */
  healthy(backend: Backend): void {
    const left = this.#countdown.get(backend) ?? 0
    if (left > 0) {
      this.#countdown.set(backend, left - 1)
      return
    }
    const { cache_path: path } = backend.config.profile
    this.#countdown.set(backend, CHECKS_BETWEEN)
    if (this.#closed || path === null || backend.config.routing.cache_tokens !== undefined) return
    const reading = new Reading(backend, path, page => {
      this.#readings.delete(reading)
      const tokens = page === undefined ? undefined : cacheTokensOf(page)
      if (tokens !== undefined) this.#onTokens(backend, tokens)
    })
    this.#readings.add(reading)
  }

  close(): void {
    this.#closed = true
    for (const reading of this.#readings) reading.cancel()
  }
}

/** One request for a page. */
class Reading implements ResponseHandler {
  readonly #client: BackendClient
  readonly #call: UpstreamCall
  readonly #onPage: (page: string | undefined) => void
  readonly #timer: NodeJS.Timeout
  readonly #chunks: Buffer[] = []
  #size = 0
  #over = false

  constructor({ config }: Backend, path: string, onPage: (page: string | undefined) => void) {
    const { origin, pathname, search } = new URL(path, config.url)
    const { api_key, headers } = config
    this.#onPage = onPage
    this.#client = new BackendClient({ url: origin, api_key, headers }, TIMEOUT_MS)
    this.#timer = setTimeout(() => this.#end(undefined), TIMEOUT_MS).unref()
    this.#call = this.#client.send({ method: 'GET', path: pathname + search, body: null, fresh: true }, this)
  }

  cancel(): void {
    this.#end(undefined)
  }

  onHead(status: number): void {
    if (status !== 200) this.#end(undefined)
  }

  onData(chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.#size += chunk.length
    if (this.#size > MOST_BYTES) this.#end(undefined)
  }

  onEnd(): void {
    this.#end(Buffer.concat(this.#chunks).toString())
  }

  onError(): void {
    this.#end(undefined)
  }

  #end(page: string | undefined): void {
    if (this.#over) return
    this.#over = true
    clearTimeout(this.#timer)
    this.#call.cancel()
    this.#client.close()
    this.#onPage(page)
  }
}
