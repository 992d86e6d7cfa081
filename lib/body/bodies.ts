import { getHeapStatistics } from 'node:v8'
import type { Metrics } from '../base/metrics.ts'
import { BodyMemory, type MemoryLimits, SlowUploads } from './memory.ts'

interface MemoryConfig {
  readonly bodies_bytes?: number | undefined
  readonly account_share: number
  readonly wait_ms: number
  readonly idle_ms: number
}

/** Limits that all request bodies of this process share. Outlives a reload. */
export interface BodiesHost {
  readonly memory: BodyMemory
  readonly slowUploads: SlowUploads
}

/** The part of the heap limit that bodies may use by default. */
const HEAP_SHARE = 1 / 4

export function memoryLimits(memory: MemoryConfig): MemoryLimits {
  return {
    bodiesBytes: memory.bodies_bytes ?? Math.floor(getHeapStatistics().heap_size_limit * HEAP_SHARE),
    accountShare: memory.account_share,
    waitMs: memory.wait_ms,
  }
}

/** No limits, for exchanges outside a gateway. */
export function unlimitedBodies(): BodiesHost {
  const limits = { bodiesBytes: Number.POSITIVE_INFINITY, accountShare: 1, waitMs: 0 }
  return { memory: new BodyMemory(limits), slowUploads: new SlowUploads(Number.POSITIVE_INFINITY) }
}

export function createBodies(config: MemoryConfig, metrics: Metrics): BodiesHost {
  const memory = new BodyMemory(memoryLimits(config))
  const slowUploads = new SlowUploads(config.idle_ms)
  metrics.gauge({
    name: 'sluiceway_bodies_used_bytes',
    help: 'Memory charged for request bodies.',
    collect() {
      this.set(memory.used)
    },
  })
  metrics.gauge({
    name: 'sluiceway_bodies_limit_bytes',
    help: 'Limit of the memory for request bodies.',
    collect() {
      this.set(memory.limit)
    },
  })
  metrics.gauge({
    name: 'sluiceway_bodies_waiting',
    help: 'Request bodies that wait for memory.',
    collect() {
      this.set(memory.waiting)
    },
  })
  metrics.gauge({
    name: 'sluiceway_bodies_reading',
    help: 'Request bodies that are being read.',
    collect() {
      this.set(slowUploads.count)
    },
  })
  const refused = metrics.counter({
    name: 'sluiceway_bodies_refused_total',
    help: 'Request bodies refused for lack of memory, by the limit that was reached.',
    labelNames: ['limit'],
  })
  for (const limit of ['account', 'process'] as const) refused.inc({ limit }, 0)
  memory.onRefused = limit => refused.inc({ limit })
  return { memory, slowUploads }
}
