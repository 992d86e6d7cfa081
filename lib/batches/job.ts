import type { BatchLineRow } from '../store/batch-lines.ts'
import type { OpenBatch } from '../store/batches.ts'

/** A line that a process runs. */
export interface Job {
  readonly batch: OpenBatch
  readonly row: BatchLineRow
  readonly abort: AbortController
  /** Whether its result is durable. */
  readonly kept: PromiseWithResolvers<boolean>
  /** It is claimed, and has not begun to wait for spare capacity. */
  isInTransit: boolean
  /** It does not wait for spare capacity any more. */
  isSent: boolean
  /** Why it was aborted. */
  reason: 'preempted' | 'stopped'
}

export function newJob(batch: OpenBatch, row: BatchLineRow): Job {
  const kept = Promise.withResolvers<boolean>()
  return { batch, row, abort: new AbortController(), kept, isInTransit: true, isSent: false, reason: 'stopped' }
}
