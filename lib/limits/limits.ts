/**
 * Everything that is counted between the requests of an account. lib/limits/memory counts in this process, lib/limits/redis
 * for all processes together; docs/LIMITS.md tells what both guarantee.
 *
 * Refusing changes no counter. Limits that are asked for one request within one turn of the event loop may be decided
 * together, in the order in which they are asked: where one refuses, the answer of the others is undefined, and nothing
 * has been counted for them. Giving back, settling and releasing never wait and never throw; leases and reservations end
 * once, however often that is said.
 */
import { failure, type GatewayError } from '../errors/errors.ts'

/** A value where this process decides by itself, a promise where the network has to be asked. */
export type MaybePromise<T> = T | Promise<T>

/**
 * What holds while the shared store does not answer. local_share: this process admits its share of the limit, counted by
 * itself. fail_open: everything is admitted. fail_closed: take() and reserve() reject with storeUnavailable().
 */
export type OnStoreFailure = 'local_share' | 'fail_open' | 'fail_closed'

export interface Limits {
  readonly leases: Leases
  readonly quotas: Quotas
  readonly rates: Rates
  readonly credits: Credits
  /** To be called when every exchange has finished. */
  close(): Promise<void>
}

interface Claim {
  /** Id of the account. */
  readonly account: string
  /** UUID of the request: the same request never counts twice. */
  readonly id: string
  /** False: shadow mode, in which a refusal is only reported and the request goes on. */
  readonly enforced: boolean
  readonly onStoreFailure: OnStoreFailure
}

/** Requests in flight. A lease lives until it is released, or for some seconds after its process has died. */
export interface Leases {
  /** False: the account has `limit` requests in flight. */
  take(claim: LeaseClaim): MaybePromise<boolean | undefined>
  release(account: string, id: string): void
}

export interface LeaseClaim extends Claim {
  /** At least 1. */
  readonly limit: number
}

/** Requests in windows that follow each other without gap, the first at 1970-01-01 00:00 UTC. */
export interface Quotas {
  take(claim: QuotaClaim): MaybePromise<QuotaState | undefined>
  /** The request does not count after all. `state`: what take() answered when it let the request pass. Once for each. */
  giveBack(account: string, id: string, windowMs: number, state: QuotaState): void
}

export interface QuotaClaim extends Claim {
  readonly limit: number
  readonly windowMs: number
}

/** The answer to a claim on a quota. */
export interface QuotaState {
  readonly allowed: boolean
  /** How many more the window admits. */
  readonly remaining: number
  /** When the next window begins, as milliseconds since the epoch on the store's clock. */
  readonly end: number
  /** Milliseconds until then. */
  readonly resetMs: number
}

/** Requests in any minute, wherever it begins. */
export interface Rates {
  take(claim: RateClaim): MaybePromise<RateState | undefined>
  /** The request does not count after all. `state`: what take() answered when it let the request pass. Once for each. */
  giveBack(account: string, id: string, name: string, state: RateState): void
}

export interface RateClaim extends Claim {
  /** What is limited; each name of an account counts by itself. */
  readonly name: string
  readonly perMinute: number
}

/** The answer to a claim on a rate limit. */
export interface RateState {
  readonly allowed: boolean
  /** How many more are admitted now. */
  readonly remaining: number
  /** Milliseconds until a refused one is worth repeating; else 0. */
  readonly resetMs: number
  /** The second in which it counts, on the store's clock. */
  readonly second: number
}

/** Prepaid money, in micro-cents. What is available is what was granted, less what was spent, less what is reserved. */
export interface Credits {
  reserve(claim: CreditClaim): MaybePromise<CreditState | undefined>
  /** Ends a reservation: `microcents` have been spent. */
  settle(account: string, id: string, microcents: number): void
  /** Ends a reservation: nothing has been spent. */
  release(account: string, id: string): void
}

export interface CreditClaim extends Claim {
  readonly microcents: number
  /** What the account was given to begin with; the ledger knows the rest. */
  readonly initialMicrocents: number
}

/** The answer to a reservation. */
export interface CreditState {
  readonly allowed: boolean
  /** What could be reserved just before; infinite where that is not known and everything is let through. */
  readonly availableMicrocents: number
}

/** Money is counted in micro-cents: millionths of a cent. */
export const MICROCENTS_PER_CENT = 1_000_000

/**
 * Calls `next` with a limit's answer: at once where the answer is there, else when it comes. Does not call it where another
 * limit has refused the request.
 */
export function whenKnown<T>(value: MaybePromise<T | undefined>, next: (value: T) => void): void | Promise<void> {
  if (value instanceof Promise) {
    return value.then(known => {
      if (known !== undefined) next(known)
    })
  }
  if (value !== undefined) next(value)
}

/** How long a client should wait for a store that is away, in seconds. */
const STORE_RETRY_AFTER = '2'

/** The store cannot be reached: 503, never a 401, 402 or 403 (docs/DESIGN.md#infrastructure-failures). */
export function storeUnavailable(): GatewayError {
  return failure('internal_error', {}, { status: 503, headers: { 'retry-after': STORE_RETRY_AFTER } })
}
