/** Amounts of money are in micro-cents: millionths of a cent. */
export const MICROCENTS_PER_CENT = 1_000_000
