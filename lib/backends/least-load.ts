import type { Backend } from './backend.ts'

/** How the backend of a request is chosen, among those that may serve it. There is always at least one. */
export type Choose = (candidates: readonly Backend[]) => Backend

/** Draws two backends at random, by weight, and takes the one with the lower load: power of two choices. */
export function leastLoad(backends: readonly Backend[], random: () => number): Backend {
  const first = drawn(backends, random)
  if (backends.length === 1) return first
  const second = drawn(backends, random, first)
  return second.load < first.load ? second : first
}

/** One at random, with a probability in proportion to its weight. */
export function drawn(backends: readonly Backend[], random: () => number, except?: Backend): Backend {
  let sum = 0
  for (const backend of backends) if (backend !== except) sum += backend.config.weight
  let at = random() * sum
  let one = backends[0]!
  for (const backend of backends) {
    if (backend === except) continue
    one = backend
    at -= backend.config.weight
    if (at < 0) break
  }
  return one
}
