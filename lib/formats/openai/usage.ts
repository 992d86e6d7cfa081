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

/** The JSON text of toUsageBody(). Written by hand, because every chunk of a stream carries it (docs/adr/0033). */
export function toUsageText(usage: Usage): string {
  return new RunningUsageText().of(usage)
}

/** The JSON text of the usages of one stream, in which hardly more than the tokens of the completion changes: the rest is put together once. */
export class RunningUsageText {
  #promptTokens = -1
  #cachedTokens: number | null = null
  #start = ''
  #end = ''

  of({ promptTokens, completionTokens, cachedTokens, reasoningTokens }: Usage): string {
    if (promptTokens !== this.#promptTokens || cachedTokens !== this.#cachedTokens) {
      this.#promptTokens = promptTokens
      this.#cachedTokens = cachedTokens
      this.#start = `{"prompt_tokens":${promptTokens},"completion_tokens":`
      this.#end = cachedTokens === null ? '' : `,"prompt_tokens_details":{"cached_tokens":${cachedTokens}}`
    }
    const details =
      reasoningTokens === null ? '' : `,"completion_tokens_details":{"reasoning_tokens":${reasoningTokens}}`
    return `${this.#start}${completionTokens},"total_tokens":${promptTokens + completionTokens}${this.#end}${details}}`
  }
}
