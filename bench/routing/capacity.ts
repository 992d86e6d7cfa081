/** The highest rate of requests that a policy serves within the objective. */

/** Share of the requests that must be within the objective. */
export const CAPACITY_SHARE = 0.95
/** The search ends when its bounds differ by less. */
const PRECISION = 0.015
const BRACKET = 1.4
const MAX_RUNS = 16
/** Rates below this part of the first one are not searched. */
const MIN_RATE = 1 / 16

/**
 * `good`: the share of requests within the objective at a rate. `start`: where the search begins. The share is taken to
 * fall with the rate. Returns the highest rate that was found to be good; 0: none.
 */
export function capacityOf(good: (rate: number) => number, start: number): number {
  const isGood = (rate: number) => good(rate) >= CAPACITY_SHARE
  let low = 0
  let high = Number.POSITIVE_INFINITY
  let next = start
  for (let runs = 0; runs < MAX_RUNS && high - low > PRECISION * low; runs++) {
    if (next < MIN_RATE * start) return 0
    if (isGood(next)) low = next
    else high = next
    if (high === Number.POSITIVE_INFINITY) next = low * BRACKET
    else if (low === 0) next = high / BRACKET
    else next = Math.sqrt(low * high)
  }
  return low
}
