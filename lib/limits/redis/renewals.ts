/** What this process holds in Redis and must renew before it expires there. */
export class Renewals<T> {
  readonly #everyMs: number
  /** By id of the request, soonest due first. */
  readonly #held = new Map<string, { readonly account: string; readonly value: T; dueAt: number }>()

  constructor(everyMs: number) {
    this.#everyMs = everyMs
  }

  /** `now`: monotonic milliseconds, here and below. */
  add(account: string, id: string, value: T, now: number): void {
    // A Map keeps the place of a key that it has: due later, this one must not stand before others.
    this.#held.delete(id)
    this.#held.set(id, { account, value, dueAt: now + this.#everyMs })
  }

  /** False: it was not held, or not any more. */
  delete(id: string): boolean {
    return this.#held.delete(id)
  }

  /** What is due, by account; it is taken to be renewed now. */
  due(now: number): Map<string, [id: string, value: T][]> {
    const due = new Map<string, [string, T][]>()
    for (const [id, held] of this.#held) {
      if (held.dueAt > now) break
      held.dueAt = now + this.#everyMs
      // Behind all others, which keeps the order.
      this.#held.delete(id)
      this.#held.set(id, held)
      const ofAccount = due.get(held.account)
      if (ofAccount === undefined) due.set(held.account, [[id, held.value]])
      else ofAccount.push([id, held.value])
    }
    return due
  }
}
