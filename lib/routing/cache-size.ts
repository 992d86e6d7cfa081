/** Where a backend's cache size is not known: the KV cache of a model of 8 billion parameters on an H100. */
const FIRST_TOKENS = 400_000
/** Bounds of what is learnt, as multiples of that. */
const LEAST = 0.02
const MOST = 10

/** Change by one reply: the first ones change more, so that a belief that is far off is soon near. */
const FIRST_STEP = 0.15
const LAST_STEP = 0.03
const STEPS = 30

/**
 * Chunks that are missing although the cache holds them: caches have whole blocks only, of up to 512 tokens, and tokens
 * are not spread evenly over a text.
 */
const SPARE = 2
const SPARE_SHARE = 0.25

/** What a reply has said of a prefix, all in chunks. */
export interface CacheReport {
  /** Held according to the index when the request was sent. */
  readonly expected: number
  /** The same, with those that are only remembered. */
  readonly remembered: number
  /** The backend has read from its cache. */
  readonly reported: number
  /**
   * The last chunk that was expected had not been used for at least half as long as the oldest in the index, and what
   * had used it was computed.
   */
  readonly wasOld: boolean
}

/** How many tokens the prefix cache of a backend holds: as set, as the engine says, or else as its replies teach. */
export class CacheSize {
  #set: number | undefined
  #told: number | undefined
  #learnt = FIRST_TOKENS
  #lessons = 0

  get tokens(): number {
    return this.#set ?? this.#told ?? this.#learnt
  }

  /** `set`: by hand; `engine`: by the engine's metrics; `replies`: learnt. */
  get source(): 'set' | 'engine' | 'replies' {
    return this.#set !== undefined ? 'set' : this.#told !== undefined ? 'engine' : 'replies'
  }

  set(tokens: number | undefined): void {
    this.#set = tokens
  }

  told(tokens: number): void {
    this.#told = tokens
  }

  /** Takes a lesson, where the size is not known. `held`: tokens in the index. Returns whether the size has changed. */
  learn({ expected, remembered, reported, wasOld }: CacheReport, held: number): boolean {
    if (this.source !== 'replies') return false
    const step = 1 + Math.max(LAST_STEP, FIRST_STEP * (1 - this.#lessons / STEPS))
    if (wasOld && reported < expected * (1 - SPARE_SHARE) - SPARE) this.#learnt = Math.min(this.#learnt, held) / step
    else if (remembered > expected && reported > (expected + remembered) / 2) this.#learnt *= step
    else return false
    this.#lessons++
    this.#learnt = Math.min(Math.max(this.#learnt, FIRST_TOKENS * LEAST), FIRST_TOKENS * MOST)
    return true
  }
}
