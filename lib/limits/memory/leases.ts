import type { LeaseClaim, Leases } from '../limits.ts'

/** Concurrency leases in this process. They need no time to live, because they end with the process. */
export class MemoryLeases implements Leases {
  /** Ids of the requests in flight, by account, or by account and scope. */
  readonly #leases = new Map<string, Set<string>>()

  take({ account, scope, id, limit }: Pick<LeaseClaim, 'account' | 'scope' | 'id' | 'limit'>): boolean {
    const holder = holderOf(account, scope)
    const leases = this.#leases.get(holder)
    if (leases === undefined) this.#leases.set(holder, new Set([id]))
    else if (leases.size < limit) leases.add(id)
    else return leases.has(id)
    return true
  }

  inFlight(account: string, scope?: string): number {
    return this.#leases.get(holderOf(account, scope))?.size ?? 0
  }

  release(account: string, id: string, scope?: string): void {
    const holder = holderOf(account, scope)
    const leases = this.#leases.get(holder)
    if (leases?.delete(id) === true && leases.size === 0) this.#leases.delete(holder)
  }
}

function holderOf(account: string, scope: string | undefined): string {
  return scope === undefined ? account : `${account} ${scope}`
}
