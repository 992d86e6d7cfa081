/** Entries of this process in Redis that it must renew before they expire. */
export class Renewals<T> {
  readonly #everyMs: number
  /** By id, in the order of `dueAt`. */
  readonly #entries = new Map<string, { readonly account: string; readonly value: T; dueAt: number }>()

  constructor(everyMs: number) {
    this.#everyMs = everyMs
  }

  /** Adds or replaces an entry. `now`: monotonic milliseconds, as in due(). */
  add(account: string, id: string, value: T, now: number): void {
    // Deleted first, because a Map keeps the position of an existing key.
    this.#entries.delete(id)
    this.#entries.set(id, { account, value, dueAt: now + this.#everyMs })
  }

  /** Returns the value of the deleted entry. undefined: there was none. */
  delete(id: string): T | undefined {
    const entry = this.#entries.get(id)
    this.#entries.delete(id)
    return entry?.value
  }

  dueNow(): void {
    for (const entry of this.#entries.values()) entry.dueAt = Number.NEGATIVE_INFINITY
  }

  /** Returns the entries that are due, by account, and marks them as renewed at `now`. */
  due(now: number): Map<string, [id: string, value: T][]> {
    const due = new Map<string, [string, T][]>()
    for (const [id, entry] of this.#entries) {
      if (entry.dueAt > now) break
      entry.dueAt = now + this.#everyMs
      // Moved to the end, which keeps the order.
      this.#entries.delete(id)
      this.#entries.set(id, entry)
      const ofAccount = due.get(entry.account)
      if (ofAccount === undefined) due.set(entry.account, [[id, entry.value]])
      else ofAccount.push([id, entry.value])
    }
    return due
  }
}
