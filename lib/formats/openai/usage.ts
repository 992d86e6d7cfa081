import type { JsonObject } from '../../base/json.ts'
import type { Usage } from '../../canonical/reply.ts'

/** Usage under OpenAI's names; details only where the engine reported them. */
export function toUsageBody(usage: Usage): JsonObject {
  const { promptTokens, completionTokens, cachedTokens, reasoningTokens } = usage
  const body: JsonObject = {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
  }
  if (cachedTokens !== null) body.prompt_tokens_details = { cached_tokens: cachedTokens }
  if (reasoningTokens !== null) body.completion_tokens_details = { reasoning_tokens: reasoningTokens }
  return body
}

/** The JSON text of toUsageBody(). Every chunk of a stream carries usage: written by hand (docs/adr/0033). */
export function toUsageText(usage: Usage): string {
  const { promptTokens, completionTokens, cachedTokens, reasoningTokens } = usage
  let text = `{"prompt_tokens":${promptTokens},"completion_tokens":${completionTokens},"total_tokens":${promptTokens + completionTokens}`
  if (cachedTokens !== null) text += `,"prompt_tokens_details":{"cached_tokens":${cachedTokens}}`
  if (reasoningTokens !== null) text += `,"completion_tokens_details":{"reasoning_tokens":${reasoningTokens}}`
  return `${text}}`
}
