import type { LeaseClaim, Leases } from '../limits.ts'

/** Concurrency leases in this process. They need no time to live, because they end with it. */
export class MemoryLeases implements Leases {
  /** Ids of the requests in flight, by account. */
  readonly #held = new Map<string, Set<string>>()

  take({ account, id, limit }: Pick<LeaseClaim, 'account' | 'id' | 'limit'>): boolean {
    const held = this.#held.get(account)
    if (held === undefined) this.#held.set(account, new Set([id]))
    else if (held.size < limit) held.add(id)
    else return held.has(id)
    return true
  }

  release(account: string, id: string): void {
    const held = this.#held.get(account)
    if (held?.delete(id) === true && held.size === 0) this.#held.delete(account)
  }
}
