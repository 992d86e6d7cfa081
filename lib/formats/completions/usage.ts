import type { JsonObject } from '../../base/json.ts'
import type { Usage } from '../../canonical/reply.ts'

/** Usage under OpenAI's names; details only where the engine gave them. */
export function usageBody({ promptTokens, completionTokens, cachedTokens, reasoningTokens }: Usage): JsonObject {
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    ...(cachedTokens !== null && { prompt_tokens_details: { cached_tokens: cachedTokens } }),
    ...(reasoningTokens !== null && { completion_tokens_details: { reasoning_tokens: reasoningTokens } }),
  }
}
