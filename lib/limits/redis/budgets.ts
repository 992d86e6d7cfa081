import { type BudgetClaim, type BudgetState, type Budgets, type CreditState, storeUnavailable } from '../limits.ts'
import { type MemoryBudgets, toBudgetState } from '../memory/budgets.ts'
import { purseOf } from '../purse.ts'
import type { RedisCredits } from './credits.ts'
import type { RedisLink } from './link.ts'
import type { Processes } from './processes.ts'

/** The budgets of all processes: each window is a balance of its own, on the Redis server's clock. */
export class RedisBudgets implements Budgets {
  readonly #link: RedisLink
  readonly #balances: RedisCredits
  readonly #processes: Processes
  /** Counts while Redis is unavailable. */
  readonly #local: MemoryBudgets
  /** States of requests that #local has admitted, by what the caller was given. */
  readonly #countedLocally = new WeakMap<BudgetState, BudgetState>()

  constructor(link: RedisLink, balances: RedisCredits, processes: Processes, local: MemoryBudgets) {
    this.#link = link
    this.#balances = balances
    this.#processes = processes
    this.#local = local
  }

  async reserve(claim: BudgetClaim): Promise<BudgetState | undefined> {
    const now = this.#link.now
    const purse = purseOf(claim, now)
    let locally: BudgetState | undefined
    const state = await this.#balances.reserve({
      ...claim,
      purse: purse.name,
      initialMicrocents: claim.limitMicrocents,
      decideLocally: () => {
        locally = this.#reserveLocally(claim)
        return stateOf(claim, locally)
      },
    })
    if (state === undefined) return undefined
    const known = toBudgetState(claim, state, purse, now)
    if (locally !== undefined) this.#countedLocally.set(known, locally)
    return known
  }

  settle(account: string, id: string, state: BudgetState, microcents: number): void {
    const locally = this.#countedLocally.get(state)
    if (locally !== undefined) this.#local.settle(account, id, locally, microcents)
    this.#balances.settle(account, id, microcents, state.purse)
  }

  #reserveLocally(claim: BudgetClaim): BudgetState {
    const { onStoreFailure, limitMicrocents } = claim
    if (onStoreFailure === 'fail_closed') throw storeUnavailable()
    const share = onStoreFailure === 'fail_open' ? Number.POSITIVE_INFINITY : this.#processes.share(limitMicrocents)
    // No promise: budgets in memory are decided without waiting.
    return this.#local.reserve({ ...claim, limitMicrocents: share }) as BudgetState
  }
}

function stateOf({ microcents }: BudgetClaim, { allowed, remainingMicrocents: left }: BudgetState): CreditState {
  return { allowed, availableMicrocents: left + (allowed ? microcents : 0) }
}
