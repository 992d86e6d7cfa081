import type { JsonObject } from '../../base/json.ts'
import type { Usage } from '../../canonical/reply.ts'

/**
 * The four counters of docs/api/messages.md#response. input_tokens counts all prompt tokens, those read from the cache
 * included. Cache writes are not billed: always 0. Without usage all counters are 0, as in message_start.
 */
export function toUsageBody(usage: Usage | undefined): JsonObject {
  return {
    input_tokens: usage?.promptTokens ?? 0,
    output_tokens: usage?.completionTokens ?? 0,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: usage?.cachedTokens ?? 0,
  }
}
