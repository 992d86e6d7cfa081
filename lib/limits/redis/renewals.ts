/** Entries that this process holds in Redis and must renew before they expire there. */
export class Renewals<T> {
  readonly #everyMs: number
  /** By request id, or a longer name, in the order of `dueAt`. */
  readonly #held = new Map<string, { readonly account: string; readonly value: T; dueAt: number }>()

  constructor(everyMs: number) {
    this.#everyMs = everyMs
  }

  /** `now`: monotonic milliseconds, in due() as well. */
  add(account: string, id: string, value: T, now: number): void {
    // A Map keeps the position of an existing key, and this one is now due last.
    this.#held.delete(id)
    this.#held.set(id, { account, value, dueAt: now + this.#everyMs })
  }

  /** Returns the entry's value. undefined: it is not held. */
  delete(id: string): T | undefined {
    const held = this.#held.get(id)
    this.#held.delete(id)
    return held?.value
  }

  /** From now on all entries are due. */
  dueNow(): void {
    for (const held of this.#held.values()) held.dueAt = Number.NEGATIVE_INFINITY
  }

  /** The entries that are due, by account. They count as renewed at `now`. */
  due(now: number): Map<string, [id: string, value: T][]> {
    const due = new Map<string, [string, T][]>()
    for (const [id, held] of this.#held) {
      if (held.dueAt > now) break
      held.dueAt = now + this.#everyMs
      // Moved to the end, which keeps the order.
      this.#held.delete(id)
      this.#held.set(id, held)
      const ofAccount = due.get(held.account)
      if (ofAccount === undefined) due.set(held.account, [[id, held.value]])
      else ofAccount.push([id, held.value])
    }
    return due
  }
}
