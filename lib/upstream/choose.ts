import type { Backend } from './backend.ts'

/**
 * Draws two backends at random, by weight, and returns the one with the lower load. `usable`: at least one, each of which may
 * serve the request; `random`: returns numbers as Math.random does.
 */
export function choose(usable: readonly Backend[], random: () => number): Backend {
  const first = draw(usable, random)
  if (usable.length === 1) return first
  const second = draw(usable, random, first)
  return second.load < first.load ? second : first
}

/** One at random, with a probability in proportion to its weight. */
function draw(backends: readonly Backend[], random: () => number, except?: Backend): Backend {
  let sum = 0
  for (const backend of backends) if (backend !== except) sum += backend.config.weight
  let at = random() * sum
  let drawn = backends[0]!
  for (const backend of backends) {
    if (backend === except) continue
    drawn = backend
    at -= backend.config.weight
    if (at < 0) break
  }
  return drawn
}
