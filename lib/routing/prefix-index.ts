/** No slot. */
const NONE = -1
const MIN_SLOTS = 256
/**
 * Times are stored in units of 4 ms, in 32 bits. They wrap around after half a year; chunks of that time get a wrong
 * age.
 */
const TIME_UNIT_MS = 4

/**
 * The two lists: chunks that the backend is believed to have cached, and those that it is believed to have evicted
 * last.
 */
const CACHED = 0
const EVICTED = 1

/**
 * The hashes of chunks that a backend is believed to have in its prefix cache. An LRU list in typed arrays, with about
 * 30 bytes per chunk. It may also remember evicted chunks: a backend that still has one of those caches more than is
 * believed.
 */
export class PrefixIndex {
  #capacity: number
  #remembered: number
  #slots = 0
  /** Number of slots that have ever been used. */
  #used = 0
  /** The first of the free slots, which are linked by #behind. */
  #free = NONE
  #mask = 0
  /** Hash table with open addressing: slot + 1 by hash; 0: empty. */
  #table = new Int32Array(0)
  #high = new Int32Array(0)
  #low = new Int32Array(0)
  #before = new Int32Array(0)
  #behind = new Int32Array(0)
  #touched = new Uint32Array(0)
  #list = new Uint8Array(0)
  readonly #first = [NONE, NONE]
  readonly #last = [NONE, NONE]
  readonly #count = [0, 0]

  /** `capacity`: limit of cached chunks; `remembered`: limit of evicted chunks that are remembered. */
  constructor(capacity: number, remembered = 0) {
    this.#capacity = Math.max(1, capacity)
    this.#remembered = remembered
  }

  /** Number of chunks that the backend is believed to have cached. */
  get size(): number {
    return this.#count[CACHED]!
  }

  get capacity(): number {
    return this.#capacity
  }

  /** Memory of the index, in bytes. */
  get bytes(): number {
    return this.#table.byteLength + this.#slots * (4 * 5 + 1)
  }

  resize(capacity: number, remembered: number): void {
    this.#capacity = Math.max(1, Math.round(capacity))
    this.#remembered = Math.round(remembered)
    this.#shrink()
  }

  /**
   * Number of chunks of a prompt that are known, from the first one on. `cachedOnly`: evicted ones do not count. Before
   * a known chunk, all chunks are known, because insert() touches them later. The search is thus binary.
   */
  match(hashes: Int32Array, cachedOnly: boolean): number {
    const chunks = hashes.length / 2
    if (chunks === 0 || this.#used === 0 || !this.#knows(hashes, 0, cachedOnly)) return 0
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
    const slot = this.#find(high, low)
    return slot !== NONE && this.#list[slot] === CACHED
  }

  /** Milliseconds since this chunk of a prompt was last used, or up to 4 less; 0: unknown chunk. */
  age(hashes: Int32Array, chunk: number, now: number): number {
    const slot = chunk < 0 ? NONE : this.#find(hashes[2 * chunk]!, hashes[2 * chunk + 1]!)
    return slot === NONE ? 0 : this.#since(slot, now)
  }

  /** Milliseconds since the oldest cached chunk was last used; 0: no chunk. */
  oldest(now: number): number {
    const slot = this.#last[CACHED]!
    return slot === NONE ? 0 : this.#since(slot, now)
  }

  /**
   * Adds the chunks of a prompt, or moves them to the front. The first chunk is added last, so that it is evicted last.
   */
  insert(hashes: Int32Array, now: number): void {
    for (let chunk = hashes.length / 2 - 1; chunk >= 0; chunk--)
      this.touch(hashes[2 * chunk]!, hashes[2 * chunk + 1]!, now)
  }

  /** Adds one chunk, or moves it to the front. */
  touch(high: number, low: number, now: number): void {
    let slot = this.#find(high, low)
    if (slot === NONE) {
      slot = this.#take(high, low)
    } else {
      if (this.#list[slot] === CACHED && this.#first[CACHED] === slot) {
        this.#touched[slot] = ticks(now)
        return
      }
      this.#unlink(slot)
    }
    this.#touched[slot] = ticks(now)
    this.#link(slot, CACHED)
    if (this.#count[CACHED]! > this.#capacity) this.#shrink()
  }

  /** Reverts an insertion at `now`: removes the chunks from `from` on that were not used since. */
  forget(hashes: Int32Array, from: number, now: number): void {
    for (let chunk = hashes.length / 2 - 1; chunk >= from; chunk--) {
      const slot = this.#find(hashes[2 * chunk]!, hashes[2 * chunk + 1]!)
      if (slot === NONE || this.#touched[slot] !== ticks(now)) continue
      this.#unlink(slot)
      this.#remove(slot)
    }
  }

  clear(): void {
    this.#table.fill(0)
    this.#used = 0
    this.#free = NONE
    this.#first.fill(NONE)
    this.#last.fill(NONE)
    this.#count.fill(0)
  }

  #knows(hashes: Int32Array, chunk: number, cachedOnly: boolean): boolean {
    const slot = this.#find(hashes[2 * chunk]!, hashes[2 * chunk + 1]!)
    return slot !== NONE && (!cachedOnly || this.#list[slot] === CACHED)
  }

  #since(slot: number, now: number): number {
    return Math.max(0, now - this.#touched[slot]! * TIME_UNIT_MS)
  }

  #shrink(): void {
    while (this.#count[CACHED]! > this.#capacity) {
      const slot = this.#last[CACHED]!
      this.#unlink(slot)
      this.#link(slot, EVICTED)
    }
    while (this.#count[EVICTED]! > this.#remembered) {
      const slot = this.#last[EVICTED]!
      this.#unlink(slot)
      this.#remove(slot)
    }
  }

  // ------------------------------------------------------------ lists

  #link(slot: number, list: number): void {
    const first = this.#first[list]!
    this.#list[slot] = list
    this.#before[slot] = NONE
    this.#behind[slot] = first
    if (first === NONE) this.#last[list] = slot
    else this.#before[first] = slot
    this.#first[list] = slot
    this.#count[list]!++
  }

  #unlink(slot: number): void {
    const list = this.#list[slot]!
    const before = this.#before[slot]!
    const behind = this.#behind[slot]!
    if (before === NONE) this.#first[list] = behind
    else this.#behind[before] = behind
    if (behind === NONE) this.#last[list] = before
    else this.#before[behind] = before
    this.#count[list]!--
  }

