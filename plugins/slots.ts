/** `sluiceway/slots`: every slot that the built-in plugins provide. */
import type { JsonObject } from '../lib/base/json.ts'
import type { Sampling } from '../lib/canonical/request.ts'
import { slot } from '../lib/core/slots.ts'
import type { Pricing } from '../lib/limits/cost.ts'
import type { QuotaState, RateState, SpendState } from '../lib/limits/limits.ts'
import type { Unit } from '../lib/limits/units.ts'
import type { PromptSize } from '../lib/tokens/prompt-size.ts'

export { type BatchLine, batchLine, chat, formatOptions, key, pipe, target, zdr } from '../lib/core/slots.ts'

/** The user of the console session. */
export const sessionUser = slot('session-user').of<string>()

/** Values of Service-Request-Tag in order, without duplicates; null: none, or no dedicated endpoint. */
export const requestTags = slot('request-tags').of<readonly string[] | null>()

/** Members of the body for the engine, which the model passes on as they are; null: none. */
export const passthrough = slot('passthrough').of<JsonObject | null>()

/** Unknown members of the body, which are ignored; null: none. */
export const ignored = slot('ignored').of<LoggedMembers | null>()

export interface LoggedMembers {
  readonly count: number
  /** Paths of the first ones, in the form that may be logged. */
  readonly paths: readonly string[]
}

/** Sampling controls as the client sent them. Rules may remove some from the request. */
export const clientSampling = slot('client-sampling').of<Sampling>()

/** Name of the model in the body, also in a body that is refused; null: none. */
export const modelNamed = slot('model-named').of<string | null>()

/** Size of the prompt; null: a form with files. */
export const promptMeasure = slot('prompt-measure').of<PromptSize | null>()

/** Tokens and times of the reply so far. One mutable object per exchange, updated by the transformer of `usage`. */
export const usage = slot('usage').of<ReplyUsage>()

/**
 * Measurements of a reply so far; null: not known yet. Its tokens are settled first at the end of an exchange, so that
 * the record, usage reports and the ledger read the same numbers (docs/USAGE.md#the-books).
 */
export interface ReplyUsage {
  inputTokens: number | null
  outputTokens: number | null
  cacheReadTokens: number | null
  reasoningTokens: number | null
  /** Milliseconds from the request's arrival to the first generated token; null until then. */
  firstTokenMs: number | null
  /** Milliseconds from the request's arrival to the last generated token; null until then. */
  lastTokenMs: number | null
  /** Gaps of more than a second between two tokens (docs/api/README.md#limits). */
  stalls: number
  /** Gaps between two chunks with tokens; null: not measured. */
  pace: TokenPace | null
  finish: string | null
  matchedStopTokenId: number | null
  /** Milliseconds that the request waited inside the engine; null: not reported. */
  engineQueueMs: number | null
  /** True: the backend has counted the tokens. */
  usagePresent: boolean
  /** Bytes of generated output, counted until the backend reports usage. */
  outputBytes: number
  usageParseError: string | null
}

/** Number and sum of the gaps between two chunks with tokens, by bucket of a histogram. */
export interface TokenPace {
  /** Upper bounds in seconds, ascending. The last bucket, without a bound, follows them. */
  readonly bounds: readonly number[]
  readonly counts: number[]
  readonly sums: number[]
}

/** Set if the gauge of requests in flight counts the exchange. */
export const inFlight = slot('in-flight').of<boolean>()

/** The concurrency leases of the request: those of its account and of its key. */
export const concurrencyLease = slot('concurrency-lease').of<readonly ConcurrencyLease[]>()

export interface ConcurrencyLease {
  readonly account: string
  /** Id of the key whose requests it counts; undefined: it counts requests of the account. */
  readonly key: string | undefined
}

/** The count of the request in its plan's quota, which may be returned; null: it was not counted. */
export const quotaUse = slot('quota-use').of<QuotaUse | null>()

export interface QuotaUse {
  readonly account: string
  readonly limit: number
  readonly windowMs: number
  readonly state: QuotaState
}

/** The counts of the request in rate limits, which may be returned. */
export const rateUse = slot('rate-use').of<readonly RateUse[]>()

export interface RateUse {
  readonly account: string
  readonly name: string
  readonly perMinute: number
  readonly state: RateState
}

/** The end user whom the request names, if a plan or key asks for it; null: none. */
export const endUser = slot('end-user').of<EndUserName | null>()

export interface EndUserName {
  /** 16 hex digits of a keyed hash, `none` or `other`. */
  readonly id: string
  /** The name as the client sent it; null: it must not be kept. */
  readonly label: string | null
}

/** Reservations of tokens per minute and of budgets, which are settled at the end; null: none. */
export const usageReservations = slot('usage-reservations').of<UsageReservations | null>()

export interface UsageReservations {
  readonly account: string
  /** Counts of requests per minute for the model or the end user. */
  readonly requests: readonly Omit<RateUse, 'account'>[]
  /** Scopes of the leases of requests in flight for the model. */
  readonly leases: readonly string[]
  readonly tokens: readonly Omit<RateUse, 'account'>[]
  readonly budgets: readonly { readonly limitMicrocents: number; readonly state: SpendState }[]
}

/** The reservation and charge of a prepaid account for this request; null: none. */
export const charge = slot('charge').of<Charge | null>()

export interface Charge {
  readonly account: string
  /** Prices of the requested model; at the end, prices of the model that has served the request. */
  pricing: Pricing
  /** Estimated cost in micro-cents. The request may cost more. */
  readonly reserved: number
  /** Micro-cents that were available before the reservation; infinite: not known. */
  readonly available: number
  /** The charge in micro-cents, set in onFinish; null: not set yet, or nothing is charged. */
  microcents: number | null
}

/** What a byte-pipe request takes in characters, images or seconds of audio; null: its model counts tokens alone. */
export const unitUse = slot('unit-use').of<UnitUse | null>()

export interface UnitUse {
  readonly unit: Unit
  /** Seconds of audio that the backend has counted; null: none. */
  seconds: number | null
  /** Units of the request that was sent; after the end, those that are charged. null: none, because tokens are. */
  units: number | null
}
