import { MICROCENTS_PER_CENT } from '../base/money.ts'
import type { Pricing } from '../config/config.ts'

export type { Pricing }

interface Used {
  readonly input: number
  /** The part of the input that was read from a cache. */
  readonly cachedInput: number
  readonly output: number
  /** Characters, images or seconds, as the kind of the model has them. Default: 0. */
  readonly units?: number
}

/**
 * The cost in whole micro-cents. A price in cents per million tokens is the same number of micro-cents per token.
 * `factor`: of the price.
 */
export function costOf(pricing: Pricing, { input, cachedInput, output, units = 0 }: Used, factor = 1): number {
  const cached = Math.min(cachedInput, input)
  const tokens = (input - cached) * pricing.input + cached * pricing.cached_input + output * pricing.output
  return Math.round((tokens + units * unitPrice(pricing)) * factor)
}

/** Micro-cents per unit. The configuration has at most the price of the unit of the model's kind. */
function unitPrice({ per_million_characters, per_image = 0, per_minute = 0 }: Pricing): number {
  return per_million_characters ?? per_image * MICROCENTS_PER_CENT + (per_minute * MICROCENTS_PER_CENT) / 60
}

/** The backend's tokens are charged; otherwise units are. */
export function hasTokenPrices({ input, cached_input, output }: Pricing): boolean {
  return input > 0 || cached_input > 0 || output > 0
}
