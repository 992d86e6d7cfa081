/** A member of a LinkedList. */
export interface Linked<T> {
  previous: T | null
  next: T | null
  isListed: boolean
}

/** A list in insertion order with constant-time insertion and removal. Why not a Set: see swap-remove-list.ts. */
export class LinkedList<T extends Linked<T>> {
  #first: T | null = null
  #last: T | null = null

  get first(): T | null {
    return this.#first
  }

  /** Adds an element that is in no list. */
  add(element: T): void {
    element.isListed = true
    element.previous = this.#last
    if (this.#last === null) this.#first = element
    else this.#last.next = element
    this.#last = element
  }

  /** Returns false if the element is in no list. */
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
