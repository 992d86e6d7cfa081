/**
 * Gives memory back to the system. V8 collects when something is allocated: what large bodies or thousands of streams have left behind
 * stays for as long as little else is asked of the process (docs/adr/0074-memory-goes-back.md). And it keeps the pages that a
 * collection has emptied, unless it is told that memory is short (docs/adr/0095-v8-gives-pages-back-itself.md).
 */
import { beginCollection, givePagesBack } from '../base/collection.ts'

const MB = 2 ** 20
const LOOK_MS = 10_000
/** By then all modules are loaded, and no burst has come. */
const FIRST_LOOK_MS = 2000
/** So far above the least that the process has had, there is something to give back. */
const MUCH_BYTES = 200 * MB
/** The same in a process that does so little that a pause keeps hardly anybody waiting. */
const LITTLE_BYTES = 64 * MB
/** Of one core: health checks and open pages of the console take less, requests take more. */
const QUIET_SHARE = 0.05
/** While bodies hold more, what there is is in use, or will be needed again at once, and others wait for them as it is. */
const MUCH_HELD_BYTES = 32 * MB
/** A step after which less has gone back was in vain: what is there is in use. */
const GAIN_BYTES = 32 * MB
/** Most looks between two steps that were in vain: an hour. */
const LONGEST_PAUSE = 360
/** Looks between two steps for a little: five minutes, so that a little traffic is not stopped again and again. */
const LITTLE_PAUSE = 30
/** At every look, and after one in vain once more: it may have come while the burst was not over. */
const NO_PAUSE = 0.25

export interface ProcessMemory {
  /** Bytes in main memory. */
  resident(): number
  /** Bytes that bodies of requests hold. */
  held(): number
  /** CPU time since it was last asked, as a part of that time. */
  cpuShare(): number
  /** Begins to collect the whole heap. Its pages stay. */
  collect(): void
  /** Does that, and gives empty pages back before the next look. Stops the thread for up to a twentieth of a second. */
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
    if (this.#left === 0 || resident - this.#inUse >= MUCH_BYTES) return true
    this.#left--
    return false
  }

  /** After a step that left so much resident. */
  wait(wasInVain: boolean, resident: number): void {
    this.#pause = wasInVain ? Math.min(2 * this.#pause, LONGEST_PAUSE) : this.#shortest
    this.#left = Math.floor(this.#pause)
    this.#inUse = wasInVain ? resident : Number.POSITIVE_INFINITY
  }

  restart(): void {
    this.wait(false, 0)
  }
}

/** Takes a step where much more than ever before is in memory, and more and more rarely while that changes nothing. */
export class MemoryReturn {
  readonly #memory: ProcessMemory
  readonly #collections = new Rhythm(NO_PAUSE)
  readonly #releases = new Rhythm(NO_PAUSE)
  readonly #littleReleases = new Rhythm(LITTLE_PAUSE)
  #least = Number.POSITIVE_INFINITY
  /** Much was there, and has been collected: what is still there may be empty pages. */
  #isCollected = false
  /** The step whose effect the next look tells. */
  #taken: { readonly rhythm: Rhythm; readonly before: number } | undefined

  constructor(memory: ProcessMemory) {
    this.#memory = memory
  }

  /** To be called every now and then. */
  look(): void {
    const resident = this.#memory.resident()
    const isQuiet = this.#memory.cpuShare() < QUIET_SHARE
    const mayStop = this.#memory.held() < MUCH_HELD_BYTES
    this.#least = Math.min(this.#least, resident)
    this.#judge(resident)
    const isLittleDue = this.#littleReleases.isDue(resident)
    const excess = resident - this.#least
    if (excess >= MUCH_BYTES) {
      const releases = isQuiet || this.#isCollected
      const rhythm = releases ? this.#releases : this.#collections
      if (mayStop && rhythm.isDue(resident)) this.#step(rhythm, resident, releases)
      return
    }
    this.#isCollected = false
    this.#collections.restart()
    this.#releases.restart()
    if (excess >= LITTLE_BYTES && mayStop && isQuiet && isLittleDue) this.#step(this.#littleReleases, resident, true)
  }

  #step(rhythm: Rhythm, before: number, releases: boolean): void {
    this.#taken = { rhythm, before }
    this.#isCollected = true
    if (releases) this.#memory.release()
    else this.#memory.collect()
  }

  #judge(resident: number): void {
    if (this.#taken === undefined) return
    const { rhythm, before } = this.#taken
    this.#taken = undefined
    // Where much has come since, nobody knows what has gone.
    rhythm.wait(Math.abs(before - resident) < GAIN_BYTES, resident)
  }
}

/** Looks after this process. Returns what ends that. `held`: bytes that bodies of requests hold. */
export function returnMemory(held: () => number): () => void {
  const memory = processMemory(held)
  const returning = new MemoryReturn(memory)
  const first = setTimeout(() => returning.look(), FIRST_LOOK_MS).unref()
  const timer = setInterval(() => returning.look(), LOOK_MS).unref()
  return () => {
    clearTimeout(first)
    clearInterval(timer)
    memory.end()
  }
}

export function processMemory(held: () => number): ProcessMemory & { end(): void } {
  let last = { cpu: cpuMs(), at: performance.now() }
  let end = () => {}
  return {
    resident: () => process.memoryUsage.rss(),
    held,
    cpuShare: () => {
      const now = { cpu: cpuMs(), at: performance.now() }
      const share = (now.cpu - last.cpu) / (now.at - last.at)
      last = now
      return share
    },
    collect: beginCollection,
    release: () => {
      end()
      end = givePagesBack()
    },
    end: () => end(),
  }
}

/** Of all threads of this process since it was started. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
