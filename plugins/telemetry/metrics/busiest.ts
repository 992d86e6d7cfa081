/** Interval after which counts are halved, so that names that are busy now replace names that were busy earlier. */
const HALF_LIFE_MS = 60_000

/** Counted names per shown name: a name must be counted before it can become one of the busiest. */
const COUNTED_PER_SHOWN = 10

/** Label of all names that are not shown. */
export const OTHER = 'other'

/**
 * Finds the busiest of an unbounded number of names in bounded memory (Space-Saving algorithm): in a full table, a new
 * name replaces the one with the lowest count, and continues that count. Chooses the shown names every minute.
 */
export class BusiestNames {
  readonly #max: number
  readonly #counts = new Map<string, number>()
  readonly #onRemoved: (name: string) => void
  #shown = new Set<string>()
  #chosenAt: number

  /** `max`: number of shown names. `onRemoved`: a name is not shown any more. `now`: monotonic milliseconds. */
  constructor(max: number, onRemoved: (name: string) => void, now: number) {
    this.#max = max
    this.#onRemoved = onRemoved
    this.#chosenAt = now
  }

  /** Counts a request. Returns the name if it is one of the busiest, else `other`. */
  count(name: string, now: number): string {
    if (now - this.#chosenAt >= HALF_LIFE_MS) this.#choose(now)
    const count = this.#counts.get(name)
    if (count !== undefined) this.#counts.set(name, count + 1)
    else this.#counts.set(name, this.#makeRoom() + 1)
    if (this.#shown.size < this.#max) this.#shown.add(name)
    return this.#shown.has(name) ? name : OTHER
  }

  /** Removes a name if the table is full. Returns the count of that name; 0: there was room. */
  #makeRoom(): number {
    if (this.#counts.size < this.#max * COUNTED_PER_SHOWN) return 0
    let lowest = ''
    let min = Number.POSITIVE_INFINITY
    for (const [name, count] of this.#counts) {
      // Only #choose() removes shown names.
      if (count < min && !this.#shown.has(name)) [lowest, min] = [name, count]
    }
    this.#counts.delete(lowest)
    return min
  }

  #choose(now: number): void {
    const halvings = Math.floor((now - this.#chosenAt) / HALF_LIFE_MS)
    this.#chosenAt += halvings * HALF_LIFE_MS
    const busiest = [...this.#counts].toSorted(([, a], [, b]) => b - a).slice(0, this.#max)
    const shown = new Set(busiest.map(([name]) => name))
    for (const name of this.#shown) if (!shown.has(name)) this.#onRemoved(name)
    this.#shown = shown
    for (const [name, count] of this.#counts) this.#counts.set(name, count / 2 ** halvings)
  }
}
