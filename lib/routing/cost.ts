import type { BackendLoad } from './backend-load.ts'
import { type BackendSpeed, prefillWork, type SetSpeed } from './backend-speed.ts'

/** A request that is generated beside others slows eight steps' worth of them down; five of these count. */
const ANSWER_PRICE = 5 / 8
const KV_PRICE = 3
const PRESSURE = 0.5
/** Most tokens of prefill that a full, young cache costs. */
const PRESSURE_TOKENS = 3000
const PRESSURE_MEANS = 4

/** The cost of sending a request to one backend, in milliseconds: all terms of the decision (docs/ROUTING.md). */
export interface Cost {
  /** Until the prefills before it are done. */
  waitMs: number
  /** Its own prefill, of the tokens that the backend does not know. */
  ownMs: number
  /** What it costs the answers that are being generated. */
  decodeMs: number
  /** What others will pay for the chunks that it drives out of the cache. */
  pressureMs: number
  /** Sum of all, divided by the backend's weight. */
  cost: number
}

/** What the cost of one backend depends on. */
export interface CostInput {
  readonly load: BackendLoad
  readonly speed: BackendSpeed
  readonly set: SetSpeed | undefined
  /** Tokens of the prompt, and those at its beginning that the backend knows. */
  readonly promptTokens: number
  readonly knownTokens: number
  /** 0 to 1: how little it takes to drive out chunks that are still used. */
  readonly young: number
  /** New tokens of an average request of the model. */
  readonly meanNewTokens: number
  readonly weight: number
  readonly now: number
}

export function costOfSending(input: CostInput): Cost {
  const { load, speed, set, promptTokens, knownTokens, young, meanNewTokens, weight, now } = input
  const rate = speed.tokensPerMs(set)
  const waitMs = load.wait(now)
  const ownMs = prefillWork(knownTokens, promptTokens) / rate
  const decodeMs = ANSWER_PRICE * speed.stepMs(set) * load.answers + KV_PRICE * speed.kvMs(set) * load.promptTokens
  const pressureMs = (PRESSURE * young * Math.min(PRESSURE_TOKENS, PRESSURE_MEANS * meanNewTokens)) / rate
  return { waitMs, ownMs, decodeMs, pressureMs, cost: (waitMs + ownMs + decodeMs + pressureMs) / weight }
}
