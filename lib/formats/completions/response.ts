import type { JsonObject } from '../../base/json.ts'
import type { ReplyContext } from '../../canonical/format.ts'
import type { Chunk, FinishReason } from '../../canonical/reply.ts'
import { ChoiceCollector, type GatheredChoice } from '../openai/response.ts'
import { mergeLogprobs } from './logprobs.ts'

const KIND = { prefix: 'cmpl-', object: 'text_completion' }

/** Gathers chunks into one `text_completion` object (docs/api/completions.md#response). */
export class ResponseCollector extends ChoiceCollector {
  constructor(context: ReplyContext) {
    super(context, KIND, () => new Choice())
  }
}

class Choice implements GatheredChoice {
  #text = ''
  #logprobs: JsonObject | null = null
  #finish: FinishReason | null = null

  add({ text, logprobs, finish }: Chunk): void {
    if (text !== undefined) this.#text += text
    if (logprobs !== undefined) this.#logprobs = mergeLogprobs(this.#logprobs, logprobs)
    if (finish !== undefined) this.#finish = finish
  }

  result(index: number): JsonObject {
    return { index, text: this.#text, logprobs: this.#logprobs, finish_reason: this.#finish }
  }
}
