import { type Learning, MovingMean, RecentQuantile, SlowMinimum } from './samples.ts'

/**
 * Defaults: a model with 8 billion parameters on an H100 prefills 30,000 tokens a second, and a decode step takes 6 ms.
 */
const WORK_PER_MS = 30
const STEP_MS = 6
/** Part of a step that each token in the KV cache adds to it: 5e-5 ms to a step of 6 ms. */
const KV_STEPS = 5e-5 / 6
/** Limit of the learnt part, as a multiple of the default. */
const MAX_KV = 2

/** Bounds of learnt values. */
const MIN_WORK_PER_MS = 0.01
const MAX_WORK_PER_MS = 100_000
const MIN_STEP_MS = 0.001
const MAX_STEP_MS = 10_000

/** Samples of a model. A backend keeps half as many. */
const KEPT_SAMPLES = 96
/** With fewer samples of long prefills, short ones count as well. */
const MIN_SAMPLES = 4
/** The time of a shorter prefill depends more on the network than on the backend. */
const MIN_WORK = 64
/** A shorter prefill takes the rest of the running step and one step of its own, for any number of tokens. */
const MIN_RATE_TOKENS = 1000
/** Longest prefill that shows these two steps alone. */
const MAX_FLOOR_TOKENS = 300
/** The floor of a sample counts at most this part of its time. */
const MAX_FLOOR_SHARE = 3 / 4
/** Work of the prefills behind a queue that together are one sample. */
const QUEUED_WORK = 8000
/** A backend with fewer samples counts as equal to the others of its model. */
const MIN_OWN_SAMPLES = 12
/** Smaller ratios count as noise: equal backends must have equal costs. */
const MIN_OWN_RATIO = 1.4
/** An answer with fewer tokens says little about the time of a step. */
const MIN_ANSWER_TOKENS = 5
/** Limit of the part of an answer's time in which prefills were queued. Above it, steps carried chunks of prefill. */
const MAX_PREFILL_SHARE = 0.3
/** With fewer tokens in the KV cache, their part of a step is too small to be measured. */
const MIN_KV_TOKENS = 4000
/** Weight of a new value in the mean time of a request, and in the mean time of a token. */
const REQUEST_WEIGHT = 0.02
const PACE_WEIGHT = 0.1

/** Values of a backend's configuration. They replace what replies show. */
export interface ConfiguredSpeed {
  readonly prefill_tokens_per_second: number | undefined
  readonly decode_step_ms: number | undefined
}

/**
 * Work of a prefill from one position in a prompt to another. Its unit is a token at the start of a prompt.
 * `attentionTokens`: the position at which attention doubles the cost of a token.
 */
export function prefillWork(from: number, to: number, attentionTokens: number): number {
  return to - from + (to * to - from * from) / (2 * attentionTokens)
}

/** A finished prefill, as its stream shows it. */
export interface Prefill {
  /** Tokens that were not in the cache. */
  readonly newTokens: number
  /** Of these tokens, as of prefillWork(). */
  readonly work: number
  /** Milliseconds until the first token: since it was sent, or since the first token before it on its backend. */
  readonly ms: number
  /** It was sent to a backend with queued prefills. */
  readonly wasQueued: boolean
}

/** A finished answer, as its stream shows it. */
export interface Answer {
  readonly tokens: number
  /** Milliseconds from the first token to the last. */
  readonly ms: number
  /** Part of this time in which the backend had queued prefills, 0 to 1. */
  readonly prefillShare: number
  /** Mean number of tokens in the backend's KV cache during this time. */
  readonly kvTokens: number
}

/** The rate of prefills, in work per millisecond. */
class PrefillRate implements Learning {
  readonly long: RecentQuantile
  /** Of prefills of any length. A high quantile counts, because slow ones have waited for a step. */
  readonly any: RecentQuantile

  constructor(size: number) {
    this.long = new RecentQuantile(size, 0.5)
    this.any = new RecentQuantile(size, 0.9)
  }

  get value(): number {
    return this.#used.value
  }

  get count(): number {
    return this.#used.count
  }

  get movedAt(): number {
    return this.#used.movedAt
  }

  /** Both are below the true rate while there are few samples, so the larger one is closer to it. */
  get #used(): Learning {
    return this.long.count < MIN_SAMPLES && this.any.value > this.long.value ? this.any : this.long
  }
}

/** How fast the backends of one model are, learnt from the times of their replies (docs/ROUTING.md#what-is-learnt). */
export class ModelBeliefs {
  readonly rate = new PrefillRate(KEPT_SAMPLES)
  /** Milliseconds until the first token of a prompt without work: the rest of the running step, and one step. */
  readonly floor = new RecentQuantile(KEPT_SAMPLES, 0.5)
  /** Milliseconds of a decode step at low load. */
  readonly step = new SlowMinimum()
  /** Milliseconds that a token in the KV cache adds to each step. */
  readonly kv = new RecentQuantile(KEPT_SAMPLES, 0.25)
  readonly #requestMs = new MovingMean(REQUEST_WEIGHT)

