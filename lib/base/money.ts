/** Amounts of money are whole micro-cents: millionths of a cent. The API and the configuration have cents. */
export const MICROCENTS_PER_CENT = 1_000_000

/** Whole micro-cents in cents, which then have at most six decimals. */
export function centsOf(microcents: number): number {
  return Math.round(microcents) / MICROCENTS_PER_CENT
}

/** Cents in whole micro-cents. */
export function microcentsOf(cents: number): number {
  return Math.round(cents * MICROCENTS_PER_CENT)
}
