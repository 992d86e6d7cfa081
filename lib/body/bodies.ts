import { getHeapStatistics } from 'node:v8'
import type { Metrics } from '../base/metrics.ts'
import { BodyBudget, type BudgetLimits } from './budget.ts'
import { ReadingWatch } from './watch.ts'

/** `memory:` of the configuration. */
export interface MemoryConfig {
  readonly bodies_bytes?: number | undefined
  readonly account_share: number
  readonly wait_ms: number
  readonly idle_ms: number
}

/** What the bodies of this process share. Outlives a reload. */
export interface BodiesHost {
  readonly budget: BodyBudget
  readonly watch: ReadingWatch
}

/** The part of the heap limit that bodies may take where the configuration does not say. */
const HEAP_SHARE = 1 / 4

export function budgetLimits(memory: MemoryConfig): BudgetLimits {
  return {
    bodiesBytes: memory.bodies_bytes ?? Math.floor(getHeapStatistics().heap_size_limit * HEAP_SHARE),
    accountShare: memory.account_share,
    waitMs: memory.wait_ms,
  }
}

/** For exchanges without a gateway around them. */
export function unlimitedBodies(): BodiesHost {
  const limits = { bodiesBytes: Number.POSITIVE_INFINITY, accountShare: 1, waitMs: 0 }
  return { budget: new BodyBudget(limits), watch: new ReadingWatch(Number.POSITIVE_INFINITY) }
}

export function createBodies(memory: MemoryConfig, metrics: Metrics): BodiesHost {
  const budget = new BodyBudget(budgetLimits(memory))
  const watch = new ReadingWatch(memory.idle_ms)
  metrics.gauge({
    name: 'sluiceway_bodies_used_bytes',
    help: 'Memory that request bodies hold.',
    collect() {
      this.set(budget.used)
    },
  })
  metrics.gauge({
    name: 'sluiceway_bodies_limit_bytes',
    help: 'Memory that request bodies may hold.',
    collect() {
      this.set(budget.limit)
    },
  })
  metrics.gauge({
    name: 'sluiceway_bodies_waiting',
    help: 'Request bodies that wait for memory.',
    collect() {
      this.set(budget.waiting)
    },
  })
  metrics.gauge({
    name: 'sluiceway_bodies_reading',
    help: 'Request bodies that have begun to arrive and are not complete.',
    collect() {
      this.set(watch.count)
    },
  })
  const refused = metrics.counter({
    name: 'sluiceway_bodies_refused_total',
    help: 'Request bodies refused because they got no memory in time.',
    labelNames: ['limit'],
  })
  for (const limit of ['account', 'process'] as const) refused.inc({ limit }, 0)
  budget.onRefused = limit => refused.inc({ limit })
  return { budget, watch }
}
