/** Streams of chat completions and text completions. Their JSON is written by hand (docs/adr/0033). */

import type { JsonObject } from '../../base/json.ts'
import type { ReplyContext, WriteEvent } from '../../canonical/format.ts'
import type { FinishReason, Usage } from '../../canonical/reply.ts'
import type { GatewayError } from '../../errors/errors.ts'
import { toErrorBody } from './errors.ts'

/** JSON text of an event up to its choices, which is equal in all events of a reply. */
export function eventStart({ id, created, model }: ReplyContext, prefix: string, object: string): string {
  return `{"id":"${prefix}${id}","object":"${object}","created":${created},"model":${JSON.stringify(model)},"choices":[`
}

export function finishText(finish: FinishReason | undefined): string {
  return finish === undefined ? 'null' : `"${finish}"`
}

/** Writes the end of a complete reply: an event without choices that has the last usage, then `[DONE]`. */
export function writeEnd(write: WriteEvent, start: string, usage: Usage | undefined): void {
  if (usage !== undefined) write(undefined, `${start}],"usage":${usageText(usage)}}`)
  write(undefined, '[DONE]')
}

/** Writes an in-band error, which clients raise. Without `[DONE]` no client takes the reply for a complete one. */
export function writeError(write: WriteEvent, context: ReplyContext, error: GatewayError): void {
  write(undefined, JSON.stringify(toErrorBody(context.errorBody(error))))
}

/** Usage under OpenAI's names. Details are omitted if the engine does not report them. */
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

/** The JSON text of toUsageBody(). Written by hand, because every chunk of a stream contains it (docs/adr/0033). */
export function usageText({ promptTokens, completionTokens, cachedTokens, reasoningTokens }: Usage): string {
  const prompt = cachedTokens === null ? '' : `,"prompt_tokens_details":{"cached_tokens":${cachedTokens}}`
  const completion =
    reasoningTokens === null ? '' : `,"completion_tokens_details":{"reasoning_tokens":${reasoningTokens}}`
  const total = promptTokens + completionTokens
  return `{"prompt_tokens":${promptTokens},"completion_tokens":${completionTokens},"total_tokens":${total}${prompt}${completion}}`
}
