/** Default size in tokens: the KV cache of a model with 8 billion parameters on an H100. */
const DEFAULT_TOKENS = 400_000
/** Bounds of a learnt size. */
const MIN_TOKENS = 0.02 * DEFAULT_TOKENS
const MAX_TOKENS = 10 * DEFAULT_TOKENS

/**
 * Change of the learnt size by one reply. It decreases over the first replies, so that a wrong size is corrected soon.
 */
const FIRST_STEP = 0.15
const LAST_STEP = 0.03
const STEPS = 30

/**
 * Expected chunks that may be missing from a reported number although the backend has cached them. Caches store whole
 * blocks of up to 512 tokens, and tokens are not spread evenly over a text.
 */
const TOLERATED_CHUNKS = 2
const TOLERATED_SHARE = 0.25

/** What a reply shows about the cache of its backend. All numbers are chunks of the prompt's prefix. */
export interface CacheReport {
  /** The index had them as cached when the request was sent. */
  readonly expected: number
  /** `expected`, and those that the index had as evicted. */
  readonly remembered: number
  /** The backend has read them from its cache. */
  readonly reported: number
  /**
   * The last expected chunk was at least half as old as the oldest one in the index. The request that used it last had
   * been computed.
   */
  readonly wasOld: boolean
}

/** Size of a backend's prefix cache in tokens: as configured, as reported by the engine, or learnt from replies. */
export class CacheSize {
  #configured: number | undefined
  #reported: number | undefined
  #learnt = DEFAULT_TOKENS
  /** Replies that have changed the learnt size. */
  #changes = 0
  #movedAt = 0

  get tokens(): number {
    return this.#configured ?? this.#reported ?? this.#learnt
  }

  /** `set`: configured; `engine`: reported by the engine; `replies`: learnt. */
  get source(): 'set' | 'engine' | 'replies' {
    return this.#configured !== undefined ? 'set' : this.#reported !== undefined ? 'engine' : 'replies'
  }

  /** As reported by the engine; undefined: it was not read, or the engine does not report it. */
  get reported(): number | undefined {
    return this.#reported
  }

  /** Replies that have changed the learnt size, if it is in use. */
  get count(): number {
    return this.source === 'replies' ? this.#changes : 0
  }

  /** When the learnt size last changed, in monotonic milliseconds; 0: never. */
  get movedAt(): number {
    return this.#movedAt
  }

  setConfigured(tokens: number | undefined): void {
    this.#configured = tokens
  }

  setReported(tokens: number): void {
    this.#reported = tokens
  }

  /** Changes the learnt size, if it is in use. `indexed`: tokens in the index. Returns whether the size has changed. */
  learn({ expected, remembered, reported, wasOld }: CacheReport, indexed: number, now: number): boolean {
    if (this.source !== 'replies') return false
    const step = 1 + Math.max(LAST_STEP, FIRST_STEP * (1 - this.#changes / STEPS))
    const isMissed = reported < expected * (1 - TOLERATED_SHARE) - TOLERATED_CHUNKS
    if (wasOld && isMissed) this.#learnt = Math.min(this.#learnt, indexed) / step
    else if (remembered > expected && reported > (expected + remembered) / 2) this.#learnt *= step
    else return false
    this.#changes++
    this.#movedAt = now
    this.#learnt = Math.min(Math.max(this.#learnt, MIN_TOKENS), MAX_TOKENS)
    return true
  }
}
