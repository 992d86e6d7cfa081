import type { ModelConfig } from '../config/config.ts'

/** Prices of a model, in cents per million tokens. */
export type Pricing = NonNullable<ModelConfig['pricing']>

interface Tokens {
  readonly input: number
  /** The part of the input that was read from a cache. */
  readonly cachedInput: number
  readonly output: number
}

/** The cost in whole micro-cents. A price in cents per million tokens is the same number of micro-cents per token. */
export function costOf(pricing: Pricing, { input, cachedInput, output }: Tokens): number {
  const cached = Math.min(cachedInput, input)
  return Math.round((input - cached) * pricing.input + cached * pricing.cached_input + output * pricing.output)
}
