import { type Placed, PlacedList } from '../base/placed-list.ts'

/** A body that is being read. */
export interface WatchedReading {
  /** Bytes so far. */
  readonly received: number
  /** The gateway has paused reading: the client is not at fault. */
  readonly isWaiting: boolean
  /** Aborts reading the body. */
  stalled(): void
}

/** Bytes that have to arrive within each period: 400 bytes a second with the default. */
const LEAST_BYTES = 4096

/** How often a period is looked at. */
const CHECKS = 4

interface Watched extends Placed {
  readonly reading: WatchedReading
  /** Bytes at the beginning of the period, and the checks since. */
  from: number
  checks: number
}

/**
 * Aborts bodies that hardly progress. Otherwise they would hold memory and a place, which others wait for, for as long as a
 * whole request may take.
 */
export class ReadingWatch {
  /** Not a Set, which would keep each body until a full collection: every request comes and goes here. */
  readonly #watched = new PlacedList<Watched>()
  #timer: NodeJS.Timeout | undefined

  /** `idleMs`: the period. */
  constructor(idleMs: number) {
    this.update(idleMs)
  }

  update(idleMs: number): void {
    clearInterval(this.#timer)
    if (idleMs === Number.POSITIVE_INFINITY) return
    this.#timer = setInterval(this.#check, Math.max(1, idleMs / CHECKS))
    this.#timer.unref()
  }

  /** Bodies that are being read. */
  get count(): number {
    return this.#watched.size
  }

  /** Returns a function that ends it. */
  add(reading: WatchedReading): () => void {
    const watched = { reading, from: 0, checks: 0, place: -1 }
    this.#watched.add(watched)
    return () => this.#watched.delete(watched)
  }

  close(): void {
    clearInterval(this.#timer)
  }

  readonly #check = (): void => {
    for (const watched of this.#watched.values()) {
      const { received, isWaiting } = watched.reading
      if (isWaiting || received - watched.from >= LEAST_BYTES) {
        watched.from = received
        watched.checks = 0
      } else if (++watched.checks > CHECKS) {
        watched.reading.stalled()
      }
    }
  }
}
