import type { JsonObject } from '../../base/json.ts'
import type { Usage } from '../../canonical/reply.ts'

/** Usage under OpenAI's names; details only where the engine gave them. */
export function usageBody(usage: Usage): JsonObject {
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

/** The same as JSON text, written by hand: it stands on every chunk of a stream. */
export function usageText(usage: Usage): string {
  const { promptTokens, completionTokens, cachedTokens, reasoningTokens } = usage
  let text = `{"prompt_tokens":${promptTokens},"completion_tokens":${completionTokens},"total_tokens":${promptTokens + completionTokens}`
  if (cachedTokens !== null) text += `,"prompt_tokens_details":{"cached_tokens":${cachedTokens}}`
  if (reasoningTokens !== null) text += `,"completion_tokens_details":{"reasoning_tokens":${reasoningTokens}}`
  return `${text}}`
}
