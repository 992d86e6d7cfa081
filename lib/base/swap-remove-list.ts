/** A member of a SwapRemoveList. */
export interface ListMember {
  /** Index in the list; -1: in no list. */
  listIndex: number
}

/**
 * An unordered set with constant-time removal: the last element takes the index of a removed one.
 * A Set that changes as often keeps old hash tables until a full collection (docs/internals/memory.md).
 */
export class SwapRemoveList<T extends ListMember> {
  readonly #elements: T[] = []

  get size(): number {
    return this.#elements.length
  }

  add(element: T): void {
    element.listIndex = this.#elements.push(element) - 1
  }

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
