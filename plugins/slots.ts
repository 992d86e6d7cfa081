/** Every slot that built-in plugins fill: the vocabulary of an exchange on one screen. */
import type { Sampling } from '../lib/chat.ts'
import type { Key } from '../lib/keys.ts'
import { slot } from '../lib/slots.ts'

export { chat, formatOptions, target } from '../lib/slots.ts'

/** The key the client sent and the account it belongs to. */
export const key = slot('key').of<Key>()

/** Whether zero data retention is required, and who said so: the status of a refusal depends on it. */
export const zdr = slot('zdr').of<'header' | 'policy' | null>()

/** Values of Service-Request-Tag in order, without duplicates; null when untagged or not on a dedicated endpoint. */
export const requestTags = slot('request-tags').of<readonly string[] | null>()

/** Sampling controls as the client sent them: rules may take some out of the request. */
export const clientSampling = slot('client-sampling').of<Sampling>()

/** What the reply has shown so far. One mutable object per exchange, updated by the usage stage. */
export const meter = slot('meter').of<Meter>()

export interface Meter {
  inputTokens: number | null
  outputTokens: number | null
  cacheReadTokens: number | null
  reasoningTokens: number | null
  /** Milliseconds from the request's arrival to the first generated token; null until then. */
  firstTokenMs: number | null
  /** Milliseconds from the request's arrival to the last generated token; null until then. */
  lastTokenMs: number | null
  /** Gaps of more than a second between two tokens (api.md "Limits"). */
  stalls: number
  finish: string | null
  matchedStopTokenId: number | null
  usagePresent: boolean
  usageParseError: string | null
}

/** The exchange has been counted as in flight. */
export const counted = slot('counted').of<true>()
