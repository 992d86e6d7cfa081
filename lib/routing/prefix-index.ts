/** No slot, no neighbour. */
const NONE = -1
const FIRST_SLOTS = 256
/**
 * Times are kept in units of 4 ms, in 32 bits: they wrap around after half a year, which ages one generation wrongly.
 */
const TIME_UNIT_MS = 4

/** The two lists: chunks that the backend is believed to hold, and those it is believed to have dropped last. */
const HELD = 0
const DROPPED = 1

/**
 * The hashes of chunks that a backend is believed to have in its prefix cache: least recently used first out, in typed
 * arrays (about 30 bytes a chunk). Behind them, as many that have fallen out may be remembered: a backend that still
 * has one of those holds more than is believed.
 */
export class PrefixIndex {
  #capacity: number
  #remembered: number
  #slots = 0
  /** Slots that have been in use. */
  #used = 0
  #free = NONE
  #mask = 0
  /** Slot + 1 by hash; 0: empty. Open addressing. */
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

  /** `capacity`: chunks that are held; `remembered`: chunks that are kept behind them. */
  constructor(capacity: number, remembered = 0) {
    this.#capacity = Math.max(1, capacity)
    this.#remembered = remembered
  }

  /** Chunks that the backend is believed to hold. */
  get size(): number {
    return this.#count[HELD]!
  }

  get capacity(): number {
    return this.#capacity
  }

  /** Bytes of memory. */
  get bytes(): number {
    return this.#table.byteLength + this.#slots * (4 * 5 + 1)
  }

  /** Chunks are dropped, or taken back, at the next insertion. */
  resize(capacity: number, remembered: number): void {
    this.#capacity = Math.max(1, Math.round(capacity))
    this.#remembered = Math.round(remembered)
    this.#shrink()
  }

  /**
   * How many chunks of a prompt are known, from its first one on. `held`: without those that are only remembered. A
   * known chunk's predecessors are known too, because they are touched after it: the search is binary.
   */
  match(hashes: Int32Array, held: boolean): number {
    const chunks = hashes.length / 2
    if (chunks === 0 || this.#used === 0 || !this.#knows(hashes, 0, held)) return 0
    let low = 1
    let high = chunks
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (this.#knows(hashes, middle - 1, held)) low = middle
      else high = middle - 1
    }
    return low
  }

  has(high: number, low: number): boolean {
    const slot = this.#find(high, low)
    return slot !== NONE && this.#list[slot] === HELD
  }

  /** Milliseconds since this chunk of a prompt was last used, or up to 4 less; 0 where it is not known. */
  age(hashes: Int32Array, chunk: number, now: number): number {
    const slot = chunk < 0 ? NONE : this.#find(hashes[2 * chunk]!, hashes[2 * chunk + 1]!)
    return slot === NONE ? 0 : this.#since(slot, now)
  }

  /** Milliseconds since the oldest chunk was last used; 0 where there is none. */
  oldest(now: number): number {
    const slot = this.#last[HELD]!
    return slot === NONE ? 0 : this.#since(slot, now)
  }

  /** Adds the chunks of a prompt, or moves them to the front: the first chunk last, so that it falls out last. */
  insert(hashes: Int32Array, now: number): void {
    for (let chunk = hashes.length / 2 - 1; chunk >= 0; chunk--)
      this.touch(hashes[2 * chunk]!, hashes[2 * chunk + 1]!, now)
  }

  touch(high: number, low: number, now: number): void {
    let slot = this.#find(high, low)
    if (slot === NONE) {
      slot = this.#take(high, low)
    } else {
      if (this.#list[slot] === HELD && this.#first[HELD] === slot) {
        this.#touched[slot] = ticks(now)
        return
      }
      this.#unlink(slot)
    }
    this.#touched[slot] = ticks(now)
    this.#link(slot, HELD)
    if (this.#count[HELD]! > this.#capacity) this.#shrink()
  }

  /** Takes back an insertion: of the chunks from this one on, those that were not used after `now`. */
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

  #knows(hashes: Int32Array, chunk: number, held: boolean): boolean {
    const slot = this.#find(hashes[2 * chunk]!, hashes[2 * chunk + 1]!)
    return slot !== NONE && (!held || this.#list[slot] === HELD)
  }

  #since(slot: number, now: number): number {
    return Math.max(0, now - this.#touched[slot]! * TIME_UNIT_MS)
  }

  #shrink(): void {
    while (this.#count[HELD]! > this.#capacity) {
      const slot = this.#last[HELD]!
      this.#unlink(slot)
      this.#link(slot, DROPPED)
    }
    while (this.#count[DROPPED]! > this.#remembered) {
      const slot = this.#last[DROPPED]!
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

  /** Entries behind the gap move up, so that no search ends too early. */
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
    const slots = Math.max(FIRST_SLOTS, Math.ceil(this.#slots * 1.5))
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
    // Only called when no slot is free: all are entered again.
    for (let slot = 0; slot < this.#used; slot++) this.#enter(slot)
  }
}

/** Rounded up: no chunk seems to be older than it is. */
function ticks(now: number): number {
  return Math.ceil(now / TIME_UNIT_MS)
}

function grown<T extends Int32Array | Uint32Array | Uint8Array>(from: T, to: T): T {
  to.set(from)
  return to
}