  /** Work of prefills per millisecond. */
  get workPerMs(): number {
    return this.rate.value || WORK_PER_MS
  }

  /** Milliseconds of a step at low load. Before it is measured, the rate of prefills is a hint. */
  get stepMs(): number {
    return this.step.value || (STEP_MS * WORK_PER_MS) / this.workPerMs
  }

  /** Milliseconds that a token in the KV cache adds to each step. `stepMs`: of a step at low load. */
  kvMs(stepMs: number): number {
    const standard = stepMs * KV_STEPS
    return this.kv.count === 0 ? standard : Math.min(this.kv.value, MAX_KV * standard)
  }

  /** Mean milliseconds of a request; 0: unknown. */
  get requestMs(): number {
    return this.#requestMs.value
  }

  answered({ tokens, ms, prefillShare, kvTokens }: Answer, now: number): void {
    if (tokens < MIN_ANSWER_TOKENS || ms <= 0) return
    const tokenMs = bounded(ms / (tokens - 1), MIN_STEP_MS, MAX_STEP_MS)
    this.step.add(tokenMs, now)
    if (prefillShare < MAX_PREFILL_SHARE && kvTokens > MIN_KV_TOKENS)
      this.kv.add(Math.max(0, tokenMs - this.step.value) / kvTokens, now)
  }

  /** A request has ended after this many milliseconds. */
  ended(ms: number): void {
    this.#requestMs.add(ms)
  }
}

/** How fast one backend is. Only its rate of prefills may differ from that of its model. */
export class BackendBeliefs {
  readonly #model: ModelBeliefs
  #own = new PrefillRate(KEPT_SAMPLES / 2)
  #pace = new MovingMean(PACE_WEIGHT)
  /** Prefills behind a queue that are no sample yet. */
  #queuedWork = 0
  #queuedMs = 0

  constructor(model: ModelBeliefs) {
    this.#model = model
  }

  /** The rate of prefills that counts: that of the model, unless this backend clearly differs. */
  get rate(): Learning {
    const own = this.#own
    if (own.long.count < MIN_OWN_SAMPLES) return this.#model.rate
    const ratio = own.value / this.#model.workPerMs
    return ratio > MIN_OWN_RATIO || ratio < 1 / MIN_OWN_RATIO ? own : this.#model.rate
  }

  /** Work of prefills per millisecond. */
  workPerMs({ prefill_tokens_per_second: set }: ConfiguredSpeed): number {
    return set === undefined ? this.rate.value || WORK_PER_MS : set / 1000
  }

  /** Milliseconds per token of the last answers; 0: unknown. */
  get paceMs(): number {
    return this.#pace.value
  }

  prefilled({ newTokens, work, ms, wasQueued }: Prefill, configured: ConfiguredSpeed, now: number): void {
    if (wasQueued) {
      if (newTokens >= MIN_RATE_TOKENS) this.#queued(work, ms, now)
      return
    }
    if (ms <= 0) return
    const { rate, floor } = this.#model
    if (work >= MIN_WORK) for (const { any } of [this.#own, rate]) any.add(boundedRate(work / ms), now)
    if (newTokens >= MIN_RATE_TOKENS) this.#learnRate(work / (ms - Math.min(floor.value, MAX_FLOOR_SHARE * ms)), now)
    else if (newTokens <= MAX_FLOOR_TOKENS) floor.add(Math.max(0, ms - work / this.workPerMs(configured)), now)
  }

  answered({ tokens, ms }: Answer): void {
    if (tokens >= MIN_ANSWER_TOKENS && ms > 0) this.#pace.add(ms / (tokens - 1))
  }

  /** Forgets everything: the backend has been down, and another one may have its address. */
  forget(): void {
    this.#own = new PrefillRate(KEPT_SAMPLES / 2)
    this.#pace = new MovingMean(PACE_WEIGHT)
    this.#queuedWork = 0
    this.#queuedMs = 0
  }

  #queued(work: number, ms: number, now: number): void {
    this.#queuedWork += work
    this.#queuedMs += ms
    if (this.#queuedWork < QUEUED_WORK) return
    this.#learnRate(this.#queuedWork / this.#queuedMs, now)
    this.#queuedWork = 0
    this.#queuedMs = 0
  }

  #learnRate(workPerMs: number, now: number): void {
    for (const { long } of [this.#own, this.#model.rate]) long.add(boundedRate(workPerMs), now)
  }
}

function boundedRate(workPerMs: number): number {
  return bounded(workPerMs, MIN_WORK_PER_MS, MAX_WORK_PER_MS)
}

function bounded(value: number, min: number, max: number): number {
  return Math.min(Math.max(value, min), max)
}
