/** Knows its place in the list that holds it; -1: none does. */
export interface Placed {
  place: number
}

/**
 * A set in no particular order, for elements that come and go with requests. A Set would keep those that have gone: when its
 * table is full of deleted entries it makes another one, and the old table refers to the elements of that moment and to the
 * new table. Once one table has reached V8's old generation, all that follow get there with their elements, though they are
 * garbage, and stay until a full collection (docs/BENCHMARKS.md#memory).
 */
export class PlacedList<T extends Placed> {
  readonly #elements: T[] = []

  get size(): number {
    return this.#elements.length
  }

  add(element: T): void {
    element.place = this.#elements.push(element) - 1
  }

  /** No effect where the element is not in the list. */
  delete(element: T): void {
    const { place } = element
    if (place < 0) return
    element.place = -1
    const last = this.#elements.pop()!
    if (last === element) return
    this.#elements[place] = last
    last.place = place
  }

  /** The elements at this moment: the list may be changed while they are gone through. */
  values(): T[] {
    return this.#elements.slice()
  }
}
