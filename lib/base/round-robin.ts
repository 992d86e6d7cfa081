import { type Linked, LinkedList } from './linked-list.ts'

/** Lines that are kept for accounts of which nothing waits, so that few of those that come again need another one. */
const MOST_IDLE = 64

/** What waits of one account, in order. It is in the list for as long as there is some. */
interface Line<T> extends Linked<Line<T>> {
  readonly account: string
  readonly waiting: T[]
}

/**
 * What waits of all accounts: the account that is first has the next turn, and is last then. No account is taken out of the Map: its old
 * tables would stay, and each keep the next one (placed-list.ts), 10 MB after 60,000 requests of which some waited in every tick.
 */
export class RoundRobin<T> {
  #lines = new Map<string, Line<T>>()
  readonly #busy = new LinkedList<Line<T>>()
  #busyCount = 0

  get isEmpty(): boolean {
    return this.#busyCount === 0
  }

  /** `isFirst`: before all others of its account. */
  add(account: string, element: T, isFirst: boolean): void {
    const line = this.#lines.get(account) ?? this.#open(account)
    if (isFirst) line.waiting.unshift(element)
    else line.waiting.push(element)
    if (!line.isListed) this.#list(line)
  }

  /** There must be one. */
  take(): T {
    const line = this.#busy.first!
    this.#busy.delete(line)
    this.#busyCount--
    const element = line.waiting.shift()!
    if (line.waiting.length > 0) this.#list(line)
    return element
  }

  /** Accounts that are known: for tests. */
  get known(): number {
    return this.#lines.size
  }

  #list(line: Line<T>): void {
    this.#busy.add(line)
    this.#busyCount++
  }

  #open(account: string): Line<T> {
    if (this.#lines.size >= 2 * this.#busyCount + MOST_IDLE) this.#forget()
    const line: Line<T> = { account, waiting: [], previous: null, next: null, isListed: false }
    this.#lines.set(account, line)
    return line
  }

  /** Those of which nothing waits. */
  #forget(): void {
    this.#lines = new Map()
    for (let line = this.#busy.first; line !== null; line = line.next) this.#lines.set(line.account, line)
  }
}
