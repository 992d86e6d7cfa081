import type { Backend } from '../backends/backend.ts'
import { BackendLoad } from './backend-load.ts'
import { CacheSize } from './cache-size.ts'
import { CHUNK_BYTES } from './chunk-hash.ts'
import { BackendBeliefs, type ModelBeliefs } from './model-beliefs.ts'
import { PrefixIndex } from './prefix-index.ts'

/** Limit of the chunks of an index, independent of configuration and engine: 35 MB. */
const MAX_CHUNKS = 1_000_000
/** Part of the cache that answers in flight leave to prompts. */
const MIN_ROOM = 0.1
/** Smaller changes of the capacity are not worth a resize. */
const MIN_CHANGE = 0.01

/** Everything that routing knows about one backend of a model. */
export class RoutedBackend {
  readonly backend: Backend
  readonly model: ModelBeliefs
  readonly beliefs: BackendBeliefs
  /** Of its server: backends of several models may have the same one. */
  readonly load: BackendLoad
  readonly index = new PrefixIndex(1)
  #cache = new CacheSize()
  /** A request has been sent to it since it was down. The first one may wait for the engine to warm up. */
  hasServed = true
  /** Capacity of the index as of the last resize, and the part of it for evicted chunks. */
  #chunks = 0
  #remembered = 0

  /** `loads`: by server. */
  constructor(backend: Backend, model: ModelBeliefs, loads: WeakMap<Backend['server'], BackendLoad> = new WeakMap()) {
    this.backend = backend
    this.model = model
    this.beliefs = new BackendBeliefs(model)
    this.load = loads.get(backend.server) ?? new BackendLoad(() => this.beliefs.paceMs)
    loads.set(backend.server, this.load)
  }

  get cache(): CacheSize {
    return this.#cache
  }

  /** Adjusts the index to the part of the cache that answers leave to prompts. `tokensPerByte`: of the model. */
  fit(tokensPerByte: number, now: number): void {
    const { cache } = this
    cache.setConfigured(this.backend.config.routing.cache_tokens)
    const room = Math.max(MIN_ROOM * cache.tokens, cache.tokens - this.load.answerTokens(now))
    const chunks = Math.min(MAX_CHUNKS, room / (CHUNK_BYTES * tokensPerByte))
    const remembered = cache.source === 'replies' ? chunks : 0
    const isSame = Math.abs(chunks - this.#chunks) < MIN_CHANGE * this.#chunks
    if (isSame && (remembered === 0) === (this.#remembered === 0)) return
    this.#chunks = chunks
    this.#remembered = remembered
    this.index.resize(chunks, remembered)
  }

  /** The backend has been down: its cache is empty, and another engine may have its address. */
  forget(): void {
    this.index.clear()
    this.beliefs.forget()
    this.#cache = new CacheSize()
    this.hasServed = false
  }
}
