import type { JsonObject } from '../../base/json.ts'
import type { Usage } from '../../canonical/reply.ts'

/**
 * Usage under the names of Responses. Codex reads the details as numbers, so a count that the engine did not report is 0
 * here; records keep null. Without usage all counts are 0, as in response.created.
 */
export function toUsageBody(usage: Usage | undefined): JsonObject {
  const input = usage?.promptTokens ?? 0
  const output = usage?.completionTokens ?? 0
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: usage?.cachedTokens ?? 0 },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: usage?.reasoningTokens ?? 0 },
    total_tokens: input + output,
  }
}
