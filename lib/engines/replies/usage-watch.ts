import { isObject, type Json, parseJson } from '../../base/json.ts'
import type { Usage } from '../../canonical/reply.ts'
import { readUsage } from '../decode/usage.ts'

/** Bytes that are kept of each end of a reply. vLLM writes `usage` of a rerank reply first, all other servers last. */
const KEPT_BYTES = 4096

/** Quotes inside a JSON string are escaped, so the text of a document never contains this. */
const NAME = '"usage"'

/** Length of the audio in a verbose transcription. vLLM writes the number as a text. */
const DURATION = /"duration"\s*:\s*"?(\d{1,9}(?:\.\d{1,20})?)"?\s*[,}]/

/** Follows the name if its value is an object. */
const OBJECT_FOLLOWS = /^\s*:\s*\{/

/** Finds the usage in a reply that is passed on as bytes. Keeps only the first and the last bytes of the reply. */
export class UsageWatch {
  #head = EMPTY
  #tail = EMPTY

  /** Takes the next piece of the reply. Copies from it, because its memory may be reused. */
  add(chunk: Buffer): void {
    if (this.#head.length < KEPT_BYTES) {
      this.#head = Buffer.concat([this.#head, chunk.subarray(0, KEPT_BYTES - this.#head.length)])
    }
    this.#tail =
      chunk.length >= KEPT_BYTES
        ? Buffer.from(chunk.subarray(-KEPT_BYTES))
        : Buffer.concat([this.#tail.subarray(-(KEPT_BYTES - chunk.length)), chunk])
  }

  /** The usage of the reply; a description of the problem if it is invalid; undefined: none. */
  result(): Usage | string | undefined {
    const found = this.#found()
    return found === undefined ? undefined : inputUsage(found)
  }

  /** The length of the audio that the reply is about; undefined: not reported. */
  seconds(): number | undefined {
    const found = this.#found()
    if (found !== undefined) return isObject(found) && typeof found.seconds === 'number' ? found.seconds : undefined
    const [, seconds] =
      DURATION.exec(this.#head.toString('latin1')) ?? DURATION.exec(this.#tail.toString('latin1')) ?? []
    return seconds === undefined ? undefined : Number(seconds)
  }

  #found(): Json | undefined {
    return usageIn(this.#tail) ?? usageIn(this.#head)
  }
}

const EMPTY = Buffer.alloc(0)

/** The last `usage` object in these bytes. */
function usageIn(bytes: Buffer): Json | undefined {
  // Searching bytes costs a tenth of a regular expression on their text.
  for (let at = bytes.lastIndexOf(NAME); at >= 0; at = at === 0 ? -1 : bytes.lastIndexOf(NAME, at - 1)) {
    // Latin-1 has one character per byte. Numbers and names of members are ASCII.
    const text = bytes.toString('latin1', at + NAME.length)
    const opening = OBJECT_FOLLOWS.exec(text)
    if (opening === null) continue
    const start = opening[0].length - 1
    return parseJson(text.slice(start, endOfObject(text, start)))
  }
  return undefined
}

/** Position after the object that starts at `start`. No string in a usage object has braces. */
function endOfObject(text: string, start: number): number {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    if (text[at] === '{') depth++
    else if (text[at] === '}' && --depth === 0) return at + 1
  }
  return text.length
}

/** OpenAI has `input_tokens` and `output_tokens`, or seconds (type `duration`); some reranks only `total_tokens`. */
function inputUsage(usage: Json): Usage | string | undefined {
  if (!isObject(usage)) return 'usage is not an object'
  if (usage.type === 'duration') return undefined
  const promptTokens = usage.prompt_tokens ?? usage.input_tokens ?? usage.total_tokens
  const completionTokens = usage.completion_tokens ?? usage.output_tokens ?? 0
  return readUsage({ ...usage, prompt_tokens: promptTokens, completion_tokens: completionTokens }, undefined, false)
}
