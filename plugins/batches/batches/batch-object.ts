import type { Batch } from '../../../lib/console.ts'
import type { JsonObject } from '../../../lib/plugin.ts'

/** A batch as OpenAI's Batch API represents it. */
export function batchObject(batch: Batch): JsonObject {
  const { counts, usage, problems } = batch
  return {
    id: batch.id,
    object: 'batch',
    endpoint: batch.endpoint,
    model: batch.model,
    errors: problems.length === 0 ? null : { object: 'list', data: problems.map(problem => ({ ...problem })) },
    input_file_id: batch.inputFileId,
    completion_window: batch.window,
    status: batch.status,
    output_file_id: batch.outputFileId,
    error_file_id: batch.errorFileId,
    created_at: Math.floor(batch.createdAt / 1000),
    in_progress_at: seconds(batch.inProgressAt),
    expires_at: seconds(batch.expiresAt),
    finalizing_at: seconds(batch.finalizingAt),
    completed_at: seconds(batch.completedAt),
    failed_at: seconds(batch.failedAt),
    expired_at: seconds(batch.expiredAt),
    cancelling_at: seconds(batch.cancellingAt),
    cancelled_at: seconds(batch.cancelledAt),
    request_counts: { total: counts.total, completed: counts.completed, failed: counts.failed },
    usage: {
      input_tokens: usage.inputTokens,
      input_tokens_details: { cached_tokens: usage.cachedTokens },
      output_tokens: usage.outputTokens,
      output_tokens_details: { reasoning_tokens: usage.reasoningTokens },
      total_tokens: usage.inputTokens + usage.outputTokens,
    },
    metadata: batch.metadata === null ? null : { ...batch.metadata },
  }
}

function seconds(milliseconds: number | null): number | null {
  return milliseconds === null ? null : Math.floor(milliseconds / 1000)
}
