import type { Clock } from '../../base/clock.ts'
import { type LedgerTotals, type LedgerView, NO_ENTRIES } from '../ledger.ts'
import { type CreditClaim, type CreditState, type Credits, type MaybePromise, storeUnavailable } from '../limits.ts'

interface Balance {
  spent: number
  reserved: number
  readonly reservations: Map<string, number>
  usedAt: number
}

/** Accounts without use for this time are dropped. By then the ledger contains all of their charges. */
const IDLE_MS = 3_600_000

/** Prepaid balances in this process. The ledger contains grants, and the charges of earlier processes. */
export class MemoryCredits implements Credits {
  readonly #clock: Clock
  readonly #ledger: Pick<LedgerView, 'of'>
  readonly #balances = new Map<string, Balance>()

  constructor(clock: Clock, ledger: Pick<LedgerView, 'of'>) {
    this.#clock = clock
    this.#ledger = ledger
  }

  reserve(claim: CreditClaim): MaybePromise<CreditState> {
    const totals = this.#ledger.of(claim.account)
    if (!(totals instanceof Promise)) return this.#reserve(claim, totals, false)
    return totals.then(
      known => this.#reserve(claim, known, false),
      () => {
        if (claim.onStoreFailure !== 'fail_open') throw storeUnavailable()
        return this.#reserve(claim, NO_ENTRIES, true)
      },
    )
  }

  settle(account: string, id: string, microcents: number): void {
    const balance = this.#balances.get(account)
    if (balance !== undefined && this.#end(balance, id)) balance.spent += microcents
  }

  release(account: string, id: string): void {
    const balance = this.#balances.get(account)
    if (balance !== undefined) this.#end(balance, id)
  }

  /** Drops accounts without use for IDLE_MS. */
  sweep(): void {
    const now = this.#clock.monotonic()
    for (const [account, { usedAt, reservations }] of this.#balances) {
      if (reservations.size === 0 && now - usedAt > IDLE_MS) this.#balances.delete(account)
    }
  }

  #reserve(
    { account, id, microcents, initialMicrocents }: CreditClaim,
    totals: LedgerTotals,
    force: boolean,
  ): CreditState {
    const balance = this.#balance(account)
    // The ledger may lack recent charges, so its sum counts only if it is larger.
    balance.spent = Math.max(balance.spent, totals.charged)
    const availableMicrocents = initialMicrocents + totals.granted - balance.spent - balance.reserved
    if (balance.reservations.has(id)) return { allowed: true, availableMicrocents }
    if (microcents > availableMicrocents && !force) return { allowed: false, availableMicrocents }
    balance.reservations.set(id, microcents)
    balance.reserved += microcents
    return { allowed: true, availableMicrocents }
  }

  #balance(account: string): Balance {
    let balance = this.#balances.get(account)
    if (balance === undefined) {
      balance = { spent: 0, reserved: 0, reservations: new Map(), usedAt: 0 }
      this.#balances.set(account, balance)
    }
    balance.usedAt = this.#clock.monotonic()
    return balance
  }

  /** False: the reservation has already ended. */
  #end(balance: Balance, id: string): boolean {
    const microcents = balance.reservations.get(id)
    if (microcents === undefined) return false
    balance.reservations.delete(id)
    balance.reserved -= microcents
    balance.usedAt = this.#clock.monotonic()
    return true
  }
}
