/**
 * Defaults: a model with 8 billion parameters on an H100 prefills 30,000 tokens a second, and a decode step takes 6 ms.
 */
const PREFILL_TOKENS_PER_MS = 30
const STEP_MS = 6
/** Part of a step that each token in the KV cache adds to it: 5e-5 ms to a step of 6 ms. */
const KV_STEPS = 5e-5 / 6

/** Position in a prompt at which attention doubles the cost of a token. */
const ATTENTION_TOKENS = 32_000

/** Bounds of learnt speeds. */
const MIN_TOKENS_PER_MS = 0.01
const MAX_TOKENS_PER_MS = 100_000
const MIN_STEP_MS = 0.001
const MAX_STEP_MS = 10_000

/** The time of a shorter prefill depends more on the network than on the backend. */
const MIN_WORK = 64
const KEPT_SAMPLES = 48
/** With fewer samples, a backend counts as equal to the others of its model. */
const MIN_SAMPLES = 12
/** Smaller ratios count as noise: equal backends must have equal costs. */
const MIN_RATIO = 1.4

/** Speeds of the configuration. */
export interface ConfiguredSpeed {
  readonly prefill_tokens_per_second: number | undefined
  readonly decode_step_ms: number | undefined
}

/** Work of a prefill from one position in a prompt to another. Its unit is a token at the start of a prompt. */
export function prefillWork(from: number, to: number): number {
  return to - from + (to * to - from * from) / (2 * ATTENTION_TOKENS)
}

/** The measured speed of all backends of one model. A new backend is assumed to have it. */
export class ModelSpeed {
  readonly prefill = new Samples(2 * KEPT_SAMPLES)
  readonly step = new Samples(2 * KEPT_SAMPLES)
}

/** How fast one backend computes prompts and generates tokens, learnt from the times of its replies. */
export class BackendSpeed {
  readonly #model: ModelSpeed
  readonly #prefill = new Samples(KEPT_SAMPLES)
  readonly #step = new Samples(KEPT_SAMPLES)

  constructor(model: ModelSpeed) {
    this.#model = model
  }

  /** Adds the time of a prefill that did not wait for others. `work`: of prefillWork(). */
  prefilled(work: number, ms: number): void {
    if (work < MIN_WORK || ms <= 0) return
    const rate = bounded(work / ms, MIN_TOKENS_PER_MS, MAX_TOKENS_PER_MS)
    this.#prefill.add(rate)
    this.#model.prefill.add(rate)
  }

  /** Adds the mean time between two tokens of an answer. */
  stepped(ms: number): void {
    if (ms <= 0) return
    const step = bounded(ms, MIN_STEP_MS, MAX_STEP_MS)
    this.#step.add(step)
    this.#model.step.add(step)
  }

  /** Work of prefillWork() per millisecond: a high quantile, because slow samples have waited for something. */
  tokensPerMs(configured: ConfiguredSpeed | undefined): number {
    if (configured?.prefill_tokens_per_second !== undefined) return configured.prefill_tokens_per_second / 1000
    return believed(this.#prefill, this.#model.prefill, 0.9) || PREFILL_TOKENS_PER_MS
  }

  /** Milliseconds of a step with few answers. Before it is measured, the speed of prefills is a hint. */
  stepMs(configured: ConfiguredSpeed | undefined): number {
    if (configured?.decode_step_ms !== undefined) return configured.decode_step_ms
    return (
      believed(this.#step, this.#model.step, 0.1) || (STEP_MS * PREFILL_TOKENS_PER_MS) / this.tokensPerMs(configured)
    )
  }

  /** Milliseconds that a token in the KV cache adds to each step. */
  kvMs(configured: ConfiguredSpeed | undefined): number {
    return this.stepMs(configured) * KV_STEPS
  }
}

/** The quantile of this backend if it clearly differs from that of all backends, otherwise the latter. */
function believed(own: Samples, all: Samples, share: number): number {
  const shared = all.quantile(share)
  if (own.count < MIN_SAMPLES) return shared
  const mine = own.quantile(share)
  return mine > shared * MIN_RATIO || mine < shared / MIN_RATIO ? mine : shared
}

function bounded(value: number, min: number, max: number): number {
  return Math.min(Math.max(value, min), max)
}

/** Above this many samples, only every eighth one updates the quantiles: sorting is the largest part of a decision. */
const ALWAYS_SORTED = 16
const SORTED_EVERY = 8

/** The last values of a measurement, and their quantiles. */
class Samples {
  readonly #ring: Float64Array
  #count = 0
  #sorted: Float64Array | null = null

  constructor(size: number) {
    this.#ring = new Float64Array(size)
  }

  /** Number of values that are kept. */
  get count(): number {
    return Math.min(this.#count, this.#ring.length)
  }

  add(value: number): void {
    this.#ring[this.#count++ % this.#ring.length] = value
    if (this.#count <= ALWAYS_SORTED || this.#count % SORTED_EVERY === 0) this.#sorted = null
  }

  /** 0 without values. */
  quantile(share: number): number {
    const { count } = this
    if (count === 0) return 0
    this.#sorted ??= this.#ring.slice(0, count).sort()
    const { length } = this.#sorted
    return this.#sorted[Math.min(length - 1, Math.floor(share * length))]!
  }
}
