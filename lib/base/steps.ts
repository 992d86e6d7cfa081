/** Long work that may pause: written once, done at once where there is little of it, and in turns where there is much. */
import { Stint } from './turns.ts'

/** At each `yield` other exchanges may run. What it returns is the result. It keeps no `try … finally` open over a `yield`. */
export type Steps<T> = Generator<void, T, void>

/** The result, without a pause. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}

/**
 * The result where the work ends before it could pause; otherwise a promise of it, and the rest takes turns. Throws, or rejects,
 * with what the work throws.
 */
export function inTurns<T>(steps: Steps<T>): T | Promise<T> {
  const { done, value } = steps.next()
  return done === true ? value : restInTurns(steps)
}

async function restInTurns<T>(steps: Steps<T>): Promise<T> {
  const stint = new Stint()
  for (;;) {
    if (stint.isOver) await stint.next()
    const { done, value } = steps.next()
    if (done === true) return value
  }
}

/** Items between two pauses: of a conversation up to half a millisecond of work. */
export const ITEMS_PER_STEP = 500

/** Counts the items of long work: `if (pace.isStep()) yield` before each of them. */
export class Pace {
  #left = ITEMS_PER_STEP

  /** True before each item that begins another step. */
  isStep(): boolean {
    if (--this.#left >= 0) return false
    this.#left = ITEMS_PER_STEP - 1
    return true
  }
}
