/** Time of the event loop in one tick that long work of all exchanges together may take, in ms. */
const TICK_MS = 4

/**
 * Shares the event loop of this thread by time: reading, parsing and translating large bodies take turns, all exchanges
 * together for a few milliseconds of each tick, and then everything else has its turn (docs/adr/0044).
 */
export class Turns {
  readonly #tickMs: number
  readonly #waiting = new Set<() => void>()
  /** Time that was spent in this tick. */
  #spent = 0
  #isArmed = false
  /** When the current turn of #serve() began. */
  #began = 0

  constructor(tickMs: number = TICK_MS) {
    this.#tickMs = tickMs
  }

  /** True where work may begin at once, with now() and spend(); otherwise it waits for next(). */
  get isFree(): boolean {
    return this.#spent < this.#tickMs && this.#waiting.size === 0
  }

  /** Reports work that began at `from`, in ms of performance.now(). */
  spend(from: number): void {
    this.#spent += performance.now() - from
    this.#arm()
  }

  /** Resolves when it is the caller's turn, never in the same tick. The work that follows without waiting is its turn. */
  next(): Promise<void> {
    this.#arm()
    return new Promise(resolve => this.#waiting.add(resolve))
  }

  #arm(): void {
    if (this.#isArmed) return
    this.#isArmed = true
    setImmediate(this.#tick)
  }

  readonly #tick = (): void => {
    this.#isArmed = false
    this.#spent = 0
    this.#serve()
  }

  readonly #serve = (): void => {
    const [turn] = this.#waiting
    if (turn === undefined) return
    if (this.#spent >= this.#tickMs) return this.#arm()
    this.#waiting.delete(turn)
    this.#began = performance.now()
    turn()
    // Behind everything that this turn does in microtasks: that is its work.
    queueMicrotask(this.#later)
  }

  readonly #later = (): void => {
    process.nextTick(this.#after)
  }

  readonly #after = (): void => {
    this.#spent += performance.now() - this.#began
    this.#serve()
  }
}

/** Of this thread. */
export const turns = new Turns()

/** Waits for a turn on the event loop: to be called between pieces of long work. */
export function nextTurn(): Promise<void> {
  return turns.next()
}
