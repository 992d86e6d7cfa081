import type { JsonObject } from '../../base/json.ts'
import type { Collector, Head } from '../../canonical/format.ts'
import type { ChatChunk, FinishReason, Usage } from '../../canonical/reply.ts'
import { incompleteReason, Output, responseObject } from './output.ts'

/** Gathers chunks into one response object (docs/api/responses.md#response). */
export class ResponseCollector implements Collector {
  readonly #head: Head
  readonly #output: Output
  #finish: FinishReason | undefined
  #usage: Usage | undefined

  constructor(head: Head) {
    this.#head = head
    this.#output = new Output(head)
  }

  chunk(chunk: ChatChunk): void {
    const text = chunk.text || chunk.refusal
    if (text) this.#output.message().content[0].text += text
    if (chunk.toolCalls !== undefined) {
      for (const fragment of chunk.toolCalls) this.#output.call(fragment).arguments += fragment.arguments
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
    return responseObject(this.#head, reason === undefined ? 'completed' : 'incomplete', items, this.#usage, { reason })
  }
}
