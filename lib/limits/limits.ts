/**
 * Limits on the requests of an account, counted in this process (memory/) or in all processes (redis/). docs/LIMITS.md
 * describes what both guarantee.
 * A refusal changes no counter. The limits that are checked for a request within one tick may be decided together, in
 * the order of the calls. If one refuses, the others resolve with undefined. giveBack(), settle() and release() never
 * wait and never throw. Ending a lease or reservation again has no effect.
 */
import { failure, type GatewayError } from '../errors/errors.ts'
import type { PlaceStore } from './places.ts'

/** A value if this process decides, a promise if Redis decides or the ledger must be read. */
export type MaybePromise<T> = T | Promise<T>

/**
 * How a limit is decided without Redis. local_share: each process admits its local share. fail_open: all is admitted.
 * fail_closed: take() and reserve() reject with storeUnavailable().
 */
export type OnStoreFailure = 'local_share' | 'fail_open' | 'fail_closed'

export interface Limits {
  readonly leases: Leases
  readonly quotas: Quotas
  readonly rates: Rates
  readonly credits: Credits
  readonly spendLimits: SpendLimits
  /** Counts `max_concurrency` of models and backends over all processes; null: this process counts alone. */
  readonly places: PlaceStore | null
  /** Warnings for the operators of a ready gateway, one sentence each. */
  notes(): readonly string[]
  /** To be called after the last exchange. */
  close(): Promise<void>
}

interface Claim {
  readonly account: string
  /** UUID of the request. A request is never counted twice. */
  readonly id: string
  /** False: shadow mode. A refusal is only reported. */
  readonly enforced: boolean
  readonly onStoreFailure: OnStoreFailure
}

/** Concurrency. A lease lasts until it is released, or until some seconds after its process has died. */
export interface Leases {
  /** False: `limit` requests of the scope are in flight. */
  take(claim: LeaseClaim): MaybePromise<boolean | undefined>
  /** Leases of the account, or of a scope of it. Takes none. */
  inFlight(account: string, scope?: string): MaybePromise<number>
  /** `scope`: that of the claim. */
  release(account: string, id: string, scope?: string): void
}

export interface LeaseClaim extends Claim {
  /** Which requests of the account are counted (scope.ts). undefined: all of them. */
  readonly scope?: string | undefined
  /** At least 1. */
  readonly limit: number
}

/** Requests in fixed, consecutive windows, the first of which begins at 1970-01-01 00:00 UTC. */
export interface Quotas {
  take(claim: QuotaClaim): MaybePromise<QuotaState | undefined>
  /** Requests counted in the current window, and its end. Counts nothing. */
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
  /** Milliseconds since the epoch. */
  readonly end: number
}

export interface QuotaState {
  readonly allowed: boolean
  /** Requests that the window still admits. */
  readonly remaining: number
  /** Start of the next window, in milliseconds since the epoch on the clock of the counter. */
  readonly end: number
  /** Milliseconds until `end`. */
  readonly resetMs: number
}

/** Requests, or amounts of requests such as tokens, within any sixty seconds. */
export interface Rates {
  take(claim: RateClaim): MaybePromise<RateState | undefined>
  /** Amount counted in the last minute. Counts nothing. */
  used(account: string, name: string): MaybePromise<number>
  /** Uncounts a request. `state`: the result of take(). At most once per request. */
  giveBack(account: string, id: string, name: string, state: RateState): void
  /** Replaces the amount that take() has counted, at the time of the request. At most once per request. */
  settle(account: string, id: string, name: string, state: RateState, amount: number): void
}

export interface RateClaim extends Claim {
  /** Name of the limit. An account has a separate count for each name. */
  readonly name: string
  readonly perMinute: number
  /** Amount that must be left. If it exceeds the limit, the whole limit must be left. Default: 1. */
  readonly needs?: number | undefined
  /** Amount to count, at most what is left. At least `needs`, which is the default. */
  readonly takes?: number | undefined
}

export interface RateState {
  readonly allowed: boolean
  /** Amount counted for the request; 0 if it is refused. */
  readonly amount: number
  /** Amount left after the decision. */
  readonly remaining: number
  /** Milliseconds until a refused request may be repeated; 0 if allowed. */
  readonly resetMs: number
  /** The second in which the request was counted, on the clock of the counter. */
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
  /** The account's initial balance. The ledger contains all later changes. */
  readonly initialMicrocents: number
}

export interface CreditState {
  readonly allowed: boolean
  /** The amount available before the reservation; infinite if it is unknown and every request is admitted. */
  readonly availableMicrocents: number
}

/**
 * Limits on the money that is spent in fixed, consecutive windows, the first of which begins at 1970-01-01 00:00 UTC.
 * The store's sum counts if it is higher, so that a restart does not reset a window.
 */
export interface SpendLimits {
  reserve(claim: SpendClaim): MaybePromise<SpendState | undefined>
  /** Ends a reservation and counts `microcents` in its window. `state`: the result of reserve(). */
  settle(account: string, id: string, state: SpendState, microcents: number): void
}

export interface SpendClaim extends Claim {
  /** Which requests of the account are counted (scope.ts). undefined: all of them. */
  readonly scope?: string | undefined
  readonly limitMicrocents: number
  readonly windowMs: number
  /** Maximum cost of the request. */
  readonly microcents: number
}

export interface SpendState {
  readonly allowed: boolean
  /** The amount left in the window, after this request if it is allowed. */
  readonly remainingMicrocents: number
  /** Start of the next window, in milliseconds since the epoch on the clock of the counter. */
  readonly end: number
  /** Milliseconds until `end`. */
  readonly resetMs: number
  /** Name of the window (spend-window.ts). */
  readonly window: string
}

/** Calls `next` with a decision, synchronously if it is not a promise. Does not call it for a decision of undefined. */
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
