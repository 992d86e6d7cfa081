/** Memory outside of V8's heap (docs/adr/0096-memory-outside-of-the-heap-counts-with-it.md). */
import { getHeapStatistics } from 'node:v8'
import { beginCollection } from './collection.ts'

const MB = 2 ** 20

/** By so much, mostly garbage, memory outside of the heap may grow before it is collected. */
const MOST_GROWTH_BYTES = 128 * MB
/** It is looked at for each of these, which takes a microsecond. */
const LOOK_BYTES = 16 * MB

/**
 * Collects where much more memory outside of the heap is in use, or garbage, than there has been since the last time: what V8 waits
 * for grows with what is in use, to gigabytes in a large heap.
 */
export class OutsideMemory {
  readonly #collect: () => void
  readonly #inUse: () => number
  /** What has come since it was looked at. */
  #bytes = 0
  #least = Number.POSITIVE_INFINITY

  /** `inUse`: bytes outside of the heap that have not been collected. */
  constructor(collect: () => void = beginCollection, inUse: () => number = outsideBytes) {
    this.#collect = collect
    this.#inUse = inUse
  }

  /** So much has come. */
  add(bytes: number): void {
    this.#bytes += bytes
    if (this.#bytes < LOOK_BYTES) return
    this.#bytes = 0
    const inUse = this.#inUse()
    this.#least = Math.min(this.#least, inUse)
    if (inUse - this.#least < MOST_GROWTH_BYTES) return
    this.#collect()
    // With what it takes to begin.
    this.#least = this.#inUse()
  }
}

/** Of this thread. */
export const outsideMemory = new OutsideMemory()

function outsideBytes(): number {
  return getHeapStatistics().external_memory
}
