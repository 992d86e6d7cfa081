/** Batches: their states, and the interface of the room. */
import type { Readable } from 'node:stream'
import type { Key } from '../accounts/access.ts'

/** The API that created a batch: its id, its shapes and its routes are of this API. */
export const BATCH_APIS = ['openai', 'anthropic'] as const
export type BatchApi = (typeof BATCH_APIS)[number]

/** The paths to which lines of a batch are sent. */
export const BATCH_ENDPOINTS = [
  '/v1/chat/completions',
  '/v1/completions',
  '/v1/responses',
  '/v1/embeddings',
  '/v1/messages',
] as const
export type BatchEndpoint = (typeof BATCH_ENDPOINTS)[number]

/** As OpenAI's `status`. */
export const BATCH_STATUSES = [
  'validating',
  'failed',
  'in_progress',
  'finalizing',
  'completed',
  'expired',
  'cancelling',
  'cancelled',
] as const
export type BatchStatus = (typeof BATCH_STATUSES)[number]

const ENDED: ReadonlySet<BatchStatus> = new Set(['failed', 'completed', 'expired', 'cancelled'])

/** Nothing changes a batch with this status any more. */
export function hasEnded(status: BatchStatus): boolean {
  return ENDED.has(status)
}

/** A problem that validation has found. */
export interface BatchProblem {
  readonly code: string
  /** Counts from 1. null: the whole file. */
  readonly line: number | null
  readonly message: string
  readonly param: string | null
}

/** Lines of a batch, by how they have ended. */
interface BatchCounts {
  /** 0 until the file is validated. */
  readonly total: number
  readonly completed: number
  readonly failed: number
  readonly cancelled: number
  readonly expired: number
}

/** Sums of the lines that have ended. */
interface BatchUsage {
  readonly inputTokens: number
  readonly cachedTokens: number
  readonly outputTokens: number
  readonly reasoningTokens: number
}

/** The state of a batch. Times are milliseconds since the epoch; null: not reached. */
export interface Batch {
  /** `batch_` or `msgbatch_`, and 24 hex digits. A later batch of a user has a greater id. */
  readonly id: string
  readonly api: BatchApi
  /** See fileOwner() (lib/files/owner.ts). */
  readonly owner: string
  readonly accountId: string
  readonly user: string
  /** The key that made the batch. It may have been revoked since. */
  readonly keyId: string
  readonly endpoint: BatchEndpoint
  /** As `batches.windows` has it. */
  readonly window: string
  readonly metadata: Readonly<Record<string, string>> | null
  /** Seconds after its creation at which its result files are deleted. null: as other files. */
  readonly outputExpiresSeconds: number | null
  readonly status: BatchStatus
  /** null: lines name several models, or the file is not validated. */
  readonly model: string | null
  readonly inputFileId: string
  readonly outputFileId: string | null
  readonly errorFileId: string | null
  readonly createdAt: number
  readonly expiresAt: number
  readonly inProgressAt: number | null
  readonly finalizingAt: number | null
  readonly completedAt: number | null
  readonly failedAt: number | null
  readonly expiredAt: number | null
  readonly cancellingAt: number | null
  readonly cancelledAt: number | null
  readonly counts: BatchCounts
  readonly usage: BatchUsage
  /** At most 100. */
  readonly problems: readonly BatchProblem[]
}

/** What a customer asks for. */
export interface NewBatch {
  readonly api: BatchApi
  readonly endpoint: BatchEndpoint
  readonly window: string
  readonly metadata: Readonly<Record<string, string>> | null
  readonly outputExpiresSeconds: number | null
  /** The id of a file of this owner with the purpose `batch`; for a batch of the Messages API, its lines. */
  readonly input: string | AsyncIterable<Uint8Array>
}

/** Newest first. At most one of `after` and `before` is set. */
export interface BatchPage {
  readonly api: BatchApi
  /** Only batches that follow this id in the list, that is, older ones. */
  readonly after?: string | undefined
  /** Only batches that precede this id in the list: the ones next to it. */
  readonly before?: string | undefined
  readonly limit: number
}

/** The batches of customers. The batches of other owners are not found. */
export interface Batches {
  /**
   * Stores a batch, which is then validated and run. The caller has checked the plan and zero data retention.
   * @throws GatewayError http_404 for an unknown file, batch_limit_exceeded
   */
  create(key: Key, owner: string, batch: NewBatch): Promise<Batch>
  find(owner: string, api: BatchApi, id: string): Promise<Batch | undefined>
  list(owner: string, page: BatchPage): Promise<{ readonly batches: readonly Batch[]; readonly hasMore: boolean }>
  /** Resolves with the state after the call. A batch that has ended stays as it is. undefined: not found. */
  cancel(owner: string, api: BatchApi, id: string): Promise<Batch | undefined>
  /** Cancels the batches that read this file, because it is about to be removed. */
  inputRemoved(owner: string, fileId: string): Promise<void>
  /** Removes a batch that has ended, and its files. False: there is no such batch. */
  remove(owner: string, api: BatchApi, id: string): Promise<boolean>
  /** The results of a batch of the Messages API that has ended, as JSON lines in its shapes. */
  results(owner: string, batch: Batch): Readable
}
