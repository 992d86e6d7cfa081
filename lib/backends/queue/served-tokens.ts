/** A token that is generated costs an engine about as much as two of a prompt. */
const OUTPUT_WEIGHT = 2

/** Bytes of a request body for each token of its prompt, about. */
const BYTES_PER_TOKEN = 4

/** Output of a request before any reply has been seen, and the least share of a new reply in the mean. */
const FIRST_OUTPUT = 256
const LEARNING = 0.05

/** Most accounts that are remembered while none of their requests waits. */
const MOST_IDLE = 10_000

/** What of a request has been counted. */
export interface CountedTokens {
  readonly account: string
  tokens: number
}

/** The tokens that each account has been served, as virtual counters: comparable, not totals. */
export class ServedTokens {
  readonly #counters = new Map<string, number>()
  /** Counter of the account that was served last, before it was. */
  #floor = 0
  #meanOutput = FIRST_OUTPUT
  #replies = 0

  of(account: string): number {
    return this.#counters.get(account) ?? this.#floor
  }

  /**
   * The account begins to wait. It has no claim from the time in which it asked for nothing: it begins where the least
   * served of those that wait is, or the one that was served last.
   */
  join(account: string, waiting: Iterable<string>): void {
    let least = Number.POSITIVE_INFINITY
    for (const other of waiting) least = Math.min(least, this.of(other))
    this.#raise(account, Number.isFinite(least) ? least : this.#floor)
  }

  /** A request is sent to a backend. It counts at once, by its size and the mean length of answers. */
  begin(account: string, bytes: number): CountedTokens {
    this.#floor = Math.max(this.#floor, this.of(account))
    const charge = { account, tokens: bytes / BYTES_PER_TOKEN + OUTPUT_WEIGHT * this.#meanOutput }
    this.#counters.set(account, this.of(account) + charge.tokens)
    return charge
  }

  /**
   * Its reply is complete. Further calls correct the count again. What was counted too high is given back only as far as it
   * makes no claim on those that have been served since: many such corrections at once would make others wait for long.
   */
  settle(charge: CountedTokens, promptTokens: number, outputTokens: number): void {
    const { account } = charge
    const tokens = promptTokens + OUTPUT_WEIGHT * outputTokens
    this.#meanOutput += Math.max(LEARNING, 1 / ++this.#replies) * (outputTokens - this.#meanOutput)
    const before = this.of(account)
    this.#counters.set(account, Math.max(before + tokens - charge.tokens, Math.min(before, this.#floor)))
    charge.tokens = tokens
  }

  /** Forgets accounts that have no claim or debt, where there are many. `keep`: those that wait. */
  trim(keep: ReadonlySet<string>): void {
    if (this.#counters.size <= MOST_IDLE + keep.size) return
    for (const [account, counter] of this.#counters) {
      // Where that is not enough, those that were first seen long ago lose their debt.
      const isExcess = this.#counters.size > 2 * MOST_IDLE + keep.size
      if (!keep.has(account) && (isExcess || counter <= this.#floor)) this.#counters.delete(account)
    }
  }

  #raise(account: string, least: number): void {
    this.#counters.set(account, Math.max(this.#counters.get(account) ?? 0, least))
  }
}
