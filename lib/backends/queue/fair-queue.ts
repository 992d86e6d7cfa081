import type { ServedTokens } from './served-tokens.ts'

/** A request that waits. Times are monotonic milliseconds. */
export interface Place {
  readonly account: string
  /** Of the plan; higher goes first. */
  readonly priority: number
  /** Only these backends will do: those with zero data retention. */
  readonly zdr: boolean
  readonly since: number
  /** From then on the request counts as of the highest priority that waits. */
  readonly agedAt: number
}

/** The requests of one account, oldest first. Those that need zero data retention wait in another line than the others. */
interface Line<P> {
  readonly account: string
  readonly zdr: boolean
  readonly places: P[]
}

/**
 * The order in which requests wait for one model: by priority; inside a priority, the account that has been served the
 * fewest tokens; inside an account, the oldest.
 */
export class FairQueue<P extends Place> {
  readonly #served: ServedTokens
  readonly #lines = new Map<string, Line<P>>()
  #size = 0

  constructor(served: ServedTokens) {
    this.#served = served
  }

  get size(): number {
    return this.#size
  }

  /** Whether a request waits for such backends. */
  has(zdr: boolean): boolean {
    return this.#lines.values().some(line => line.zdr === zdr)
  }

  add(place: P): void {
    const { account, zdr } = place
    const accounts = this.accounts
    if (!accounts.has(account)) this.#served.join(account, accounts)
    const key = `${zdr} ${account}`
    let line = this.#lines.get(key)
    if (line === undefined) {
      line = { account, zdr, places: [] }
      this.#lines.set(key, line)
    }
    line.places.push(place)
    this.#size++
  }

  /** Removes a place, which must be waiting. */
  remove(place: P): void {
    const key = `${place.zdr} ${place.account}`
    const { places } = this.#lines.get(key)!
    places.splice(places.indexOf(place), 1)
    if (places.length === 0) this.#lines.delete(key)
    this.#size--
  }

  /** Whose turn it is, without those that need backends for which there is no room. It keeps its place. */
  next(now: number, noRoom: ReadonlySet<boolean>): P | undefined {
    let top = Number.NEGATIVE_INFINITY
    for (const { places } of this.#lines.values()) top = Math.max(top, places[0]!.priority)
    const priorityOf = ({ priority, agedAt }: P) => (now >= agedAt ? top : priority)
    let best: P | undefined
    for (const { zdr, places } of this.#lines.values()) {
      const place = places[0]!
      if (noRoom.has(zdr)) continue
      if (best === undefined) {
        best = place
        continue
      }
      const order =
        priorityOf(best) - priorityOf(place) ||
        this.#served.of(place.account) - this.#served.of(best.account) ||
        place.since - best.since
      if (order < 0) best = place
    }
    return best
  }

  /**
   * The request that gives way to a new one of this account where the queue is full: the youngest of the account that has the
   * most waiting. undefined: no other account has more than this one would have.
   */
  displaced(account: string): P | undefined {
    const counts = new Map<string, number>()
    for (const line of this.#lines.values()) {
      counts.set(line.account, (counts.get(line.account) ?? 0) + line.places.length)
    }
    let most = account
    const countOf = (one: string) => (counts.get(one) ?? 0) + (one === account ? 1 : 0)
    for (const one of counts.keys()) if (countOf(one) > countOf(most)) most = one
    if (most === account) return undefined
    return [...this.#lines.values()]
      .filter(line => line.account === most)
      .map(line => line.places.at(-1)!)
      .reduce((one, other) => (other.since > one.since ? other : one))
  }

  get accounts(): ReadonlySet<string> {
    return new Set(Array.from(this.#lines.values(), ({ account }) => account))
  }
}
