import type { Backend } from '../backends/backend.ts'
import type { Learnt } from '../backends/snapshot.ts'
import { BackendLoad } from './backend-load.ts'
import { BackendSpeed, type ModelSpeed } from './backend-speed.ts'
import { CacheSize } from './cache-size.ts'
import { CHUNK_BYTES } from './chunk-hash.ts'
import { PrefixIndex } from './prefix-index.ts'

/** Limit of the chunks of an index, independent of configuration and engine: 30 MB. */
const MAX_CHUNKS = 1_000_000

/** Everything that routing knows about one backend of a model. */
export class RoutedBackend {
  readonly backend: Backend
  readonly load = new BackendLoad()
  readonly speed: BackendSpeed
  readonly cache = new CacheSize()
  readonly index = new PrefixIndex(1)
  /** Tokens of a chunk and of the cache, as of the last resize. */
  #chunkTokens = 0
  #tokens = 0

  constructor(backend: Backend, model: ModelSpeed) {
    this.backend = backend
    this.speed = new BackendSpeed(model)
  }

  /** Adjusts the index to the size of the backend's cache. `tokensPerByte`: of the model. */
  fit(tokensPerByte: number): void {
    const { cache } = this
    cache.setConfigured(this.backend.config.routing.cache_tokens)
    const chunkTokens = CHUNK_BYTES * tokensPerByte
    // The ratio changes a little with each reply. That is no reason to resize.
    if (cache.tokens === this.#tokens && Math.abs(chunkTokens / this.#chunkTokens - 1) < 0.02) return
    this.#tokens = cache.tokens
    this.#chunkTokens = chunkTokens
    const chunks = Math.min(MAX_CHUNKS, cache.tokens / chunkTokens)
    this.index.resize(chunks, cache.source === 'replies' ? chunks : 0)
  }

  get learnt(): Learnt {
    const { cache, speed } = this
    const { routing } = this.backend.config
    return {
      prefillTokensPerSecond: speed.tokensPerMs(routing) * 1000,
      decodeStepMs: speed.stepMs(routing),
      cacheTokens: cache.tokens,
      cacheSource: cache.source,
    }
  }

  /** The backend has been down, so its cache is empty. */
  forget(): void {
    this.index.clear()
  }
}
