import type { BackendLoad } from './backend-load.ts'
import { type BackendSpeed, type ConfiguredSpeed, prefillWork } from './backend-speed.ts'

/** Steps per answer in generation. A new answer slows the others down by about eight steps; five of them count. */
const STEPS_PER_ANSWER = 5 / 8
/** Weight of the time that each token in the KV cache adds to a step. */
const KV_WEIGHT = 3
/** Weight of the evicted tokens. */
const EVICTION_WEIGHT = 0.5
/** Limit of the evicted tokens that count. */
const MAX_EVICTED_TOKENS = 3000
/** Evicted tokens that count, as a multiple of the new tokens of an average request. */
const EVICTED_REQUESTS = 4

/** The cost of sending a request to one backend, in milliseconds, with all its terms (docs/ROUTING.md). */
export interface Cost {
  /** Time until the queued prefills are done. */
  waitMs: number
  /** Time of its own prefill: tokens that the backend has not cached. */
  ownMs: number
  /** Time that it takes from answers that are being generated. */
  decodeMs: number
  /** Time that it takes from later requests, because it evicts chunks from the cache. */
  pressureMs: number
  /** The sum of all terms, divided by the backend's weight. */
  cost: number
}

/** Everything that the cost at one backend depends on. */
export interface CostInput {
  readonly load: BackendLoad
  readonly speed: BackendSpeed
  readonly configured: ConfiguredSpeed | undefined
  readonly promptTokens: number
  /** Tokens at the beginning of the prompt that the backend is believed to have cached. */
  readonly knownTokens: number
  /** 0 to 1: how soon chunks are evicted that are still in use. */
  readonly evictionPressure: number
  /** New tokens of an average request of the model. */
  readonly meanNewTokens: number
  readonly weight: number
  readonly now: number
}

export function costOfSending(input: CostInput): Cost {
  const { load, speed, configured, promptTokens, knownTokens, evictionPressure, meanNewTokens, weight, now } = input
  const rate = speed.tokensPerMs(configured)
  const waitMs = load.wait(now)
  const ownMs = prefillWork(knownTokens, promptTokens) / rate
  const answersMs = STEPS_PER_ANSWER * speed.stepMs(configured) * load.answers
  const decodeMs = answersMs + KV_WEIGHT * speed.kvMs(configured) * load.promptTokens
  const evictedTokens = Math.min(MAX_EVICTED_TOKENS, EVICTED_REQUESTS * meanNewTokens)
  const pressureMs = (EVICTION_WEIGHT * evictionPressure * evictedTokens) / rate
  return { waitMs, ownMs, decodeMs, pressureMs, cost: (waitMs + ownMs + decodeMs + pressureMs) / weight }
}
