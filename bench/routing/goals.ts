import type { Result } from './result.ts'

/** Limits of a run, relative to the run of the oracle or of one process. */
interface Goal {
  readonly hitRate: number
  readonly mean: number
  readonly p95: number
  /** Milliseconds that are added for the gateway, the network and the machine. */
  readonly meanMs: number
  readonly p95Ms: number
}

const REUSED = { hitRate: 0.95, mean: 1.25, p95: 1.3 }
const UNUSED = { hitRate: 0, mean: 1.2, p95: 1.3 }
const VIRTUAL = { meanMs: 0, p95Ms: 0 }
const HTTP = { meanMs: 15, p95Ms: 20 }

/** The goal of a policy, relative to the oracle. The hit rate counts only if the oracle reuses prefixes. */
export function goalOf(oracle: Result, isVirtual: boolean): Goal {
  return { ...(oracle.hitRate > 0.01 ? REUSED : UNUSED), ...(isVirtual ? VIRTUAL : HTTP) }
}

/** The goal of two processes, relative to one. */
export const PROCESSES: Goal = { hitRate: 0, mean: 1.15, p95: Number.POSITIVE_INFINITY, meanMs: 0, p95Ms: 0 }

/** The names of the missed limits; empty: none. */
export function missed(result: Result, against: Result, goal: Goal): string {
  const { ttft, hitRate } = result
  const all = [
    hitRate < goal.hitRate * against.hitRate && 'hits',
    ttft.mean > goal.mean * against.ttft.mean + goal.meanMs && 'mean',
    ttft.p95 > goal.p95 * against.ttft.p95 + goal.p95Ms && 'p95',
  ]
  return all.filter(name => name !== false).join(', ')
}
