import { isObject, type Json, type JsonObject } from '../../base/json.ts'
import type { ReplyContext } from '../../canonical/format.ts'
import type { Chunk, FinishReason } from '../../canonical/reply.ts'
import { ChoiceCollector, type GatheredChoice, joined } from '../openai/response.ts'

const KIND = { prefix: 'cmpl-', object: 'text_completion' }

/** Collects chunks into one `text_completion` object (docs/api/completions.md#response). */
export class ResponseCollector extends ChoiceCollector {
  constructor(context: ReplyContext) {
    super(context, KIND, () => new Choice())
  }
}

class Choice implements GatheredChoice {
  #text = ''
  #logprobs: JsonObject | null = null
  #tokenIds: Json[] | undefined = undefined
  #promptTokenIds: Json | undefined = undefined
  #finish: FinishReason | null = null

  add({ text, logprobs, tokenIds, promptTokenIds, finish }: Chunk): void {
    if (text !== undefined) this.#text += text
    if (logprobs !== undefined) this.#logprobs = mergeLogprobs(this.#logprobs, logprobs)
    if (tokenIds !== undefined) this.#tokenIds = joined(this.#tokenIds, tokenIds)
    this.#promptTokenIds ??= promptTokenIds
    if (finish !== undefined) this.#finish = finish
  }

  result(index: number): JsonObject {
    return {
      index,
      text: this.#text,
      logprobs: this.#logprobs,
      finish_reason: this.#finish,
      ...(this.#tokenIds !== undefined && { token_ids: this.#tokenIds }),
      ...(this.#promptTokenIds !== undefined && { prompt_token_ids: this.#promptTokenIds }),
    }
  }
}

/** Appends log probabilities, which are parallel lists, to `before`. Ignores a piece that is no object. */
function mergeLogprobs(before: JsonObject | null, piece: Json): JsonObject | null {
  if (!isObject(piece)) return before
  const merged = before ?? {}
  for (const name of Object.keys(piece)) {
    const list = merged[name]
    const more = piece[name]
    if (Array.isArray(list) && Array.isArray(more)) for (const value of more) list.push(value)
    else merged[name] = Array.isArray(more) ? [...more] : more
  }
  return merged
}
