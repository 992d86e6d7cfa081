import type { JsonObject } from '../../base/json.ts'
import type { Collector, ReplyContext } from '../../canonical/format.ts'
import type { Chunk, FinishReason, Usage } from '../../canonical/reply.ts'
import { incompleteReason, Output, responseObject } from './output.ts'

/** Collects chunks into one response object (docs/api/responses.md#response). */
export class ResponseCollector implements Collector {
  readonly #context: ReplyContext
  readonly #output: Output
  #finish: FinishReason | undefined = undefined
  #usage: Usage | undefined = undefined

  constructor(context: ReplyContext) {
    this.#context = context
    this.#output = new Output(context)
  }

  chunk(chunk: Chunk): void {
    const text = chunk.text || chunk.refusal
    if (text) this.#output.message().content[0].text += text
    if (chunk.toolCalls !== undefined) {
      for (const delta of chunk.toolCalls) this.#output.call(delta).arguments += delta.arguments
    }
    if (chunk.finish !== undefined) this.#finish = chunk.finish
    if (chunk.usage !== undefined) this.#usage = chunk.usage
  }

  result(): JsonObject {
    const { items } = this.#output
    const reason = incompleteReason(this.#finish)
    const last = items.at(-1)
    for (const item of items)
      this.#output.close(item, reason !== undefined && item === last ? 'incomplete' : 'completed')
    return responseObject(this.#context, reason === undefined ? 'completed' : 'incomplete', items, this.#usage, {
      reason,
    })
  }
}
