import { type Batch, hasEnded } from '../../../lib/console.ts'
import type { JsonObject } from '../../../lib/plugin.ts'

/** A batch as Anthropic's Message Batches API represents it. `origin`: the scheme and host that the client called. */
export function messageBatch(batch: Batch, origin: string): JsonObject {
  const { total, completed, failed, cancelled, expired } = batch.counts
  const isEnded = hasEnded(batch.status)
  return {
    id: batch.id,
    type: 'message_batch',
    processing_status: isEnded ? 'ended' : batch.status === 'cancelling' ? 'canceling' : 'in_progress',
    request_counts: {
      processing: Math.max(0, total - completed - failed - cancelled - expired),
      succeeded: completed,
      errored: failed,
      canceled: cancelled,
      expired,
    },
    created_at: time(batch.createdAt),
    expires_at: time(batch.expiresAt),
    ended_at: isEnded ? time(batch.completedAt ?? batch.failedAt ?? batch.expiredAt ?? batch.cancelledAt) : null,
    cancel_initiated_at: time(batch.cancellingAt),
    archived_at: null,
    results_url: isEnded ? `${origin}/v1/messages/batches/${batch.id}/results` : null,
  }
}

function time(milliseconds: number | null): string | null {
  return milliseconds === null ? null : new Date(milliseconds).toISOString()
}
