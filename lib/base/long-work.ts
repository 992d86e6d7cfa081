import { setImmediate as nextTick } from 'node:timers/promises'

/** Milliseconds of one tick of the event loop that long work may take. */
const TICK_BUDGET_MS = 4

/**
 * Shares the event loop between long work, such as parsing a large body, and everything else: a FIFO queue that is served
 * for a few milliseconds of each tick.
 */
export class LongWorkQueue {
  readonly #budgetMs: number
  readonly #waiting: (() => void)[] = []
  #isServing = false

  constructor(budgetMs: number = TICK_BUDGET_MS) {
    this.#budgetMs = budgetMs
  }

  /**
   * Resolves in a later tick, in the order of the calls. What the caller does before its next `await` of a turn counts
   * against the budget of that tick.
   */
  turn(): Promise<void> {
    return new Promise(resolve => {
      this.#waiting.push(resolve)
      if (!this.#isServing) void this.#serve()
    })
  }

  async #serve(): Promise<void> {
    this.#isServing = true
    while (this.#waiting.length > 0) {
      await nextTick()
      const end = performance.now() + this.#budgetMs
      do {
        this.#waiting.shift()!()
        await microtasks()
      } while (this.#waiting.length > 0 && performance.now() < end)
    }
    this.#isServing = false
  }
}

/** Resolves when the work that a resolved promise has started has returned. */
function microtasks(): Promise<void> {
  return new Promise(resolve => process.nextTick(resolve))
}

/** The queue of this thread. */
export const longWork = new LongWorkQueue()

/** Waits for a turn: call it between pieces of long work. */
export function nextTurn(): Promise<void> {
  return longWork.turn()
}
