import type { PromptSize, TextKind, TokenKind } from './prompt-size.ts'

/** Tokens per unit before the first measurement. `mean`: average of tokenizers. `high`: above nearly all tokenizers. */
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

/** Kinds whose ratio is measured. Float64Arrays have this order, because writing to them allocates nothing. */
const MEASURED = (Object.keys(FIRST) as TokenKind[]).filter(kind => kind !== 'ids')
const MEANS = MEASURED.map(kind => FIRST[kind].mean)
const HIGHS = MEASURED.map(kind => FIRST[kind].high)
const TEXT = (['letters', 'symbols', 'digits', 'mixed', 'wide', 'rare'] as const satisfies readonly TextKind[]).map(
  kind => MEASURED.indexOf(kind),
)
const LETTERS = MEASURED.indexOf('letters')

/** Weight of the first ratio, in measured tokens. */
const FIRST_TOKENS = 200
/** Above this number of tokens of a kind, the counts are halved, so that old requests lose weight. */
const REMEMBERED_TOKENS = 1_000_000
/** Tokens of a kind after which its ratio is trusted. */
const ENOUGH_TOKENS = 2000
/** Bounds of a ratio, as multiples of the first one. They limit the effect of wrong counts of a backend. */
const MIN_RATIO = 1 / 20
const MAX_RATIO = 5

/** The first requests, whose errors are not counted: the ratios have not settled yet. */
const SETTLING_REQUESTS = 100
/** Requests before the measured margin replaces the first, high ratios. */
const ENOUGH_REQUESTS = 200
/** Number of requests from which a share of one in two thousand is measurable. */
const MANY_REQUESTS = 2000
/** Above this number of requests, the counts of errors are halved. */
const REMEMBERED_REQUESTS = 20_000
/** Share of the requests that may exceed the upper bound. Half of the documented share. */
const EXCEEDING = 0.0005
/** The quotient of reported and expected tokens is counted in steps of 4 %, from a quarter to sixteen. */
const STEP = Math.log(1.04)
const STEPS = 108
/** The step of the quotient 1. */
const EXACT = 36
/** Steps added to the highest counted step, because the next error may be larger than all before. */
const SPARE = 1
const SPARE_OF_FEW = 3
/** Number of requests after which the margin is recalculated. */
const EVERY = 64

/**
 * Estimates the tokens of prompts for one model, from the counts of its backends: a decaying ratio of tokens to bytes
 * per kind of content, and the distribution of the errors.
 */
export class ModelTokens {
  /** Measured tokens and units by kind. */
  readonly #tokens = new Float64Array(MEASURED.length).fill(FIRST_TOKENS)
  readonly #units = Float64Array.from(MEANS, mean => FIRST_TOKENS / mean)
  readonly #ratios = Float64Array.from(MEANS)
  /** Requests by the step of their error. */
  readonly #errors = new Float64Array(STEPS)
  #settling = SETTLING_REQUESTS
  #requests = 0
  /** Requests since the margin was calculated. */
  #newRequests = 0
  #margin = 1

  /** The expected number of tokens; an integer. */
  expected(size: PromptSize): number {
    return Math.ceil(this.#mean(size))
  }

  /** A number of tokens that at most one request in a thousand exceeds, by the measurements so far; an integer. */
  upperBound(size: PromptSize): number {
    const isMeasured = this.#requests >= ENOUGH_REQUESTS
    let tokens = size.ids
    for (let i = 0; i < MEASURED.length; i++) {
      const ratio = this.#ratios[i]! * this.#margin
      const isKnown = isMeasured && this.#tokens[i]! >= FIRST_TOKENS + ENOUGH_TOKENS
      tokens += size[MEASURED[i]!] * (isKnown ? ratio : Math.max(ratio, HIGHS[i]!))
    }
    return Math.ceil(tokens)
  }

  /** The expected tokens of text of which only the length is known; an integer. */
  ofText(bytes: number): number {
    return Math.ceil(bytes * this.tokensPerByte)
  }

  /** The ratio over all text of the prompts so far; initially that of prose. */
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

  /** Records that a backend counted `tokens` in a prompt of this size. */
  learn(size: PromptSize, tokens: number): void {
    const mean = this.#mean(size)
    // A prompt with token ids has nothing to learn from.
    if (tokens <= 0 || mean <= size.ids || size.ids > 0) return
    const error = Math.max(1 / 16, Math.min(16, tokens / mean))
    if (this.#settling > 0) this.#settling--
    else this.#count(error)
    for (let i = 0; i < MEASURED.length; i++) {
      const units = size[MEASURED[i]!]
      if (units === 0) continue
      // The tokens of a prompt are distributed over its kinds in proportion to the expected tokens.
      this.#tokens[i]! += this.#ratios[i]! * units * error
      this.#units[i]! += units
      if (this.#tokens[i]! > REMEMBERED_TOKENS) {
        this.#tokens[i]! /= 2
        this.#units[i]! /= 2
      }
      const first = MEANS[i]!
      const ratio = this.#tokens[i]! / this.#units[i]!
      this.#ratios[i] = Math.max(first * MIN_RATIO, Math.min(first * MAX_RATIO, ratio))
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
    // Recalculates the margin immediately if it was too small, otherwise periodically.
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

export class TokenRatios {
  readonly #models = new Map<string, ModelTokens>()

  /** `model`: an id of the configuration, which bounds their number. */
  of(model: string): ModelTokens {
    let own = this.#models.get(model)
    if (own === undefined) {
      own = new ModelTokens()
      this.#models.set(model, own)
    }
    return own
  }
}
