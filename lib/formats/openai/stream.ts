/**
 * Shared by the streams of chat completions and text completions. Their JSON is written by hand (docs/adr/0033).
 */

import type { JsonObject } from '../../base/json.ts'
import type { ReplyContext, WriteEvent } from '../../canonical/format.ts'
import type { FinishReason, Usage } from '../../canonical/reply.ts'
import type { GatewayError } from '../../errors/errors.ts'
import { toErrorBody } from './errors.ts'

/** JSON text of an event up to its choices: the same for all events of a reply. */
export function eventStart({ id, created, model }: ReplyContext, prefix: string, object: string): string {
  return `{"id":"${prefix}${id}","object":"${object}","created":${created},"model":${JSON.stringify(model)},"choices":[`
}

/** JSON text of `finish_reason`. */
export function finishText(finish: FinishReason | undefined): string {
  return finish === undefined ? 'null' : `"${finish}"`
}

/** The end of a complete reply: the last value of usage on an event without choices, then `[DONE]`. */
export function writeEnd(write: WriteEvent, start: string, usage: Usage | undefined): void {
  if (usage !== undefined) write(undefined, `${start}],"usage":${toUsageText(usage)}}`)
  write(undefined, '[DONE]')
}

/** An in-band error, which clients raise. No `[DONE]` follows, so no client takes the reply for a complete one. */
export function writeError(write: WriteEvent, context: ReplyContext, error: GatewayError): void {
  write(undefined, JSON.stringify(toErrorBody(context.errorBody(error))))
}

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
