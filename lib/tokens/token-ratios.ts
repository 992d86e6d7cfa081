import type { PromptSize, TextKind, TokenKind } from './prompt-size.ts'

/** Tokens of a unit before anything has been measured: as tokenizers have them on average, and more than nearly all. */
const FIRST: Readonly<Record<TokenKind, { readonly mean: number; readonly high: number }>> = {
  letters: { mean: 0.22, high: 1 / 3 },
  symbols: { mean: 0.4, high: 0.7 },
  digits: { mean: 0.7, high: 1.1 },
  mixed: { mean: 0.9, high: 1.2 },
  wide: { mean: 0.3, high: 0.67 },
  rare: { mean: 0.4, high: 1 },
  tools: { mean: 0.25, high: 0.4 },
  toolsets: { mean: 100, high: 250 },
  pieces: { mean: 5, high: 8 },
  images: { mean: 800, high: 2000 },
  requests: { mean: 10, high: 40 },
  ids: { mean: 1, high: 1 },
}

/** Kinds whose ratio is measured. Arrays of numbers have them in this order: writing to them makes no object, as members of an object would. */
const MEASURED = (Object.keys(FIRST) as TokenKind[]).filter(kind => kind !== 'ids')
const MEANS = MEASURED.map(kind => FIRST[kind].mean)
const HIGHS = MEASURED.map(kind => FIRST[kind].high)
const TEXT = (['letters', 'symbols', 'digits', 'mixed', 'wide', 'rare'] as const satisfies readonly TextKind[]).map(
  kind => MEASURED.indexOf(kind),
)
const LETTERS = MEASURED.indexOf('letters')

/** The weight of the first ratio, in tokens that have been seen. */
const FIRST_TOKENS = 200
/** Above this many tokens of a kind, what was seen before counts half. */
const REMEMBERED_TOKENS = 1_000_000
/** A ratio of a kind is trusted once this many tokens of it have been seen. */
const ENOUGH_TOKENS = 2000
/** Bounds of a ratio, as multiples of the first one: a backend that reports nonsense does harm within them. */
const LEAST_RATIO = 1 / 20
const MOST_RATIO = 5

/** The ratios settle first: how far these requests are from them says nothing about later ones. */
const SETTLING_REQUESTS = 100
/** Requests before the measured margin replaces the first, high ratios. */
const ENOUGH_REQUESTS = 200
/** From this many on, a request in two thousand is one that has been seen. */
const MANY_REQUESTS = 2000
/** Above this many requests, what was seen before counts half. */
const REMEMBERED_REQUESTS = 20_000
/** Share of the requests that may exceed their estimate. Half of what is promised. */
const EXCEEDING = 0.0005
/** Reported over expected tokens are counted in steps of 4 %, from a quarter to sixteen times. */
const STEP = Math.log(1.04)
const STEPS = 108
/** The step of a request that has as many tokens as expected. */
const EXACT = 36
/** Steps above the highest that counts, because the next request may be further off than any before. */
const SPARE = 1
const SPARE_OF_FEW = 3
/** Requests until the margin is worked out again. */
const EVERY = 64

/**
 * How many tokens the prompts of one model have, measured from what its backends report: a decaying ratio of tokens to
 * bytes for each kind of content, and how far single requests are from it.
 */
export class ModelTokens {
  /** Tokens and units by kind. */
  readonly #tokens = new Float64Array(MEASURED.length).fill(FIRST_TOKENS)
  readonly #units = Float64Array.from(MEANS, mean => FIRST_TOKENS / mean)
  readonly #ratios = Float64Array.from(MEANS)
  /** Requests by the step of their error. */
  readonly #errors = new Float64Array(STEPS)
  #settling = SETTLING_REQUESTS
  #requests = 0
  /** Since the margin was worked out. */
  #newRequests = 0
  #margin = 1

