/** Generating a token costs an engine about as much as two tokens of a prompt. */
const OUTPUT_WEIGHT = 2

/** Approximate bytes of a request body per token of its prompt. */
const BYTES_PER_TOKEN = 4

/** Mean output tokens before the first reply. */
const FIRST_OUTPUT = 256

/** Minimum weight of a new reply in the mean. */
const MIN_WEIGHT = 0.05

/** Accounts that are remembered while none of their requests waits. */
const MAX_IDLE = 10_000

export interface CountedTokens {
  readonly account: string
  tokens: number
}

/** The tokens that each account has been served, as virtual counters: only their differences have a meaning. */
export class ServedTokens {
  readonly #counters = new Map<string, number>()
  /** Counter of the account that was served last, before its request was counted. */
  #floor = 0
  #meanOutput = FIRST_OUTPUT
  #replies = 0

  of(account: string): number {
    return this.#counters.get(account) ?? this.#floor
  }

  /** The account begins to wait. Its counter rises to the lowest of those that wait: idle time gives no claim. */
  join(account: string, waiting: Iterable<string>): void {
    let least = Number.POSITIVE_INFINITY
    for (const other of waiting) least = Math.min(least, this.of(other))
    const start = Number.isFinite(least) ? least : this.#floor
    this.#counters.set(account, Math.max(this.#counters.get(account) ?? 0, start))
  }

  /** A request is sent to a backend. It is counted at once, by its size and the mean output. */
  begin(account: string, bytes: number): CountedTokens {
    this.#floor = Math.max(this.#floor, this.of(account))
    const charge = { account, tokens: bytes / BYTES_PER_TOKEN + OUTPUT_WEIGHT * this.#meanOutput }
    this.#counters.set(account, this.of(account) + charge.tokens)
    return charge
  }

  /** Corrects the count when the reply is complete, down to the floor: larger ones would delay other accounts. */
  settle(charge: CountedTokens, promptTokens: number, outputTokens: number): void {
    const { account } = charge
    const tokens = promptTokens + OUTPUT_WEIGHT * outputTokens
    this.#meanOutput += Math.max(MIN_WEIGHT, 1 / ++this.#replies) * (outputTokens - this.#meanOutput)
    const before = this.of(account)
    this.#counters.set(account, Math.max(before + tokens - charge.tokens, Math.min(before, this.#floor)))
    charge.tokens = tokens
  }

  /** Forgets accounts without claim or debt, if there are many. `keep`: accounts that wait. */
  trim(keep: ReadonlySet<string>): void {
    if (this.#counters.size <= MAX_IDLE + keep.size) return
    for (const [account, counter] of this.#counters) {
      // If that is not enough, the accounts that were added first lose their debt.
      const isExcess = this.#counters.size > 2 * MAX_IDLE + keep.size
      if (!keep.has(account) && (isExcess || counter <= this.#floor)) this.#counters.delete(account)
    }
  }
}
