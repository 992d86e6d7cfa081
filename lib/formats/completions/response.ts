import type { JsonObject } from '../../base/json.ts'
import type { Collector, ReplyContext } from '../../canonical/format.ts'
import type { Chunk, FinishReason, Usage } from '../../canonical/reply.ts'
import { inOrder, toReplyBody } from '../openai/response.ts'
import { mergeLogprobs } from './logprobs.ts'

const KIND = { prefix: 'cmpl-', object: 'text_completion' }

interface Choice {
  text: string
  logprobs: JsonObject | null
  finish: FinishReason | null
}

/** Gathers chunks into one `text_completion` object (docs/api/completions.md#response). */
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
    const choices = inOrder(this.#choices).map(([index, { text, logprobs, finish }]) => ({
      index,
      text,
      logprobs,
      finish_reason: finish,
    }))
    return toReplyBody(this.#context, KIND, choices, this.#usage)
  }
}
