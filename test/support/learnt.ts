import type { Belief, Learnt } from '../../lib/backends/snapshot.ts'

function belief(value: number, members: Partial<Belief> = {}): Belief {
  return { value, source: 'replies', samples: 0, movedAt: null, engine: null, contradicts: false, ...members }
}

/** Assumptions about a backend. The engine reports its cache size, and its rate contradicts the pool. */
export const LEARNT: Learnt = {
  prefillTokensPerSecond: belief(1234.5, { samples: 14, movedAt: Date.UTC(2026, 10, 21, 12), contradicts: true }),
  floorMs: belief(41.23456),
  decodeStepMs: belief(5.67891, { source: 'set' }),
  cacheTokens: belief(420_000, { source: 'engine', engine: 420_000 }),
}
