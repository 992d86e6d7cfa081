/** No slot. */
export const NONE = -1
const MIN_SLOTS = 256

/**
 * A hash table from the hashes of chunks to slots, in typed arrays: about 18 bytes per chunk. Slots are numbers below
 * `slots`, for arrays of the caller.
 */
export class ChunkTable {
  /** Slots that arrays of the caller need. Grows with take(). */
  slots = 0
  /** Number of slots that have ever been used. */
  #used = 0
  /** The first of the free slots, which are linked by #nextFree. */
  #free = NONE
  #mask = 0
  /** Open addressing: slot + 1 by hash; 0: empty. */
  #table = new Int32Array(0)
  #high = new Int32Array(0)
  #low = new Int32Array(0)
  #nextFree = new Int32Array(0)

  /** Memory of the table, in bytes. */
  get bytes(): number {
    return this.#table.byteLength + this.slots * 4 * 3
  }

  /** The slot of this chunk, or NONE. */
  find(high: number, low: number): number {
    if (this.#used === 0) return NONE
    for (let at = high & this.#mask; ; at = (at + 1) & this.#mask) {
      const slot = this.#table[at]! - 1
      if (slot === NONE || (this.#high[slot] === high && this.#low[slot] === low)) return slot
    }
  }

  /** Adds a chunk that is not in the table. Returns its slot. */
  take(high: number, low: number): number {
    let slot = this.#free
    if (slot !== NONE) {
      this.#free = this.#nextFree[slot]!
    } else {
      if (this.#used === this.slots) this.#grow()
      slot = this.#used++
    }
    this.#high[slot] = high
    this.#low[slot] = low
    this.#enter(slot)
    return slot
  }

  /** Removes the chunk of a slot. Later entries move into the gap, so that no search ends too early. */
  remove(slot: number): void {
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
    this.#nextFree[slot] = this.#free
    this.#free = slot
  }

  clear(): void {
    this.#table.fill(0)
    this.#used = 0
    this.#free = NONE
  }

  #enter(slot: number): void {
    let at = this.#high[slot]! & this.#mask
    while (this.#table[at] !== 0) at = (at + 1) & this.#mask
    this.#table[at] = slot + 1
  }

  #grow(): void {
    this.slots = Math.max(MIN_SLOTS, Math.ceil(this.slots * 1.5))
    this.#high = grown(this.#high, new Int32Array(this.slots))
    this.#low = grown(this.#low, new Int32Array(this.slots))
    this.#nextFree = grown(this.#nextFree, new Int32Array(this.slots))
    const size = 2 ** Math.ceil(Math.log2(this.slots * 1.4))
    if (size === this.#table.length) return
    this.#table = new Int32Array(size)
    this.#mask = size - 1
    // No slot is free, so all are entered again.
    for (let slot = 0; slot < this.#used; slot++) this.#enter(slot)
  }
}

/** `to` with the elements of `from` at its start. */
export function grown<T extends Int32Array | Uint32Array | Uint8Array>(from: T, to: T): T {
  to.set(from)
  return to
}
