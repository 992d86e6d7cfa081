import { setImmediate as nextTick } from 'node:timers/promises'

/** Milliseconds that long work may take in one tick of the event loop. */
const TICK_BUDGET_MS = 4

/** Maximum number of ticks in succession that new connections get alone. */
const MAX_YIELDED_TICKS = 64

/**
 * A FIFO queue for long work, such as parsing a large body. It runs for a few milliseconds of each tick, but not while
 * connections are accepted: libuv accepts only one in each tick, so the others wait for that work (docs/adr/0098).
 */
export class LongWorkQueue {
  readonly #budgetMs: number
  readonly #waiting: (() => void)[] = []
  #isServing = false
  #hasAccepted = false

  constructor(budgetMs: number = TICK_BUDGET_MS) {
    this.#budgetMs = budgetMs
  }

  /** Resolves in a later tick, in call order. The caller's work until its next turn() counts against that tick. */
  turn(): Promise<void> {
    return new Promise(resolve => {
      this.#waiting.push(resolve)
      if (!this.#isServing) void this.#serve()
    })
  }

  /** A connection was accepted in this tick. */
  accepted(): void {
    this.#hasAccepted = true
  }

  async #serve(): Promise<void> {
    this.#isServing = true
    while (this.#waiting.length > 0) {
      let ticks = 0
      do {
        this.#hasAccepted = false
        await nextTick()
      } while (this.#hasAccepted && ++ticks < MAX_YIELDED_TICKS)
      const end = performance.now() + this.#budgetMs
      do {
        this.#waiting.shift()!()
        await microtasks()
      } while (this.#waiting.length > 0 && performance.now() < end)
    }
    this.#isServing = false
  }
}

/** Resolves after the microtasks that a resolved promise has queued. */
function microtasks(): Promise<void> {
  return new Promise(resolve => process.nextTick(resolve))
}

export const longWork = new LongWorkQueue()

/** Waits for a turn. Call it between pieces of long work. */
export function nextTurn(): Promise<void> {
  return longWork.turn()
}
