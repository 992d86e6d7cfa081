import type { BackendLoad } from './backend-load.ts'
import { prefillWork } from './model-beliefs.ts'

/** Part of a new prefill that each queued request costs: on average half of those that are queued come after it. */
const CROWDING = 0.5
/** Decode steps that count per answer in generation. */
const STEPS_PER_ANSWER = 5 / 16
/** Weight of the time that each token in the KV cache adds to a step. */
const KV_WEIGHT = 3
/** Weight of the evicted tokens. */
const EVICTION_WEIGHT = 0.5
/** Limit of the evicted tokens that count. */
const MAX_EVICTED_TOKENS = 3000
/** Evicted tokens that count, as a multiple of the new tokens of an average request. */
const EVICTED_REQUESTS = 4
/** Weight of the time that answers of lines add to a step: a request and its answer meet many steps. */
const LINES_WEIGHT = 4.5
/** Part of the cache that requests in flight can use before others have to wait for memory. */
const USABLE_CACHE = 0.95

/** The cost of sending a request to one backend, in milliseconds, with all its terms (docs/ROUTING.md). */
export interface Cost {
  /** Time until the queued prefills are done, divided by the backend's weight. */
  waitMs: number
  /** Time of its own prefill: tokens that the backend has not cached. */
  ownMs: number
  /** Time that its own prefill takes from requests that come after it. */
  crowdingMs: number
  /** Time that it takes from answers that are being generated. */
  decodeMs: number
  /** Time that it takes from later requests, because it evicts chunks from the cache. */
  pressureMs: number
  /** Time that it waits for memory which requests in flight use. */
  memoryMs: number
  /** The sum of all terms. */
  cost: number
}

/** How fast the backends of a model are. It is the same at all of them, so that only their queues make a difference. */
export interface ModelSpeed {
  /** Work of prefills per millisecond. */
  readonly workPerMs: number
  readonly floorMs: number
  readonly stepMs: number
  readonly kvMs: number
  /** Mean milliseconds of a request; 0: unknown. */
  readonly requestMs: number
}

type StepSpeed = Pick<ModelSpeed, 'workPerMs' | 'kvMs'>

/** Everything that the cost at one backend depends on. */
export interface CostInput {
  readonly load: BackendLoad
  /** The lines of batches at the backend. */
  readonly lines: BackendLoad
  readonly speed: ModelSpeed
  readonly attentionTokens: number
  /** Queued requests per backend that may be chosen. */
  readonly queued: number
  readonly promptTokens: number
  /** Tokens at the beginning of the prompt that the backend is believed to have cached. */
  readonly knownTokens: number
  /**
   * No backend knows the beginning of the prompt. What follows it stays at the chosen backend for longer than the lines
   * there, so these do not count.
   */
  readonly isNew: boolean
  /** Size of the backend's cache; undefined: unknown. */
  readonly cacheTokens: number | undefined
  /** 0 to 1: how soon chunks are evicted that are still in use. */
  readonly evictionPressure: number
  /** New tokens of an average request of the model. */
  readonly meanNewTokens: number
  readonly weight: number
  readonly now: number
}

export function costOfSending(input: CostInput): Cost {
  const { load, lines, speed, attentionTokens, queued, promptTokens, knownTokens, isNew, now } = input
  const waitMs = (load.wait(now) + (isNew ? 0 : lines.wait(now))) / input.weight
  const ownMs = prefillWork(knownTokens, promptTokens, attentionTokens) / speed.workPerMs
  const crowdingMs = CROWDING * queued * ownMs
  const kvTokens = load.promptTokens + load.answerTokens(now)
  const answersMs = STEPS_PER_ANSWER * speed.stepMs * load.answers + KV_WEIGHT * speed.kvMs * kvTokens
  const decodeMs = answersMs + (isNew ? 0 : LINES_WEIGHT * addedStepMs(lines, speed, now))
  const evictedTokens = Math.min(MAX_EVICTED_TOKENS, EVICTED_REQUESTS * input.meanNewTokens)
  const pressureMs = (EVICTION_WEIGHT * input.evictionPressure * evictedTokens) / speed.workPerMs
  const memoryMs = memoryWait(input)
  const cost = waitMs + ownMs + crowdingMs + decodeMs + pressureMs + memoryMs
  return { waitMs, ownMs, crowdingMs, decodeMs, pressureMs, memoryMs, cost }
}

/** What lines of batches add to each step, in milliseconds: their tokens, and reading what they have in the cache. */
export function addedStepMs(lines: BackendLoad, { workPerMs, kvMs }: StepSpeed, now: number): number {
  const count = lines.queued + lines.answers
  return count === 0 ? 0 : count / workPerMs + kvMs * (lines.promptTokens + lines.answerTokens(now))
}

/** Requests in flight release what they hold at a steady rate, all of it in the mean time of a request. */
function memoryWait({ load, lines, speed, promptTokens, knownTokens, cacheTokens, now }: CostInput): number {
  if (cacheTokens === undefined) return 0
  const held = load.heldTokens(now) + lines.heldTokens(now)
  const over = held + promptTokens - knownTokens - USABLE_CACHE * cacheTokens
  return over <= 0 || held <= 0 ? 0 : (over * speed.requestMs) / held
}
