import { ChunkTable, grown, NONE } from './chunk-table.ts'

/**
 * Times are stored in units of 4 ms, in 32 bits. They wrap around after half a year; chunks of that time get a wrong
 * age.
 */
const TIME_UNIT_MS = 4

/**
 * The state of a chunk: the backend is believed to have it cached, or to have evicted it, or requests in flight use it.
 * The first two are lists.
 */
const CACHED = 0
const EVICTED = 1
const PINNED = 2

/**
 * The hashes of chunks that a backend is believed to have in its prefix cache. An LRU list in typed arrays, with about
 * 35 bytes per chunk. Chunks of requests in flight are pinned, because an engine cannot evict what it uses. The index
 * may also remember evicted chunks: a backend that still has one of those caches more than is believed.
 */
export class PrefixIndex {
  #capacity: number
  #remembered: number
  readonly #table = new ChunkTable()
  #before = new Int32Array(0)
  #behind = new Int32Array(0)
  #touched = new Uint32Array(0)
  #state = new Uint8Array(0)
  /** Number of requests in flight that use the chunk. */
  #pins = new Uint32Array(0)
  /** 1: only lines of batches have used the chunk since it was added. */
  #ofLines = new Uint8Array(0)
  #lineChunks = 0
  readonly #first = [NONE, NONE]
  readonly #last = [NONE, NONE]
  /** Numbers of chunks by state. */
  readonly #count = [0, 0, 0]
  /** Number of clears. Pins of earlier lives do not count. */
  #life = 0

  /** `capacity`: limit of cached chunks; `remembered`: limit of evicted chunks that are remembered. */
  constructor(capacity: number, remembered = 0) {
    this.#capacity = Math.max(1, capacity)
    this.#remembered = remembered
  }

  /** Number of chunks that the backend is believed to have cached. */
  get size(): number {
    return this.#count[CACHED]! + this.#count[PINNED]!
  }

  get capacity(): number {
    return this.#capacity
  }

  /** Number of cached chunks that only lines of batches use. */
  get lineChunks(): number {
    return this.#lineChunks
  }

  /** Memory of the index, in bytes. */
  get bytes(): number {
    return this.#table.bytes + this.#table.slots * (4 * 4 + 2)
  }

  resize(capacity: number, remembered: number): void {
    this.#capacity = Math.max(1, Math.round(capacity))
    this.#remembered = Math.round(remembered)
    this.#shrink()
  }

