/** `sluiceway/slots`: every slot that the built-in plugins provide. */
import type { Sampling } from '../lib/canonical/request.ts'
import { slot } from '../lib/core/slots.ts'
import type { Pricing } from '../lib/limits/cost.ts'
import type { BudgetState, QuotaState, RateState } from '../lib/limits/limits.ts'
import type { PromptSize } from '../lib/tokens/prompt-size.ts'

export { chat, formatOptions, key, pipe, target, zdr } from '../lib/core/slots.ts'

/** The user of the console session. */
export const sessionUser = slot('session-user').of<string>()

/** Values of Service-Request-Tag in order, without duplicates; null when untagged or not on a dedicated endpoint. */
export const requestTags = slot('request-tags').of<readonly string[] | null>()

/** Unknown members of the body, which are ignored; null: there are none. */
export const ignored = slot('ignored').of<LoggedMembers | null>()

export interface LoggedMembers {
  readonly count: number
  /** The first of them, as the log may show them. */
  readonly paths: readonly string[]
}

/** Sampling controls as the client sent them. Rules may remove some from the request. */
export const clientSampling = slot('client-sampling').of<Sampling>()

/** The model that the body names, also where the body is refused; null: it names none. */
export const modelNamed = slot('model-named').of<string | null>()

/** How large the prompt is; null: a form with audio, whose length is not known. */
export const promptMeasure = slot('prompt-measure').of<PromptSize | null>()

/** Tokens and times of the reply so far. One mutable object per exchange, updated by the transformer of `usage`. */
export const usage = slot('usage').of<ReplyUsage>()

/**
 * Measurements of a reply so far; null: not known yet. When an exchange ends, its tokens are settled first: what the record,
 * usage reports and the ledger then read is the same (docs/USAGE.md#the-books).
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
  /** Gaps between two chunks with tokens; null: not gathered. */
  pace: TokenPace | null
  finish: string | null
  matchedStopTokenId: number | null
  /** Milliseconds that the request waited inside the engine; null: not reported. */
  engineQueueMs: number | null
  /** The backend has counted the tokens. */
  usagePresent: boolean
  /** Bytes that the model has generated, counted until the backend has reported usage. */
  outputBytes: number
  usageParseError: string | null
}

/** How many gaps between two chunks with tokens are in each bucket of a histogram, and their sum. */
export interface TokenPace {
  /** Upper bounds in seconds, ascending. The last bucket, which has none, comes after them. */
  readonly bounds: readonly number[]
  readonly counts: number[]
  readonly sums: number[]
}

/** Set once the exchange is part of the gauge of requests in flight. */
export const inFlight = slot('in-flight').of<true>()

/** The concurrency leases that the request holds: of its account, and of its key. */
export const concurrencyLease = slot('concurrency-lease').of<readonly ConcurrencyLease[]>()

export interface ConcurrencyLease {
  readonly account: string
  /** Id of the key whose requests it counts; undefined: those of the account. */
  readonly key: string | undefined
}

/** The count of the request in its plan's quota, to give back; null: it was not counted. */
export const quotaUse = slot('quota-use').of<QuotaUse | null>()

export interface QuotaUse {
  readonly account: string
  readonly limit: number
  readonly windowMs: number
  readonly state: QuotaState
}

/** The counts of the request in rate limits, to give back. */
export const rateUse = slot('rate-use').of<readonly RateUse[]>()

export interface RateUse {
  readonly account: string
  readonly name: string
  readonly perMinute: number
  readonly state: RateState
}

/** What the request has reserved of tokens a minute and of budgets, to settle. */
export const usageReservations = slot('usage-reservations').of<UsageReservations | null>()

export interface UsageReservations {
  readonly account: string
  readonly tokens: readonly Omit<RateUse, 'account'>[]
  readonly budgets: readonly { readonly limitMicrocents: number; readonly state: BudgetState }[]
}

/** The reservation and charge of a prepaid account for this request; null: none. */
export const charge = slot('charge').of<Charge | null>()

export interface Charge {
  readonly account: string
  /** Of the model that has served the request; before its end, of the one that was asked for. */
  pricing: Pricing
  /** Micro-cents, as estimated. The request may cost more. */
  readonly reserved: number
  /** Micro-cents that were available before that; infinite: not known. */
  readonly available: number
  /** The charge in micro-cents, set in onFinish; null before, and where nothing is charged. */
  microcents: number | null
}