  // ------------------------------------------------------------ table

  #find(high: number, low: number): number {
    if (this.#used === 0) return NONE
    for (let at = high & this.#mask; ; at = (at + 1) & this.#mask) {
      const slot = this.#table[at]! - 1
      if (slot === NONE || (this.#high[slot] === high && this.#low[slot] === low)) return slot
    }
  }

  #take(high: number, low: number): number {
    let slot = this.#free
    if (slot !== NONE) {
      this.#free = this.#behind[slot]!
    } else {
      if (this.#used === this.#slots) this.#grow()
      slot = this.#used++
    }
    this.#high[slot] = high
    this.#low[slot] = low
    this.#enter(slot)
    return slot
  }

  #enter(slot: number): void {
    let at = this.#high[slot]! & this.#mask
    while (this.#table[at] !== 0) at = (at + 1) & this.#mask
    this.#table[at] = slot + 1
  }

  /** Removes the slot from the table. Later entries move into the gap, so that no search ends too early. */
  #remove(slot: number): void {
    const table = this.#table
    let gap = this.#high[slot]! & this.#mask
    while (table[gap] !== slot + 1) gap = (gap + 1) & this.#mask
    for (let at = (gap + 1) & this.#mask; table[at] !== 0; at = (at + 1) & this.#mask) {
      const home = this.#high[table[at]! - 1]! & this.#mask
      if (((at - home) & this.#mask) < ((at - gap) & this.#mask)) continue
      table[gap] = table[at]!
      gap = at
    }
    table[gap] = 0
    this.#behind[slot] = this.#free
    this.#free = slot
  }

  #grow(): void {
    const slots = Math.max(MIN_SLOTS, Math.ceil(this.#slots * 1.5))
    this.#high = grown(this.#high, new Int32Array(slots))
    this.#low = grown(this.#low, new Int32Array(slots))
    this.#before = grown(this.#before, new Int32Array(slots))
    this.#behind = grown(this.#behind, new Int32Array(slots))
    this.#touched = grown(this.#touched, new Uint32Array(slots))
    this.#list = grown(this.#list, new Uint8Array(slots))
    this.#slots = slots
    const size = 2 ** Math.ceil(Math.log2(slots * 1.4))
    if (size === this.#table.length) return
    this.#table = new Int32Array(size)
    this.#mask = size - 1
    // No slot is free, so all are entered again.
    for (let slot = 0; slot < this.#used; slot++) this.#enter(slot)
  }
}

/** Rounds up, so that no chunk seems to be older than it is. */
function ticks(now: number): number {
  return Math.ceil(now / TIME_UNIT_MS)
}

function grown<T extends Int32Array | Uint32Array | Uint8Array>(from: T, to: T): T {
  to.set(from)
  return to
}