  /**
   * Number of chunks of a prompt that are known, from the first one on. `cachedOnly`: evicted ones do not count. Before
   * a known chunk, all chunks are known, because the last use of a chunk is never before that of the next one. The
   * search is thus binary.
   */
  match(hashes: Int32Array, cachedOnly: boolean): number {
    const chunks = hashes.length / 2
    if (chunks === 0 || !this.#knows(hashes, 0, cachedOnly)) return 0
    let low = 1
    let high = chunks
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (this.#knows(hashes, middle - 1, cachedOnly)) low = middle
      else high = middle - 1
    }
    return low
  }

  /** Whether the chunk with this hash is believed to be cached. */
  has(high: number, low: number): boolean {
    const slot = this.#table.find(high, low)
    return slot !== NONE && this.#state[slot] !== EVICTED
  }

  /** Milliseconds since this chunk of a prompt was last used, or up to 4 less; 0: unknown, or in use. */
  age(hashes: Int32Array, chunk: number, now: number): number {
    const slot = chunk < 0 ? NONE : this.#find(hashes, chunk)
    return slot === NONE || this.#state[slot] === PINNED ? 0 : this.#since(slot, now)
  }

  /** Of the first `known` chunks, the number of those that were used within the last `maxMs`; at least `from`. */
  usedWithin(hashes: Int32Array, from: number, known: number, maxMs: number, now: number): number {
    let low = from
    let high = known
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (this.#since(this.#find(hashes, middle - 1), now) <= maxMs) low = middle
      else high = middle - 1
    }
    return low
  }

  /** Milliseconds since the oldest chunk that can be evicted was last used; 0: no such chunk. */
  oldest(now: number): number {
    const slot = this.#last[CACHED]!
    return slot === NONE ? 0 : this.#since(slot, now)
  }

  /**
   * Adds the chunks of a prompt, or moves them to the front. The first chunk is added last, so that it is evicted last.
   */
  insert(hashes: Int32Array, now: number, isLine = false): void {
    for (let chunk = hashes.length / 2 - 1; chunk >= 0; chunk--)
      this.touch(hashes[2 * chunk]!, hashes[2 * chunk + 1]!, now, isLine)
  }

  /** Adds one chunk, or moves it to the front. */
  touch(high: number, low: number, now: number, isLine = false): void {
    const slot = this.#slotOf(high, low, now, isLine)
    if (this.#state[slot] !== PINNED && this.#first[CACHED] !== slot) this.#move(slot, CACHED)
    this.#shrink()
  }

  /**
   * Adds the chunks of a prompt in flight. They are not evicted before unpin() or withdraw() is called with these
   * hashes. `isLine`: it is one of a batch. Returns the life of the index.
   */
  pin(hashes: Int32Array, now: number, isLine = false): number {
    for (let chunk = hashes.length / 2 - 1; chunk >= 0; chunk--) {
      const slot = this.#slotOf(hashes[2 * chunk]!, hashes[2 * chunk + 1]!, now, isLine)
      if (this.#pins[slot]!++ === 0) this.#move(slot, PINNED)
    }
    this.#shrink()
    return this.#life
  }

  /** The prompt has been computed. Chunks that no other request uses become the newest ones. `life`: of pin(). */
  unpin(hashes: Int32Array, now: number, life: number): void {
    if (life !== this.#life) return
    for (let chunk = hashes.length / 2 - 1; chunk >= 0; chunk--) {
      const slot = this.#find(hashes, chunk)
      this.#touched[slot] = ticks(now)
      this.#release(slot)
    }
    this.#shrink()
  }

  /**
   * The request has ended before its prompt was computed. Removes the chunks from `from` on that no other request has
   * used since it was sent. `life`: of pin().
   */
  withdraw(hashes: Int32Array, sentAt: number, life: number, from: number): void {
    if (life !== this.#life) return
    for (let chunk = hashes.length / 2 - 1; chunk >= 0; chunk--) {
      const slot = this.#find(hashes, chunk)
      this.#release(slot)
      if (chunk >= from && this.#state[slot] === CACHED && this.#touched[slot] === ticks(sentAt)) this.#remove(slot)
    }
    this.#shrink()
  }

  clear(): void {
    this.#table.clear()
    this.#first.fill(NONE)
    this.#last.fill(NONE)
    this.#count.fill(0)
    for (const words of [this.#pins, this.#ofLines]) words.fill(0)
    this.#lineChunks = 0
    this.#life++
  }

  #find(hashes: Int32Array, chunk: number): number {
    return this.#table.find(hashes[2 * chunk]!, hashes[2 * chunk + 1]!)
  }

  #knows(hashes: Int32Array, chunk: number, cachedOnly: boolean): boolean {
    const slot = this.#find(hashes, chunk)
    return slot !== NONE && (!cachedOnly || this.#state[slot] !== EVICTED)
  }

  #since(slot: number, now: number): number {
    return Math.max(0, now - this.#touched[slot]! * TIME_UNIT_MS)
  }

  #release(slot: number): void {
    if (--this.#pins[slot]! === 0) this.#move(slot, CACHED)
  }

  #shrink(): void {
    while (this.size > this.#capacity && this.#count[CACHED]! > 0) {
      const slot = this.#last[CACHED]!
      this.#setOfLines(slot, false)
      this.#move(slot, EVICTED)
    }
    while (this.#count[EVICTED]! > this.#remembered) this.#remove(this.#last[EVICTED]!)
  }

  /** The slot of a chunk, which is used now. A new chunk is the first of the cached ones. */
  #slotOf(high: number, low: number, now: number, isLine: boolean): number {
    let slot = this.#table.find(high, low)
    if (slot === NONE) {
      slot = this.#table.take(high, low)
      if (slot >= this.#touched.length) this.#grow(this.#table.slots)
      this.#link(slot, CACHED)
      this.#setOfLines(slot, isLine)
    } else if (this.#state[slot] === EVICTED) {
      this.#move(slot, CACHED)
      this.#setOfLines(slot, isLine)
    } else if (!isLine) this.#setOfLines(slot, false)
    this.#touched[slot] = ticks(now)
    return slot
  }

  #setOfLines(slot: number, isOfLines: boolean): void {
    const flag = Number(isOfLines)
    this.#lineChunks += flag - this.#ofLines[slot]!
    this.#ofLines[slot] = flag
  }

  #remove(slot: number): void {
    this.#setOfLines(slot, false)
    this.#unlink(slot)
    this.#table.remove(slot)
  }

  #move(slot: number, state: number): void {
    this.#unlink(slot)
    this.#link(slot, state)
  }

  #link(slot: number, state: number): void {
    this.#state[slot] = state
    this.#count[state]!++
    if (state === PINNED) return
    const first = this.#first[state]!
    this.#before[slot] = NONE
    this.#behind[slot] = first
    if (first === NONE) this.#last[state] = slot
    else this.#before[first] = slot
    this.#first[state] = slot
  }

  #unlink(slot: number): void {
    const state = this.#state[slot]!
    this.#count[state]!--
    if (state === PINNED) return
    const before = this.#before[slot]!
    const behind = this.#behind[slot]!
    if (before === NONE) this.#first[state] = behind
    else this.#behind[before] = behind
    if (behind === NONE) this.#last[state] = before
    else this.#before[behind] = before
  }

  #grow(slots: number): void {
    this.#before = grown(this.#before, new Int32Array(slots))
    this.#behind = grown(this.#behind, new Int32Array(slots))
    this.#touched = grown(this.#touched, new Uint32Array(slots))
    this.#state = grown(this.#state, new Uint8Array(slots))
    this.#pins = grown(this.#pins, new Uint32Array(slots))
    this.#ofLines = grown(this.#ofLines, new Uint8Array(slots))
  }
}

/** Rounds up, so that no chunk seems to be older than it is. */
function ticks(now: number): number {
  return Math.ceil(now / TIME_UNIT_MS)
}
