import type { ServedTokens } from './served-tokens.ts'

/** A request that waits. Times are monotonic milliseconds. */
export interface QueueEntry {
  readonly account: string
  /** Of the account's plan. Higher is served first. */
  readonly priority: number
  /** The request requires backends with zero data retention. */
  readonly zdr: boolean
  readonly since: number
  /** From then on the request has the highest priority of the queue. */
  readonly agedAt: number
}

/** The requests of one account with the same `zdr`, oldest first. */
interface AccountQueue<E> {
  readonly account: string
  readonly zdr: boolean
  readonly entries: E[]
}

/** Requests that wait for one model, by priority, then by tokens served to their account, then by age. */
export class FairQueue<E extends QueueEntry> {
  readonly #served: ServedTokens
  readonly #queues = new Map<string, AccountQueue<E>>()
  #size = 0

  constructor(served: ServedTokens) {
    this.#served = served
  }

  get size(): number {
    return this.#size
  }

  has(zdr: boolean): boolean {
    return this.#queues.values().some(queue => queue.zdr === zdr)
  }

  add(entry: E): void {
    const { account, zdr } = entry
    const accounts = this.accounts
    if (!accounts.has(account)) this.#served.join(account, accounts)
    const key = `${zdr} ${account}`
    let queue = this.#queues.get(key)
    if (queue === undefined) {
      queue = { account, zdr, entries: [] }
      this.#queues.set(key, queue)
    }
    queue.entries.push(entry)
    this.#size++
  }

  remove(entry: E): void {
    const key = `${entry.zdr} ${entry.account}`
    const { entries } = this.#queues.get(key)!
    entries.splice(entries.indexOf(entry), 1)
    if (entries.length === 0) this.#queues.delete(key)
    this.#size--
  }

  /** The next entry, which stays in the queue. `full`: the values of `zdr` for which no backend has capacity. */
  next(now: number, full: ReadonlySet<boolean>): E | undefined {
    let top = Number.NEGATIVE_INFINITY
    for (const { entries } of this.#queues.values()) top = Math.max(top, entries[0]!.priority)
    const priorityOf = ({ priority, agedAt }: E) => (now >= agedAt ? top : priority)
    let best: E | undefined
    for (const { zdr, entries } of this.#queues.values()) {
      const entry = entries[0]!
      if (full.has(zdr)) continue
      if (best === undefined) {
        best = entry
        continue
      }
      const order =
        priorityOf(best) - priorityOf(entry) ||
        this.#served.of(entry.account) - this.#served.of(best.account) ||
        entry.since - best.since
      if (order < 0) best = entry
    }
    return best
  }

  /** The youngest entry of the account with the most, if that has more than `account` would have with a new one. */
  displaced(account: string): E | undefined {
    const counts = new Map<string, number>()
    for (const queue of this.#queues.values()) {
      counts.set(queue.account, (counts.get(queue.account) ?? 0) + queue.entries.length)
    }
    let largest = account
    const countOf = (one: string) => (counts.get(one) ?? 0) + (one === account ? 1 : 0)
    for (const one of counts.keys()) if (countOf(one) > countOf(largest)) largest = one
    if (largest === account) return undefined
    return [...this.#queues.values()]
      .filter(queue => queue.account === largest)
      .map(queue => queue.entries.at(-1)!)
      .reduce((one, other) => (other.since > one.since ? other : one))
  }

  get accounts(): ReadonlySet<string> {
    return new Set(Array.from(this.#queues.values(), ({ account }) => account))
  }
}
