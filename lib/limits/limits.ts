/**
 * Limits on the requests of an account. lib/limits/memory counts in this process, lib/limits/redis in all processes
 * together; docs/LIMITS.md describes what both guarantee.
 *
 * A refusal changes no counter. The limits that are checked for one request within one tick may be decided together, in the
 * order of the calls: if one refuses, the others resolve with undefined and have counted nothing. giveBack(), settle() and
 * release() never wait and never throw. Ending a lease or reservation again has no effect.
 */
import { failure, type GatewayError } from '../errors/errors.ts'

/** A value if this process decides by itself, a promise if Redis does. */
export type MaybePromise<T> = T | Promise<T>

/**
 * How a limit is decided while Redis does not answer. local_share: this process admits its local share of the limit.
 * fail_open: everything is admitted. fail_closed: take() and reserve() reject with storeUnavailable().
 */
export type OnStoreFailure = 'local_share' | 'fail_open' | 'fail_closed'

export interface Limits {
  readonly leases: Leases
  readonly quotas: Quotas
  readonly rates: Rates
  readonly credits: Credits
  readonly budgets: Budgets
  /** What operators should know of a gateway that is ready: one sentence each. */
  notes(): readonly string[]
  /** Must be called after the last exchange. */
  close(): Promise<void>
}

interface Claim {
  /** Id of the account. */
  readonly account: string
  /** UUID of the request. The same request is never counted twice. */
  readonly id: string
  /** False: shadow mode, a refusal is only reported. */
  readonly enforced: boolean
  readonly onStoreFailure: OnStoreFailure
}

/** Concurrency. A lease lasts until it is released, or for some seconds after its process has died. */
export interface Leases {
  /** False: the account, or its key, has `limit` requests in flight. */
  take(claim: LeaseClaim): MaybePromise<boolean | undefined>
  /** `key`: that of the claim. */
  release(account: string, id: string, key?: string): void
}

export interface LeaseClaim extends Claim {
  /** Id of a key of the account: its requests alone count. undefined: those of the whole account. */
  readonly key?: string | undefined
  /** At least 1. */
  readonly limit: number
}

/** Requests in fixed, consecutive windows, the first of which begins at 1970-01-01 00:00 UTC. */
export interface Quotas {
  take(claim: QuotaClaim): MaybePromise<QuotaState | undefined>
  /** Requests that the present window has counted, and its end in milliseconds since the epoch. Counts nothing. */
  used(account: string, windowMs: number): MaybePromise<WindowUse>
  /** Uncounts a request. `state`: the result of take(). At most once per request. */
  giveBack(account: string, id: string, windowMs: number, state: QuotaState): void
}

export interface QuotaClaim extends Claim {
  readonly limit: number
  readonly windowMs: number
}

export interface WindowUse {
  readonly used: number
  readonly end: number
}

/** The decision on a QuotaClaim. */
export interface QuotaState {
  readonly allowed: boolean
  /** Requests that the window still admits. */
  readonly remaining: number
  /** Start of the next window, in milliseconds since the epoch on the store's clock. */
  readonly end: number
  /** Milliseconds until then. */
  readonly resetMs: number
}

/** Requests within any sixty seconds, or what requests take, such as tokens. */
export interface Rates {
  take(claim: RateClaim): MaybePromise<RateState | undefined>
  /** Uncounts a request. `state`: the result of take(). At most once per request. */
  giveBack(account: string, id: string, name: string, state: RateState): void
  /** Counts `amount` instead of what take() has counted, at the time of the request. At most once per request. */
  settle(account: string, id: string, name: string, state: RateState, amount: number): void
}

export interface RateClaim extends Claim {
  /** Name of the limit. An account has a separate count for each name. */
  readonly name: string
  readonly perMinute: number
  /** Refused unless this much is left. A request that needs more than the limit needs all of it. Default: 1. */
  readonly needs?: number | undefined
  /** Counts this much, or what is left where that is less. At least `needs`, which is the default. */
  readonly takes?: number | undefined
}

/** The decision on a RateClaim. */
export interface RateState {
  readonly allowed: boolean
  /** What is counted for the request; 0 if it is refused. */
  readonly amount: number
  /** What is left now. */
  readonly remaining: number
  /** Milliseconds until a refused request may be repeated; 0 if allowed. */
  readonly resetMs: number
  /** The second in which the request was counted, on the store's clock. */
  readonly second: number
}

/** Prepaid credits, in micro-cents. Available = granted - spent - reserved. */
export interface Credits {
  reserve(claim: CreditClaim): MaybePromise<CreditState | undefined>
  /** Ends a reservation and charges `microcents`. */
  settle(account: string, id: string, microcents: number): void
  /** Ends a reservation without a charge. */
  release(account: string, id: string): void
}

export interface CreditClaim extends Claim {
  readonly microcents: number
  /** The account's initial balance; the ledger contains all changes. */
  readonly initialMicrocents: number
}

/** The decision on a CreditClaim. */
export interface CreditState {
  readonly allowed: boolean
  /** The amount available before the reservation; infinite if it is not known and everything is admitted. */
  readonly availableMicrocents: number
}

/**
 * Money that may be spent in fixed, consecutive windows, the first of which begins at 1970-01-01 00:00 UTC. What the store knows of
 * a window counts where it is more, so that a restart does not begin it anew.
 */
export interface Budgets {
  reserve(claim: BudgetClaim): MaybePromise<BudgetState | undefined>
  /** Ends a reservation and counts `microcents` in its window. `state`: the result of reserve(). */
  settle(account: string, id: string, state: BudgetState, microcents: number): void
}

export interface BudgetClaim extends Claim {
  /** Id of a key of the account: its requests alone count. undefined: those of the whole account. */
  readonly key?: string | undefined
  readonly limitMicrocents: number
  readonly windowMs: number
  /** What the request may cost. */
  readonly microcents: number
}

/** The decision on a BudgetClaim. */
export interface BudgetState {
  readonly allowed: boolean
  /** What is left in the window after this request, where it is allowed. */
  readonly remainingMicrocents: number
  /** Start of the next window, in milliseconds since the epoch on the store's clock. */
  readonly end: number
  /** Milliseconds until then. */
  readonly resetMs: number
  /** Name of the window's count. */
  readonly purse: string
}

/**
 * Calls `next` with the result of a limit, synchronously if there is one already. Does not call it if another limit has
 * refused the request.
 */
export function whenKnown<T>(value: MaybePromise<T | undefined>, next: (value: T) => void): void | Promise<void> {
  if (value instanceof Promise) {
    return value.then(known => {
      if (known !== undefined) next(known)
    })
  }
  if (value !== undefined) next(value)
}

/** Seconds after which a client may try again while Redis or the store is unavailable. */
const STORE_RETRY_AFTER = '2'

/** The store cannot be reached: 503, never a 401, 402 or 403 (docs/DESIGN.md#infrastructure-failures). */
export function storeUnavailable(): GatewayError {
  return failure('internal_error', {}, { status: 503, headers: { 'retry-after': STORE_RETRY_AFTER } })
}
