/** Failures in a row that say something about a backend (docs/DESIGN.md#ejection). */
const THRESHOLD = 5

/**
 * What the last requests of clients say about a backend:
 * - `none`: too little.
 * - `one-account`: enough failures, but all from one account, whose requests may be at fault.
 * - `failing`: it cannot be connected to, or fails for several accounts.
 */
export type Evidence = 'none' | 'one-account' | 'failing'

/** Failures in a row at one backend. Of the accounts only the last one is kept. */
export class FailuresInARow {
  /** Connections in a row that could not be opened, for requests of any account. */
  #unreachable = 0
  /** Other failures in a row. */
  #failures = 0
  /** Of the last failure. */
  #account = ''
  /** Failures at the end of the row that came from this account. */
  #ofAccount = 0

  /** There are enough failures for a question. */
  get isSuspicious(): boolean {
    return this.#failures >= THRESHOLD
  }

  /** A connection was open. */
  connected(): void {
    this.#unreachable = 0
  }

  /** A request was served. */
  served(): void {
    this.#unreachable = this.#failures = this.#ofAccount = 0
  }

  /** A request of this account was refused, which ends its own row of failures and says nothing about those of others. */
  refused(account: string): void {
    if (account === this.#account && this.#ofAccount === this.#failures) this.served()
  }

  /** No connection could be opened. */
  unreachable(): Evidence {
    return ++this.#unreachable >= THRESHOLD ? 'failing' : 'none'
  }

  /** A request of this account failed in another way. */
  failed(account: string): Evidence {
    this.#ofAccount = account === this.#account ? this.#ofAccount + 1 : 1
    this.#account = account
    if (++this.#failures < THRESHOLD) return 'none'
    return this.#ofAccount < THRESHOLD ? 'failing' : 'one-account'
  }
}
