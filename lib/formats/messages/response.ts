import type { JsonObject } from '../../base/json.ts'
import type { Collector, ReplyContext } from '../../canonical/format.ts'
import type { Chunk, FinishReason, Usage } from '../../canonical/reply.ts'
import { isThinkingShown, messageBody, stopOf, toUsageBody } from './message.ts'
import { ToolCalls, toolInput } from './tool-calls.ts'

/** Collects chunks into one message (docs/api/messages.md#response). */
export class ResponseCollector implements Collector {
  readonly #context: ReplyContext
  readonly #showsThinking: boolean
  readonly #calls: ToolCalls
  #thinking = ''
  #text = ''
  #finish: FinishReason | undefined = undefined
  #matchedStop: string | number | undefined = undefined
  #usage: Usage | undefined = undefined

  constructor(context: ReplyContext) {
    this.#context = context
    this.#showsThinking = isThinkingShown(context.request)
    this.#calls = new ToolCalls(context.id)
  }

  chunk(chunk: Chunk): void {
    if (chunk.usage !== undefined) this.#usage = chunk.usage
    if (chunk.reasoning !== undefined && this.#showsThinking) this.#thinking += chunk.reasoning
    this.#text += chunk.text ?? chunk.refusal ?? ''
    if (chunk.toolCalls !== undefined) this.#calls.add(chunk.toolCalls)
    if (chunk.finish !== undefined) {
      this.#finish = chunk.finish
      this.#matchedStop = chunk.matchedStop
    }
  }

  result(): JsonObject {
    const calls = this.#calls.all()
    const content: JsonObject[] = []
    if (this.#thinking !== '') content.push({ type: 'thinking', thinking: this.#thinking, signature: '' })
    if (this.#text !== '') content.push({ type: 'text', text: this.#text })
    for (const { id, name, arguments: text } of calls) {
      content.push({ type: 'tool_use', id, name, input: toolInput(text) })
    }
    const stop = stopOf(this.#finish, this.#matchedStop, calls.length > 0, this.#context.request)
    return messageBody(this.#context, content, stop, toUsageBody(this.#usage, this.#context.options))
  }
}
