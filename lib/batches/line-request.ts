/** Lines as requests, which the rooms above send. */
import type { Key } from '../accounts/access.ts'
import type { RequestRecord } from '../store/record.ts'
import type { BatchEndpoint } from './batch.ts'

/** A request of a line. */
export interface LineRequest {
  readonly endpoint: BatchEndpoint
  /** JSON. */
  readonly body: Buffer
  readonly key: Key
  readonly signal: AbortSignal
  readonly line: {
    readonly batch: string
    readonly line: number
    readonly priceFactor: number
    keep(record: RequestRecord): void
    readonly kept: Promise<boolean>
    preempt(): void
    waits(): void
    sent(): void
  }
}

export interface LineReply {
  readonly requestId: string
  readonly status: number
  readonly body: string
}

/** Rejects if the request was cancelled. */
export type SendLine = (request: LineRequest) => Promise<LineReply>

export type LineOutcome = 'completed' | 'failed' | 'cancelled' | 'expired' | 'retried' | 'preempted'
