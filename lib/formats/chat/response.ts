import { isObject, type Json, type JsonObject } from '../../base/json.ts'
import type { Collector, ReplyContext } from '../../canonical/format.ts'
import type { Chunk, FinishReason, ToolCallDelta, Usage } from '../../canonical/reply.ts'
import { inOrder, toReplyBody } from '../openai/response.ts'

const KIND = { prefix: 'chatcmpl-', object: 'chat.completion' }

/** Gathers chunks into one `chat.completion` object (docs/api/chat-completions.md#response). */
export class ResponseCollector implements Collector {
  readonly #context: ReplyContext
  /** By index. A Map, because the backend chooses the numbers. */
  readonly #choices = new Map<number, Choice>()
  #usage: Usage | undefined = undefined

  constructor(context: ReplyContext) {
    this.#context = context
  }

  chunk(chunk: Chunk): void {
    if (chunk.usage !== undefined) this.#usage = chunk.usage
    if (chunk.choice === -1) return
    let choice = this.#choices.get(chunk.choice)
    if (choice === undefined) {
      choice = new Choice()
      this.#choices.set(chunk.choice, choice)
    }
    choice.add(chunk)
  }

  result(): JsonObject {
    const choices = inOrder(this.#choices).map(([index, choice]) => choice.result(index))
    return toReplyBody(this.#context, KIND, choices, this.#usage)
  }
}

class Choice {
  #text = ''
  #reasoning: string | undefined = undefined
  #refusal: string | undefined = undefined
  readonly #toolCalls = new Map<number, ToolCallDelta>()
  #logprobs: { content: Json[] | null; refusal: Json[] | null } | null = null
  #finish: FinishReason | undefined = undefined

  add(chunk: Chunk): void {
    if (chunk.text !== undefined) this.#text += chunk.text
    if (chunk.reasoning !== undefined) this.#reasoning = (this.#reasoning ?? '') + chunk.reasoning
    if (chunk.refusal !== undefined) this.#refusal = (this.#refusal ?? '') + chunk.refusal
    if (chunk.toolCalls !== undefined) for (const delta of chunk.toolCalls) this.#addToolCall(delta)
    if (chunk.logprobs !== undefined) this.#addLogprobs(chunk.logprobs)
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
    return { index, message, logprobs: this.#logprobs, finish_reason: this.#finish ?? null }
  }
}

function toBodyCall({ id, name, arguments: text }: ToolCallDelta): JsonObject {
  return { id, type: 'function', function: { name, arguments: text } }
}
