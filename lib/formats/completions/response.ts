import type { Json, JsonObject } from '../../base/json.ts'
import type { Collector, Head } from '../../canonical/format.ts'
import type { ChatChunk, FinishReason, Usage } from '../../canonical/reply.ts'
import { mergeLogprobs } from './logprobs.ts'
import { usageBody } from './usage.ts'

interface Choice {
  text: string
  logprobs: JsonObject | null
  finish: FinishReason | null
}

/** Gathers chunks into one `text_completion` object. */
export class TextResponse implements Collector {
  readonly #head: Head
  /** By index. A Map: the numbers are the backend's own. */
  readonly #choices = new Map<number, Choice>()
  #usage: Usage | undefined

  constructor(head: Head) {
    this.#head = head
  }

  chunk(chunk: ChatChunk): void {
    if (chunk.usage !== undefined) this.#usage = chunk.usage
    if (chunk.choice === -1) return
    const choice = this.#choice(chunk.choice)
    if (chunk.text !== undefined) choice.text += chunk.text
    if (chunk.logprobs !== undefined) choice.logprobs = mergeLogprobs(choice.logprobs, chunk.logprobs)
    if (chunk.finish !== undefined) choice.finish = chunk.finish
  }

  #choice(index: number): Choice {
    const known = this.#choices.get(index)
    if (known !== undefined) return known
    const choice: Choice = { text: '', logprobs: null, finish: null }
    this.#choices.set(index, choice)
    return choice
  }

  result(): JsonObject {
    const { id, created, model } = this.#head
    const choices = [...this.#choices].sort(([a], [b]) => a - b)
    return {
      id: `cmpl-${id}`,
      object: 'text_completion',
      created,
      model,
      choices: choices.map(
        ([index, { text, logprobs, finish }]): Json => ({ index, text, logprobs, finish_reason: finish }),
      ),
      ...(this.#usage !== undefined && { usage: usageBody(this.#usage) }),
    }
  }
}