  /** The expected number of tokens, whole. */
  expected(size: PromptSize): number {
    return Math.ceil(this.#mean(size))
  }

  /** A number of tokens that at most one request in a thousand exceeds, as far as it was measured. Whole. */
  most(size: PromptSize): number {
    const isMeasured = this.#requests >= ENOUGH_REQUESTS
    let tokens = size.ids
    for (let i = 0; i < MEASURED.length; i++) {
      const ratio = this.#ratios[i]! * this.#margin
      const isKnown = isMeasured && this.#tokens[i]! >= FIRST_TOKENS + ENOUGH_TOKENS
      tokens += size[MEASURED[i]!] * (isKnown ? ratio : Math.max(ratio, HIGHS[i]!))
    }
    return Math.ceil(tokens)
  }

  /** Tokens of generated text, of which nothing but the length is known. Whole. */
  ofText(bytes: number): number {
    return Math.ceil(bytes * this.tokensPerByte)
  }

  /** Over all text of the prompts so far. Before the first, text is taken for prose. */
  get tokensPerByte(): number {
    let tokens = 0
    let bytes = 0
    for (const kind of TEXT) {
      const first = kind === LETTERS ? 0 : FIRST_TOKENS
      tokens += Math.max(0, this.#tokens[kind]! - first)
      bytes += Math.max(0, this.#units[kind]! - first / MEANS[kind]!)
    }
    return tokens / bytes
  }

  /** A backend has counted `tokens` in a prompt of this size. */
  learn(size: PromptSize, tokens: number): void {
    const mean = this.#mean(size)
    // Nothing is learnt from ids, which are tokens already.
    if (tokens <= 0 || mean <= size.ids || size.ids > 0) return
    const error = Math.max(1 / 16, Math.min(16, tokens / mean))
    if (this.#settling > 0) this.#settling--
    else this.#count(error)
    for (let i = 0; i < MEASURED.length; i++) {
      const units = size[MEASURED[i]!]
      if (units === 0) continue
      // The tokens of a prompt go to its kinds in proportion to what was expected of each.
      this.#tokens[i]! += this.#ratios[i]! * units * error
      this.#units[i]! += units
      if (this.#tokens[i]! > REMEMBERED_TOKENS) {
        this.#tokens[i]! /= 2
        this.#units[i]! /= 2
      }
      const first = MEANS[i]!
      const ratio = this.#tokens[i]! / this.#units[i]!
      this.#ratios[i] = Math.max(first * LEAST_RATIO, Math.min(first * MOST_RATIO, ratio))
    }
  }

  #mean(size: PromptSize): number {
    let tokens = size.ids
    for (let i = 0; i < MEASURED.length; i++) tokens += size[MEASURED[i]!] * this.#ratios[i]!
    return tokens
  }

  #count(error: number): void {
    const step = Math.floor(Math.log(error) / STEP) + EXACT
    this.#errors[Math.max(0, Math.min(STEPS - 1, step))]!++
    this.#requests++
    // The margin follows at once where it was too small, else every now and then.
    if (error <= this.#margin && ++this.#newRequests < EVERY) return
    this.#newRequests = 0
    if (this.#requests > REMEMBERED_REQUESTS) {
      this.#requests /= 2
      for (let i = 0; i < STEPS; i++) this.#errors[i]! /= 2
    }
    let above = 0
    let highest = STEPS - 1
    while (highest > 0 && above + this.#errors[highest]! <= this.#requests * EXCEEDING)
      above += this.#errors[highest--]!
    const spare = this.#requests < MANY_REQUESTS ? SPARE_OF_FEW : SPARE
    this.#margin = Math.exp((highest + 1 - EXACT + spare) * STEP)
  }
}

/** The tokens of each model, by its id. */
export class TokenRatios {
  readonly #models = new Map<string, ModelTokens>()

  /** `model`: of the configuration, so that there are few. */
  of(model: string): ModelTokens {
    let own = this.#models.get(model)
    if (own === undefined) {
      own = new ModelTokens()
      this.#models.set(model, own)
    }
    return own
  }
}
