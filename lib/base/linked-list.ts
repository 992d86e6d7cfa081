/** Knows its neighbours in the list that holds it. */
export interface Linked<T> {
  previous: T | null
  next: T | null
  isListed: boolean
}

/**
 * A list in the order in which elements were added, for those that come and go with requests. What leaves keeps no reference to
 * what came after it, as the tables of a Set or Map do (swap-remove-list.ts says what that costs).
 */
export class LinkedList<T extends Linked<T>> {
  #first: T | null = null
  #last: T | null = null

  /** The one that was added before all others. */
  get first(): T | null {
    return this.#first
  }

  /** The element must be in no list. */
  add(element: T): void {
    element.isListed = true
    element.previous = this.#last
    if (this.#last === null) this.#first = element
    else this.#last.next = element
    this.#last = element
  }

  /** False: the element is not in the list. */
  delete(element: T): boolean {
    if (!element.isListed) return false
    const { previous, next } = element
    if (previous === null) this.#first = next
    else previous.next = next
    if (next === null) this.#last = previous
    else next.previous = previous
    element.isListed = false
    element.previous = null
    element.next = null
    return true
  }
}
