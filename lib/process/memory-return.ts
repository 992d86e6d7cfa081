/**
 * Gives memory back to the system. V8 collects when something is allocated: what large bodies or thousands of streams have left behind
 * stays for as long as little else is asked of the process (docs/adr/0074-memory-goes-back.md). And it keeps the pages that a
 * collection has emptied, unless it is told that memory is short (docs/adr/0087-empty-pages-go-back.md).
 */
import { getHeapStatistics } from 'node:v8'

const MB = 2 ** 20
const LOOK_MS = 15_000
/** By then all modules are loaded, and no burst has come. */
const FIRST_LOOK_MS = 2000
/** So far above the least that the process has had, there is something to give back. */
const WORTH_BYTES = 200 * MB
/** The same in a process that does so little that a pause keeps hardly anybody waiting. */
const WORTH_QUIET_BYTES = 64 * MB
/** Of one core: health checks and open pages of the console take less, requests take more. */
const QUIET_SHARE = 0.05
/** In a smaller heap marking everything twice, which giving pages back takes, is short. */
const SMALL_HEAP_BYTES = 100 * MB
/** Where requests hold more, collecting what they use takes long, and those of others wait for it: it waits until they are over. */
const MUCH_HELD_BYTES = 32 * MB
/** A step after which less has gone back was in vain: what is there is in use. */
const GAIN_BYTES = 32 * MB
/** Most looks between two steps that were in vain: an hour. */
const LONGEST_PAUSE = 240
/** Looks between two steps of a quiet process: five minutes, so that a little traffic is not stopped again and again. */
const QUIET_PAUSE = 20

export interface ProcessMemory {
  /** Bytes in main memory. */
  resident(): number
  /** Bytes of the heap: in use, or garbage. */
  heap(): number
  /** Bytes that requests hold, about. */
  held(): number
  /** CPU time since it was last asked, as a part of that time. */
  cpuShare(): number
  /** Collects the whole heap, which stops the thread: two to four milliseconds for each megabyte that is in use. Its pages stay. */
  collect(): void
  /** Collects until nothing more becomes free, and gives back the pages that are empty: stops the thread two or three times as long. */
  release(): void
}

/** How many looks there are between two steps: more and more while they are in vain. */
class Rhythm {
  readonly #shortest: number
  #pause: number
  #left = 0
  /** What was resident after a step that was in vain. */
  #inUse = Number.POSITIVE_INFINITY

  constructor(shortest: number) {
    this.#shortest = shortest
    this.#pause = shortest
  }

  /** Counts a look. A further burst is not waited with. */
  isDue(resident: number): boolean {
    if (this.#left === 0 || resident - this.#inUse >= WORTH_BYTES) return true
    this.#left--
    return false
  }

  /** After a step that left so much resident. */
  wait(wasInVain: boolean, resident: number): void {
    this.#pause = wasInVain ? Math.min(2 * this.#pause, LONGEST_PAUSE) : this.#shortest
    this.#left = this.#pause
    this.#inUse = wasInVain ? resident : Number.POSITIVE_INFINITY
  }

  restart(): void {
    this.wait(false, 0)
    this.#left = 0
  }
}

/** Takes a step where much more than ever before is in memory, and more and more rarely while that changes nothing. */
export class MemoryReturn {
  readonly #memory: ProcessMemory
  readonly #busy = new Rhythm(1)
  readonly #quiet = new Rhythm(QUIET_PAUSE)
  #least = Number.POSITIVE_INFINITY
  /** The step whose effect the next look tells. */
  #taken: { readonly rhythm: Rhythm; readonly before: number; readonly collected: boolean } | undefined

  constructor(memory: ProcessMemory) {
    this.#memory = memory
  }

  /** To be called every now and then. */
  look(): void {
    const resident = this.#memory.resident()
    const isQuiet = this.#memory.cpuShare() < QUIET_SHARE
    this.#least = Math.min(this.#least, resident)
    this.#judge(resident)
    const isQuietDue = this.#quiet.isDue(resident)
    const excess = resident - this.#least
    const mayStop = this.#memory.held() < MUCH_HELD_BYTES
    if (excess >= WORTH_BYTES) {
      // As long as the heap is large, nobody knows how long giving its pages back would stop the thread: garbage first.
      const releases = isQuiet || this.#isHeapSmall
      if (mayStop && this.#busy.isDue(resident)) this.#step(this.#busy, resident, releases)
      return
    }
    this.#busy.restart()
    if (mayStop && excess >= WORTH_QUIET_BYTES && isQuiet && isQuietDue) this.#step(this.#quiet, resident, true)
  }

  #step(rhythm: Rhythm, before: number, releases: boolean): void {
    this.#taken = { rhythm, before, collected: !releases }
    if (releases) this.#memory.release()
    else this.#memory.collect()
  }

  #judge(resident: number): void {
    if (this.#taken === undefined) return
    const { rhythm, before, collected } = this.#taken
    this.#taken = undefined
    // The collection has shown that little is in use: its pages can go back at once.
    if (collected && this.#isHeapSmall) return
    // Where much has come since, nobody knows what has gone.
    rhythm.wait(Math.abs(before - resident) < GAIN_BYTES, resident)
  }

  get #isHeapSmall(): boolean {
    return this.#memory.heap() <= SMALL_HEAP_BYTES
  }
}

/**
 * Looks after this process. Returns what ends that. Without `--expose-gc` (bin/node-flags.json) it does nothing. `held`: bytes that
 * requests hold, about.
 */
export function returnMemory(held: () => number): () => void {
  const collect = globalThis.gc
  if (collect === undefined) return () => {}
  const memory = new MemoryReturn(processMemory(collect, held))
  const first = setTimeout(() => memory.look(), FIRST_LOOK_MS).unref()
  const timer = setInterval(() => memory.look(), LOOK_MS).unref()
  return () => {
    clearTimeout(first)
    clearInterval(timer)
  }
}

/** `collect`: Node's function of `--expose-gc`. */
export function processMemory(collect: NodeJS.GCFunction, held: () => number): ProcessMemory {
  let last = { cpu: cpuMs(), at: performance.now() }
  return {
    resident: () => process.memoryUsage.rss(),
    heap: () => getHeapStatistics().used_heap_size,
    held,
    cpuShare: () => {
      const now = { cpu: cpuMs(), at: performance.now() }
      const share = (now.cpu - last.cpu) / (now.at - last.at)
      last = now
      return share
    },
    collect: () => void collect(),
    release: () => void collect({ type: 'major', execution: 'sync', flavor: 'last-resort' }),
  }
}

/** Of all threads of this process since it was started. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
