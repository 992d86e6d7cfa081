import type { LeaseClaim, Leases } from '../limits.ts'

/** Concurrency leases in this process. They need no time to live, because they end with the process. */
export class MemoryLeases implements Leases {
  /** Ids of the requests in flight, by account, or by account and key. */
  readonly #leases = new Map<string, Set<string>>()

  take({ account, key, id, limit }: Pick<LeaseClaim, 'account' | 'key' | 'id' | 'limit'>): boolean {
    const holder = holderOf(account, key)
    const leases = this.#leases.get(holder)
    if (leases === undefined) this.#leases.set(holder, new Set([id]))
    else if (leases.size < limit) leases.add(id)
    else return leases.has(id)
    return true
  }

  release(account: string, id: string, key?: string): void {
    const holder = holderOf(account, key)
    const leases = this.#leases.get(holder)
    if (leases?.delete(id) === true && leases.size === 0) this.#leases.delete(holder)
  }
}

function holderOf(account: string, key: string | undefined): string {
  return key === undefined ? account : `${account} ${key}`
}
