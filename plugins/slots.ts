/** `sluiceway/slots`: every slot that the built-in plugins provide. */
import { type Pricing, type QuotaState, type RateState, type Sampling, slot } from '../lib/plugin.ts'

export { chat, formatOptions, key, pipe, target } from '../lib/plugin.ts'

/** The user of the console session. */
export const sessionUser = slot('session-user').of<string>()

/** The source that requires zero data retention, on which the status of a refusal depends; null: it is not required. */
export const zdr = slot('zdr').of<'header' | 'policy' | null>()

/** Values of Service-Request-Tag in order, without duplicates; null when untagged or not on a dedicated endpoint. */
export const requestTags = slot('request-tags').of<readonly string[] | null>()

/** Sampling controls as the client sent them. Rules may remove some from the request. */
export const clientSampling = slot('client-sampling').of<Sampling>()

/** Tokens and times of the reply so far. One mutable object per exchange, updated by the transformer of `usage`. */
export const usage = slot('usage').of<ReplyUsage>()

/** Measurements of a reply so far; null: not known yet. */
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
  /** Observes the seconds between two chunks with tokens; null: not observed. */
  pace: { observe(seconds: number): void } | null
  finish: string | null
  matchedStopTokenId: number | null
  usagePresent: boolean
  usageParseError: string | null
}

/** Set once the exchange is part of the gauge of requests in flight. */
export const inFlight = slot('in-flight').of<true>()

/** Id of the account that the request holds a concurrency lease of; null: it holds none. */
export const concurrencyLease = slot('concurrency-lease').of<string | null>()

/** The count of the request in its plan's quota, to give back; null: it was not counted. */
export const quotaUse = slot('quota-use').of<QuotaUse | null>()

export interface QuotaUse {
  readonly account: string
  readonly windowMs: number
  readonly state: QuotaState
}

/** The count of the request in a rate limit, to give back; null: it was not counted. */
export const rateUse = slot('rate-use').of<RateUse | null>()

export interface RateUse {
  readonly account: string
  readonly name: string
  readonly state: RateState
}

/** The reservation and charge of a prepaid account for this request; null: none. */
export const charge = slot('charge').of<Charge | null>()

export interface Charge {
  readonly account: string
  readonly pricing: Pricing
  /** Tokens of the input, as estimated. */
  readonly input: number
  /** Micro-cents: the most that can be charged. */
  readonly reserved: number
  /** The charge in micro-cents, set in onFinish; null before, and where nothing is charged. */
  microcents: number | null
}
