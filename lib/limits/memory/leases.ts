import type { LeaseClaim, Leases } from '../limits.ts'

/** Concurrency leases in this process. They need no time to live, because they end with it. */
export class MemoryLeases implements Leases {
  /** Ids of the requests in flight, by account, or by account and key. */
  readonly #held = new Map<string, Set<string>>()

  take({ account, key, id, limit }: Pick<LeaseClaim, 'account' | 'key' | 'id' | 'limit'>): boolean {
    const holder = holderOf(account, key)
    const held = this.#held.get(holder)
    if (held === undefined) this.#held.set(holder, new Set([id]))
    else if (held.size < limit) held.add(id)
    else return held.has(id)
    return true
  }

  release(account: string, id: string, key?: string): void {
    const holder = holderOf(account, key)
    const held = this.#held.get(holder)
    if (held?.delete(id) === true && held.size === 0) this.#held.delete(holder)
  }
}

function holderOf(account: string, key: string | undefined): string {
  return key === undefined ? account : `${account} ${key}`
}
