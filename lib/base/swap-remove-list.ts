/** A member of a SwapRemoveList. */
export interface ListMember {
  /** Index in the list; -1: in no list. */
  listIndex: number
}

/**
 * An unordered set with constant-time insertion and removal: the last element takes the index of a removed one.
 *
 * It replaces a Set for elements that are added and removed with each request. A Set allocates a new hash table when
 * deleted entries fill the old one. The old table refers to the new table and to the elements of that moment. Once one
 * table is in V8's old generation, all later tables and their elements remain until a full collection
 * (docs/internals/memory.md).
 */
export class SwapRemoveList<T extends ListMember> {
  readonly #elements: T[] = []

  get size(): number {
    return this.#elements.length
  }

  add(element: T): void {
    element.listIndex = this.#elements.push(element) - 1
  }

  /** No effect if the element is not in the list. */
  delete(element: T): void {
    const { listIndex } = element
    if (listIndex < 0) return
    element.listIndex = -1
    const last = this.#elements.pop()!
    if (last === element) return
    this.#elements[listIndex] = last
    last.listIndex = listIndex
  }

  /** A copy: the list may change during the iteration. */
  values(): T[] {
    return this.#elements.slice()
  }
}
