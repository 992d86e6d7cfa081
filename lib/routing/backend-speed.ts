import { Samples } from './samples.ts'

/**
 * Where nothing is known: a model of 8 billion parameters on an H100, which prefills 30,000 tokens a second and
 * generates a token in 6 ms.
 */
const PREFILL_TOKENS_PER_MS = 30
const STEP_MS = 6
/** Milliseconds that a token in the KV cache adds to a step, in steps: 5e-5 ms for a step of 6 ms. */
const KV_STEPS = 5e-5 / 6

/** Position at which attention doubles the cost of a token. */
const ATTENTION_TOKENS = 32_000

/** Bounds of what is learnt. */
const LEAST_TOKENS_PER_MS = 0.01
const MOST_TOKENS_PER_MS = 100_000
const LEAST_STEP_MS = 0.001
const MOST_STEP_MS = 10_000

/** A shorter prefill says more about the network than about the backend. */
const LEAST_WORK = 64
const KEPT = 48
/** Samples from which a backend is believed to differ from the others of its model. */
const ENOUGH = 12
/** Differences below are taken for noise: equal backends must cost the same. */
const ALIKE = 1.4

/** Set by hand in the configuration. */
export interface SetSpeed {
  readonly prefill_tokens_per_second: number | undefined
  readonly decode_step_ms: number | undefined
}

/** The work of a prefill from one position in a prompt to another, in tokens at the start of a prompt. */
export function prefillWork(from: number, to: number): number {
  return to - from + (to * to - from * from) / (2 * ATTENTION_TOKENS)
}

/** How fast the backends of one model have been together: what is believed of one that is new. */
export class ModelSpeed {
  readonly prefill = new Samples(2 * KEPT)
  readonly step = new Samples(2 * KEPT)
}

/** How fast one backend computes prompts and generates tokens, learnt from the times of its replies. */
export class BackendSpeed {
  readonly #model: ModelSpeed
  readonly #prefill = new Samples(KEPT)
  readonly #step = new Samples(KEPT)

  constructor(model: ModelSpeed) {
    this.#model = model
  }

  /** A prefill that began at once has taken so long. `work`: of prefillWork(). */
  prefilled(work: number, ms: number): void {
    if (work < LEAST_WORK || ms <= 0) return
    const rate = bounded(work / ms, LEAST_TOKENS_PER_MS, MOST_TOKENS_PER_MS)
    this.#prefill.add(rate)
    this.#model.prefill.add(rate)
  }

  /** Milliseconds between two tokens of an answer, on average. */
  stepped(ms: number): void {
    if (ms <= 0) return
    const step = bounded(ms, LEAST_STEP_MS, MOST_STEP_MS)
    this.#step.add(step)
    this.#model.step.add(step)
  }

  /** Tokens of prefillWork() in a millisecond. The fast samples count: the slow ones have waited for something. */
  tokensPerMs(set: SetSpeed | undefined): number {
    if (set?.prefill_tokens_per_second !== undefined) return set.prefill_tokens_per_second / 1000
    return believed(this.#prefill, this.#model.prefill, 0.9) || PREFILL_TOKENS_PER_MS
  }

  /** Milliseconds of a step in which few answers are generated. A model that prefills fast also decodes fast. */
  stepMs(set: SetSpeed | undefined): number {
    if (set?.decode_step_ms !== undefined) return set.decode_step_ms
    return believed(this.#step, this.#model.step, 0.1) || (STEP_MS * PREFILL_TOKENS_PER_MS) / this.tokensPerMs(set)
  }

  /** Milliseconds that a token in the KV cache adds to each step. */
  kvMs(set: SetSpeed | undefined): number {
    return this.stepMs(set) * KV_STEPS
  }
}

/** Of this backend where it clearly differs from the others, else of all. */
function believed(own: Samples, all: Samples, share: number): number {
  const shared = all.quantile(share)
  if (own.count < ENOUGH) return shared
  const mine = own.quantile(share)
  return mine > shared * ALIKE || mine < shared / ALIKE ? mine : shared
}

function bounded(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most)
}
