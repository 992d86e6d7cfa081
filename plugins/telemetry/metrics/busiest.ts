/** Counts are halved this often, so that what was busy yesterday gives way to what is busy now. */
const HALF_LIFE_MS = 60_000

/** Names that are counted for each one that is shown: a name has to be counted before it can become one of the busiest. */
const COUNTED_PER_SHOWN = 10

/** Label of all others. */
export const OTHER = 'other'

/**
 * The busiest of many names, chosen anew every minute. Its memory is bounded, however many names there are: where there is no
 * room, the least busy one gives its place and its count to the newcomer (the Space-Saving algorithm).
 */
export class Busiest {
  readonly #most: number
  readonly #counts = new Map<string, number>()
  readonly #onLost: (name: string) => void
  #shown = new Set<string>()
  #chosenAt: number

  /** `most`: names that are shown. `onLost`: this one no longer is. `now`: monotonic milliseconds. */
  constructor(most: number, onLost: (name: string) => void, now: number) {
    this.#most = most
    this.#onLost = onLost
    this.#chosenAt = now
  }

  /** Counts a request. Returns the name where it is one of the busiest, else `other`. */
  count(name: string, now: number): string {
    if (now - this.#chosenAt >= HALF_LIFE_MS) this.#choose(now)
    const count = this.#counts.get(name)
    if (count !== undefined) this.#counts.set(name, count + 1)
    else this.#counts.set(name, this.#makeRoom() + 1)
    if (this.#shown.size < this.#most) this.#shown.add(name)
    return this.#shown.has(name) ? name : OTHER
  }

  /** The count of the name that has given its place; 0 where there was room. */
  #makeRoom(): number {
    if (this.#counts.size < this.#most * COUNTED_PER_SHOWN) return 0
    let least = ''
    let fewest = Number.POSITIVE_INFINITY
    for (const [name, count] of this.#counts) {
      // What is shown is taken out by #choose() alone.
      if (count < fewest && !this.#shown.has(name)) [least, fewest] = [name, count]
    }
    this.#counts.delete(least)
    return fewest
  }

  #choose(now: number): void {
    const halvings = Math.floor((now - this.#chosenAt) / HALF_LIFE_MS)
    this.#chosenAt += halvings * HALF_LIFE_MS
    const busiest = [...this.#counts].toSorted(([, a], [, b]) => b - a).slice(0, this.#most)
    const shown = new Set(busiest.map(([name]) => name))
    for (const name of this.#shown) if (!shown.has(name)) this.#onLost(name)
    this.#shown = shown
    for (const [name, count] of this.#counts) this.#counts.set(name, count / 2 ** halvings)
  }
}
