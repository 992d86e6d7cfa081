import type { BatchLineRow } from '../store/batch-lines.ts'
import type { OpenBatch } from '../store/batches.ts'

/** A line that a process runs. */
export interface Job {
  readonly batch: OpenBatch
  readonly row: BatchLineRow
  readonly abort: AbortController
  /** Resolves with whether the result of the line is durable. */
  readonly kept: PromiseWithResolvers<boolean>
  /** The line is claimed, and does not wait for spare capacity yet. */
  isInTransit: boolean
  /** The line has waited for spare capacity, and is sent to a backend. */
  isSent: boolean
  /** Why the line was aborted, if `abort` is. */
  reason: 'preempted' | 'stopped'
}

export function newJob(batch: OpenBatch, row: BatchLineRow): Job {
  const kept = Promise.withResolvers<boolean>()
  return { batch, row, abort: new AbortController(), kept, isInTransit: true, isSent: false, reason: 'stopped' }
}
