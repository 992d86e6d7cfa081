/**
 * Gives memory back to the system after a burst. V8 collects when something is allocated: what large bodies or thousands of streams have
 * left behind stays for as long as little else is asked of the process, and pages that a collection has emptied are kept for some
 * time after it (docs/adr/0074-memory-goes-back.md).
 */

const MB = 2 ** 20
const LOOK_MS = 15_000
/** So far above the least that the process has had, there is something to give back. */
const WORTH_BYTES = 200 * MB
/** A collection after which less has gone back was in vain: what is there is in use. */
const GAIN_BYTES = 32 * MB
/** Most looks between two collections that were in vain: an hour. */
const LONGEST_PAUSE = 240

export interface ProcessMemory {
  /** Bytes in main memory. */
  resident(): number
  /** Collects the whole heap, which stops the thread: about a millisecond for each megabyte that is in use. */
  collect(): void
}

/** Collects the heap where much more than ever before is in memory, and more and more rarely while that changes nothing. */
export class MemoryReturn {
  readonly #memory: ProcessMemory
  #least = Number.POSITIVE_INFINITY
  /** What was resident before the collection whose effect the next look tells. */
  #before: number | undefined
  #pause = 1
  /** Looks until the next collection. */
  #left = 0

  constructor(memory: ProcessMemory) {
    this.#memory = memory
  }

  /** To be called every now and then. */
  look(): void {
    const resident = this.#memory.resident()
    this.#least = Math.min(this.#least, resident)
    if (this.#before !== undefined) {
      this.#pause = this.#before - resident >= GAIN_BYTES ? 1 : Math.min(2 * this.#pause, LONGEST_PAUSE)
      this.#left = this.#pause
      this.#before = undefined
    }
    if (resident - this.#least < WORTH_BYTES) {
      this.#pause = 1
      this.#left = 0
      return
    }
    if (this.#left > 0) {
      this.#left--
      return
    }
    this.#before = resident
    this.#memory.collect()
  }
}

/** Looks after this process. Returns what ends that. Without `--expose-gc` (bin/node-flags.json) it does nothing. */
export function returnMemory(): () => void {
  const collect = globalThis.gc
  if (collect === undefined) return () => {}
  const memory = new MemoryReturn({ resident: () => process.memoryUsage.rss(), collect: () => void collect() })
  const timer = setInterval(() => memory.look(), LOOK_MS).unref()
  return () => clearInterval(timer)
}
