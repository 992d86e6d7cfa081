import type { CreditState, SpendClaim, SpendLimits, SpendState } from '../limits.ts'
import { type MemorySpendLimits, toSpendState } from '../memory/spend-limits.ts'
import { spendWindow } from '../spend-window.ts'
import type { RedisCredits } from './credits.ts'
import type { RedisLink } from './link.ts'
import type { Processes } from './processes.ts'

/** The spend limits of all processes. Each window has a balance, on the Redis server's clock. */
export class RedisSpendLimits implements SpendLimits {
  readonly #link: RedisLink
  readonly #balances: RedisCredits
  readonly #processes: Processes
  /** Counts while Redis is unavailable. */
  readonly #local: MemorySpendLimits
  /** The state of #local by the state that the caller received. */
  readonly #countedLocally = new WeakMap<SpendState, SpendState>()

  constructor(link: RedisLink, balances: RedisCredits, processes: Processes, local: MemorySpendLimits) {
    this.#link = link
    this.#balances = balances
    this.#processes = processes
    this.#local = local
  }

  async reserve(claim: SpendClaim): Promise<SpendState | undefined> {
    const now = this.#link.now
    const window = spendWindow(claim, now)
    let locally: SpendState | undefined
    const state = await this.#balances.reserve({
      ...claim,
      balance: window.name,
      initialMicrocents: claim.limitMicrocents,
      decideLocally: () => {
        locally = this.#reserveLocally(claim)
        return stateOf(claim, locally)
      },
    })
    if (state === undefined) return undefined
    const known = toSpendState(claim, state, window, now)
    if (locally !== undefined) this.#countedLocally.set(known, locally)
    return known
  }

  settle(account: string, id: string, state: SpendState, microcents: number): void {
    const locally = this.#countedLocally.get(state)
    if (locally !== undefined) this.#local.settle(account, id, locally, microcents)
    this.#balances.settle(account, id, microcents, state.window)
  }

  #reserveLocally(claim: SpendClaim): SpendState {
    const limitMicrocents = this.#processes.shareOnFailure(claim.limitMicrocents, claim.onStoreFailure)
    // Not a promise, because #local reads no store.
    return this.#local.reserve({ ...claim, limitMicrocents }) as SpendState
  }
}

function stateOf({ microcents }: SpendClaim, { allowed, remainingMicrocents: left }: SpendState): CreditState {
  return { allowed, availableMicrocents: left + (allowed ? microcents : 0) }
}
