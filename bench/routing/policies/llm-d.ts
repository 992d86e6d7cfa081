/**
 * The rule of llm-d's inference scheduler in its default configuration: the approximate prefix cache and two scores of
 * the load, weighted. Written from the sources of gateway-api-inference-extension v1.2.0 (default-plugins.yaml of its
 * chart, pkg/epp/scheduling/framework/plugins), on which llm-d-inference-scheduler v0.4 builds.
 */
import type { Backend } from '../../../lib/backends/pool.ts'
import { lowest, type PolicyContext, type RunningPolicy } from './policy.ts'

const PREFIX_WEIGHT = 3
const QUEUE_WEIGHT = 2
const CACHE_USE_WEIGHT = 2
/** Only these blocks at the start of a prompt are matched. Blocks have the size that the engines report. */
const MAX_BLOCKS = 256
/** The scheduler reads the metrics of the engines this often. */
const REFRESH_MS = 50

interface Metrics {
  readonly at: number
  readonly waiting: number
  readonly cacheUse: number
}

export function llmD({ engines, random, now }: PolicyContext): RunningPolicy {
  const known = new Map<Backend, Set<number>>()
  const metrics = new Map<Backend, Metrics>()
  const metricsOf = (backend: Backend): Metrics => {
    const before = metrics.get(backend)
    if (before !== undefined && now() - before.at < REFRESH_MS) return before
    const { unscheduled, cacheUse } = engines.of(backend)
    const after = { at: now(), waiting: unscheduled, cacheUse }
    metrics.set(backend, after)
    return after
  }
  const knownOf = (backend: Backend): Set<number> => {
    let set = known.get(backend)
    if (set === undefined) {
      set = new Set()
      known.set(backend, set)
    }
    return set
  }
  return {
    choose(candidates, { job }) {
      const keys = job.blocks.slice(0, MAX_BLOCKS)
      const waiting = candidates.map(backend => metricsOf(backend).waiting)
      const most = Math.max(...waiting)
      const least = Math.min(...waiting)
      return lowest(candidates, random, backend => {
        const set = knownOf(backend)
        const missing = keys.findIndex(key => !set.has(key))
        const prefix = keys.length === 0 ? 0 : (missing < 0 ? keys.length : missing) / keys.length
        const of = metricsOf(backend)
        const queue = most === least ? 1 : (most - of.waiting) / (most - least)
        return -(PREFIX_WEIGHT * prefix + QUEUE_WEIGHT * queue + CACHE_USE_WEIGHT * (1 - of.cacheUse))
      })
    },
    sent(backend, { job }) {
      const set = knownOf(backend)
      const { cacheTokens, blockTokens } = engines.of(backend).speed
      for (const key of job.blocks.slice(0, MAX_BLOCKS)) {
        set.delete(key)
        set.add(key)
      }
      for (const oldest of set) {
        // The least recently used blocks are dropped.
        if (set.size <= cacheTokens / blockTokens) break
        set.delete(oldest)
      }
    },
  }
}
