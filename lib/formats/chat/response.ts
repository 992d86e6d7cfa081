import { isObject, type Json, type JsonObject } from '../../base/json.ts'
import type { ReplyContext } from '../../canonical/format.ts'
import type { Chunk, FinishReason, ToolCallDelta } from '../../canonical/reply.ts'
import { ChoiceCollector, type GatheredChoice, inOrder, joined } from '../openai/response.ts'

const KIND = { prefix: 'chatcmpl-', object: 'chat.completion' }

/** Collects chunks into one `chat.completion` object (docs/api/chat-completions.md#response). */
export class ResponseCollector extends ChoiceCollector {
  #promptTokenIds: Json | undefined = undefined

  constructor(context: ReplyContext) {
    super(context, KIND, () => new Choice())
  }

  override chunk(chunk: Chunk): void {
    this.#promptTokenIds ??= chunk.promptTokenIds
    super.chunk(chunk)
  }

  override result(): JsonObject {
    const ids = this.#promptTokenIds
    return ids === undefined ? super.result() : { ...super.result(), prompt_token_ids: ids }
  }
}

class Choice implements GatheredChoice {
  #text = ''
  #reasoning: string | undefined = undefined
  #refusal: string | undefined = undefined
  readonly #toolCalls = new Map<number, ToolCallDelta>()
  #logprobs: { content: Json[] | null; refusal: Json[] | null } | null = null
  #tokenIds: Json[] | undefined = undefined
  #finish: FinishReason | undefined = undefined

  add(chunk: Chunk): void {
    if (chunk.text !== undefined) this.#text += chunk.text
    if (chunk.reasoning !== undefined) this.#reasoning = (this.#reasoning ?? '') + chunk.reasoning
    if (chunk.refusal !== undefined) this.#refusal = (this.#refusal ?? '') + chunk.refusal
    if (chunk.toolCalls !== undefined) for (const delta of chunk.toolCalls) this.#addToolCall(delta)
    if (chunk.logprobs !== undefined) this.#addLogprobs(chunk.logprobs)
    if (chunk.tokenIds !== undefined) this.#tokenIds = joined(this.#tokenIds, chunk.tokenIds)
    if (chunk.finish !== undefined) this.#finish = chunk.finish
  }

  #addToolCall(delta: ToolCallDelta): void {
    const call = this.#toolCalls.get(delta.index)
    if (call === undefined) {
      this.#toolCalls.set(delta.index, { ...delta })
      return
    }
    call.id ??= delta.id
    call.name ??= delta.name
    call.arguments += delta.arguments
  }

  #addLogprobs(piece: Json): void {
    if (!isObject(piece)) return
    this.#logprobs ??= { content: null, refusal: null }
    for (const kind of ['content', 'refusal'] as const) {
      const tokens = piece[kind]
      if (!Array.isArray(tokens)) continue
      this.#logprobs[kind] ??= []
      for (const token of tokens) this.#logprobs[kind].push(token)
    }
  }

  result(index: number): JsonObject {
    const calls = inOrder(this.#toolCalls).map(([, call]) => toBodyCall(call))
    const message: JsonObject = {
      role: 'assistant',
      content: this.#text === '' && (calls.length > 0 || this.#refusal !== undefined) ? null : this.#text,
      refusal: this.#refusal ?? null,
      ...(this.#reasoning !== undefined && { reasoning_content: this.#reasoning }),
      ...(calls.length > 0 && { tool_calls: calls }),
    }
    return {
      index,
      message,
      logprobs: this.#logprobs,
      finish_reason: this.#finish ?? null,
      ...(this.#tokenIds !== undefined && { token_ids: this.#tokenIds }),
    }
  }
}

function toBodyCall({ id, name, arguments: text }: ToolCallDelta): JsonObject {
  return { id, type: 'function', function: { name, arguments: text } }
}
