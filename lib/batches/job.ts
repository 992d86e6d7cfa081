import type { BatchLineRow } from '../store/batch-lines.ts'
import type { OpenBatch } from '../store/batches.ts'

/** A line that a process runs. */
export interface Job {
  readonly batch: OpenBatch
  readonly row: BatchLineRow
  readonly abort: AbortController
  readonly startedAt: number
  /** Whether its result is durable. */
  readonly kept: PromiseWithResolvers<boolean>
  /** It does not wait for spare capacity any more. */
  isSent: boolean
  /** Why it was aborted. */
  reason: 'preempted' | 'stopped'
}

export function newJob(batch: OpenBatch, row: BatchLineRow, startedAt: number): Job {
  const kept = Promise.withResolvers<boolean>()
  return { batch, row, abort: new AbortController(), startedAt, kept, isSent: false, reason: 'stopped' }
}
