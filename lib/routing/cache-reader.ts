import type { Backend } from '../backends/backend.ts'
import { isObject, parseJson } from '../base/json.ts'
import { BackendClient } from '../transport/client.ts'
import { request } from '../transport/request.ts'

const TIMEOUT_MS = 5000
const MAX_PAGE_BYTES = 4 * 1024 * 1024
/** Successful health checks between two readings. A cache size changes only when its server restarts. */
const CHECKS_BETWEEN = 12

/** Reads the cache sizes of backends from their servers, in the background. */
export class CacheReader {
  readonly #onTokens: (backend: Backend, tokens: number) => void
  /** Successful health checks until the next reading. */
  readonly #countdown = new WeakMap<Backend, number>()
  readonly #closing = new AbortController()

  /** `onTokens`: called with each size that was read. */
  constructor(onTokens: (backend: Backend, tokens: number) => void) {
    this.#onTokens = onTokens
  }

  /** The backend has passed a health check. Its size is read at the first one, and then after every CHECKS_BETWEEN. */
  healthy(backend: Backend): void {
    const left = this.#countdown.get(backend) ?? 0
    if (left > 0) {
      this.#countdown.set(backend, left - 1)
      return
    }
    const { cache_path: path } = backend.config.profile
    this.#countdown.set(backend, CHECKS_BETWEEN)
    if (this.#closing.signal.aborted || path === null) return
    void this.#read(backend, path)
  }

  close(): void {
    this.#closing.abort()
  }

  async #read(backend: Backend, path: string): Promise<void> {
    const page = await pageOf(backend, path, this.#closing.signal)
    const tokens = page === undefined ? undefined : tokensIn(page)
    if (tokens !== undefined) this.#onTokens(backend, tokens)
  }
}

/** The page at a path of the backend's server; undefined after a failure or an abort. */
async function pageOf({ config }: Backend, path: string, closing: AbortSignal): Promise<string | undefined> {
  const { origin, pathname, search } = new URL(path, config.url)
  const { api_key, headers, tls, proxy } = config
  const client = new BackendClient({ url: origin, api_key, headers, tls, proxy }, TIMEOUT_MS)
  const signal = AbortSignal.any([closing, AbortSignal.timeout(TIMEOUT_MS)])
  try {
    const what = { method: 'GET', path: pathname + search, fresh: true } as const
    const { status, body } = await request(client, what, { signal, maxBytes: MAX_PAGE_BYTES })
    return status === 200 ? body.toString() : undefined
  } catch {
    return undefined
  } finally {
    client.close()
  }
}

const BLOCKS = /num_gpu_blocks="(\d+)"/
const BLOCK_SIZE = /[{,]block_size="(\d+)"/
const REPLICA = /[{,]dp_rank="(\d+)"/

/**
 * Size of a KV cache in tokens; undefined: not reported. `page`: the Prometheus metrics of vLLM or SGLang, with
 * series for each replica inside the server, or llama-server's list of slots.
 */
function tokensIn(page: string): number | undefined {
  const tokens = page.startsWith('[') ? ofSlots(page) : ofMetrics(page)
  return tokens > 0 ? tokens : undefined
}

function ofMetrics(page: string): number {
  let tokens = 0
  for (const line of seriesOf(page, 'vllm:cache_config_info')) {
    const blocks = BLOCKS.exec(line)?.[1]
    const size = BLOCK_SIZE.exec(line)?.[1]
    if (blocks !== undefined && size !== undefined) tokens += Number(blocks) * Number(size)
  }
  // With --enable-metrics-for-all-schedulers, each scheduler of a replica reports the size of the replica.
  const replicas = new Map<string, number>()
  for (const line of seriesOf(page, 'sglang:max_total_num_tokens')) {
    const value = Number(line.slice(line.lastIndexOf(' ') + 1))
    if (Number.isFinite(value)) replicas.set(REPLICA.exec(line)?.[1] ?? '', value)
  }
  for (const value of replicas.values()) tokens += value
  return tokens
}

/** The lines of a metric. They are searched by name, because a page may have a hundred kilobytes. */
function* seriesOf(page: string, name: string): Iterable<string> {
  for (let at = page.indexOf(name); at >= 0; at = page.indexOf(name, at + name.length)) {
    if (at > 0 && page[at - 1] !== '\n') continue
    const next = page[at + name.length]
    if (next !== '{' && next !== ' ') continue
    const end = page.indexOf('\n', at)
    yield page.slice(at, end < 0 ? page.length : end).trimEnd()
  }
}

function ofSlots(page: string): number {
  const slots = parseJson(page)
  if (!Array.isArray(slots)) return 0
  let tokens = 0
  for (const slot of slots) if (isObject(slot) && typeof slot.n_ctx === 'number') tokens += slot.n_ctx
  return tokens
}
