import type { Backend } from '../backends/backend.ts'
import type { Learnt } from '../backends/snapshot.ts'
import { BackendLoad } from './backend-load.ts'
import { BackendSpeed, type ModelSpeed } from './backend-speed.ts'
import { CacheSize } from './cache-size.ts'
import { CHUNK_BYTES } from './chunk-hash.ts'
import { PrefixIndex } from './prefix-index.ts'

/** Most chunks of an index, whatever a configuration or an engine says: 30 MB. */
const MOST_CHUNKS = 1_000_000

/** All that routing knows of one backend of a model. */
export class RoutedBackend {
  readonly backend: Backend
  readonly load = new BackendLoad()
  readonly speed: BackendSpeed
  readonly cache = new CacheSize()
  readonly index = new PrefixIndex(1)
  #chunkTokens = 0
  #tokens = 0

  constructor(backend: Backend, model: ModelSpeed) {
    this.backend = backend
    this.speed = new BackendSpeed(model)
  }

  /** Adjusts the index to what the backend holds. `tokensPerByte`: of the model. */
  fit(tokensPerByte: number): void {
    const { cache } = this
    cache.set(this.backend.config.routing.cache_tokens)
    const chunkTokens = CHUNK_BYTES * tokensPerByte
    // The ratio moves a little with each reply, which is not worth a new size.
    if (cache.tokens === this.#tokens && Math.abs(chunkTokens / this.#chunkTokens - 1) < 0.02) return
    this.#tokens = cache.tokens
    this.#chunkTokens = chunkTokens
    const chunks = Math.min(MOST_CHUNKS, cache.tokens / chunkTokens)
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

  /** The cache is empty: the backend has been down. */
  forget(): void {
    this.index.clear()
  }
}
