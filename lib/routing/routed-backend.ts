import type { Backend } from '../backends/backend.ts'
import { BackendLoad } from './backend-load.ts'
import { CacheSize } from './cache-size.ts'
import { CHUNK_BYTES } from './chunk-hash.ts'
import { BackendBeliefs, type ModelBeliefs, prefillWork } from './model-beliefs.ts'
import { PrefixIndex } from './prefix-index.ts'
import type { Prompt } from './prompt.ts'
import { LineLoad } from './spare/line-load.ts'

/** Limit of the chunks of an index, independent of configuration and engine: 35 MB. */
const MAX_CHUNKS = 1_000_000
/** Part of the cache that answers in flight leave to prompts. */
const MIN_ROOM = 0.1
/** Smaller changes of the capacity are not worth a resize. */
const MIN_CHANGE = 0.01

/** The load of one server, which backends of several models may have. */
export interface ServerLoad {
  /** Apart from lines of batches. */
  readonly load: BackendLoad
  readonly lines: LineLoad
}

/** First tokens that were predicted and measured: their number, and the sums of both times. */
export class Predictions {
  count = 0
  predictedMs = 0
  measuredMs = 0

  add(predictedMs: number, measuredMs: number): void {
    this.count++
    this.predictedMs += predictedMs
    this.measuredMs += measuredMs
  }
}

/** Everything that routing knows about one backend of a model. */
export class RoutedBackend {
  readonly backend: Backend
  readonly model: ModelBeliefs
  readonly beliefs: BackendBeliefs
  /** Of its server. */
  readonly load: BackendLoad
  readonly lines: LineLoad
  readonly index = new PrefixIndex(1)
  readonly predictions = new Predictions()
  #cache = new CacheSize()
  /** A request has been sent to it since it was down. The first one may wait for the engine to warm up. */
  hasServed = true
  /** Capacity of the index as of the last resize, and the part of it for evicted chunks. */
  #chunks = 0
  #remembered = 0

  /** `loads`: by server. */
  constructor(backend: Backend, model: ModelBeliefs, loads: WeakMap<Backend['server'], ServerLoad> = new WeakMap()) {
    this.backend = backend
    this.model = model
    this.beliefs = new BackendBeliefs(model)
    const pace = () => this.beliefs.paceMs
    const shared = loads.get(backend.server) ?? { load: new BackendLoad(pace), lines: new LineLoad(pace) }
    loads.set(backend.server, shared)
    this.load = shared.load
    this.lines = shared.lines
  }

  get cache(): CacheSize {
    return this.#cache
  }

  /** Expected milliseconds of a prefill of which the backend has cached so many tokens. */
  prefillMs(knownTokens: number, promptTokens: number): number {
    const { routing } = this.backend.config
    return prefillWork(knownTokens, promptTokens, routing.attention_tokens) / this.beliefs.workPerMs(routing)
  }

  /** Adjusts the index to the part of the cache that answers leave to prompts. `tokensPerByte`: of the model. */
  fit(tokensPerByte: number, now: number): void {
    const { cache } = this
    cache.setConfigured(this.backend.config.routing.cache_tokens)
    const lineTokens = this.lines.load.answerTokens(now)
    const room = Math.max(MIN_ROOM * cache.tokens, cache.tokens - this.load.answerTokens(now) - lineTokens)
    const chunks = Math.min(MAX_CHUNKS, room / (CHUNK_BYTES * tokensPerByte))
    const remembered = cache.source === 'replies' || this.hasLines(now) ? chunks : 0
    const isSame = Math.abs(chunks - this.#chunks) < MIN_CHANGE * this.#chunks
    if (isSame && (remembered === 0) === (this.#remembered === 0)) return
    this.#chunks = chunks
    this.#remembered = remembered
    this.index.resize(chunks, remembered)
  }

  /** The part of the cache that prompts are believed to use, 0 to 1. */
  fill(tokensPerByte: number): number {
    return Math.min(1, (this.index.size * CHUNK_BYTES * tokensPerByte) / this.#cache.tokens)
  }

  /** Tokens at the start of the prompt that this backend is believed to have cached. */
  knownTokens({ hashes, length, session }: Prompt, tokensPerByte: number): number {
    let bytes = this.index.match(hashes, true) * CHUNK_BYTES
    // The last chunk of a conversation is incomplete and has no hash. With a known session, half of it counts as
    // cached.
    if (session !== null && length - bytes < 2 * CHUNK_BYTES && this.index.has(session[0]!, session[1]!))
      bytes += (length - bytes) / 2
    return Math.min(bytes, length) * tokensPerByte
  }

  /** Lines use a part of the cache, or have used it. */
  hasLines(now: number): boolean {
    return this.index.lineChunks > 0 || this.lines.load.answerTokens(now) > 0
  }

  /** How old a chunk is at most that the backend would still have cached without lines, in milliseconds. */
  ageWithoutLines(tokensPerByte: number, now: number): number {
    const answers = this.lines.load.answerTokens(now) / (CHUNK_BYTES * tokensPerByte)
    const all = this.index.capacity + answers
    const others = all - answers - this.index.lineChunks
    return others <= 0 ? Number.POSITIVE_INFINITY : (this.index.oldest(now) * all) / others
  }

  /** The backend has been down: its cache is empty, and another engine may have its address. */
  forget(): void {
    this.index.clear()
    this.beliefs.forget()
    this.#cache = new CacheSize()
    this.hasServed = false
  }
}
