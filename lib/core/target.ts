import type { ModelConfig } from '../config/config.ts'

/** The model of an exchange, and which of its backends may serve it. */
export interface Target {
  /** Id of the account that asks. */
  readonly account: string
  readonly model: ModelConfig
  /** Only backends with zero data retention. */
  readonly zdr: boolean
  /** Sent as `cache_salt` to engines that take it: keeps the account apart in their prefix cache. Never logged. */
  readonly cacheSalt?: string | undefined
  /** Of the account's plan, in the queue of the model and on engines that take it; higher goes first. Absent: 0. */
  readonly priority?: number | undefined
  /** Where the request goes when no backend of the model can take it, in order; absent: nowhere. */
  fallbacks?(): readonly Target[]
  /** Models that the client may use here instead, for the message of a refusal. */
  alternatives(): readonly ModelConfig[]
}
