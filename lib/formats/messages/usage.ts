import type { JsonObject } from '../../base/json.ts'
import type { FormatOptions } from '../../canonical/format.ts'
import type { Usage } from '../../canonical/reply.ts'

/**
 * The four counters of docs/api/messages.md#response. input_tokens counts all prompt tokens, those read from the cache
 * included unless the operator chose `uncached`. Cache writes are not billed: always 0. Without usage all counters are 0, as in message_start.
 */
export function toUsageBody(usage: Usage | undefined, { messages }: FormatOptions): JsonObject {
  const cached = usage?.cachedTokens ?? 0
  const input = usage?.promptTokens ?? 0
  return {
    input_tokens: messages.input_tokens === 'uncached' ? Math.max(0, input - cached) : input,
    output_tokens: usage?.completionTokens ?? 0,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: cached,
  }
}
