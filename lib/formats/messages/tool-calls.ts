import { isObject, type JsonObject, parseJson } from '../../base/json.ts'
import { parseSource } from '../../base/source-json.ts'
import type { ToolCallDelta } from '../../canonical/reply.ts'

export interface CompleteCall {
  readonly id: string
  readonly name: string
  /** JSON text as the model wrote it. */
  readonly arguments: string
}

/** Collects tool calls until the reply ends. Their blocks are written whole, so pieces may arrive in any order. */
export class ToolCalls {
  readonly #replyId: string
  readonly #calls: ToolCallDelta[] = []

  /** `replyId`: part of the id of a call for which the engine sends none. */
  constructor(replyId: string) {
    this.#replyId = replyId
  }

  add(deltas: readonly ToolCallDelta[]): void {
    for (const { index, id, name, arguments: part } of deltas) {
      const call = this.#calls.findLast(each => each.index === index)
      // A new id at a known index is another call: some engines give all calls of a turn the index 0.
      if (call === undefined || (id && call.id && id !== call.id)) {
        this.#calls.push({ index, id, name, arguments: part })
        continue
      }
      call.id ||= id
      call.name ||= name
      call.arguments += part
    }
  }

  all(): readonly CompleteCall[] {
    return this.#calls.map(({ id, name, arguments: text }, i) => ({
      id: id || `toolu_${this.#replyId}${i}`,
      name: name ?? '',
      arguments: text,
    }))
  }
}

/**
 * The arguments of a call as an object: the complete members of a truncated text, without text after the object. An
 * empty text gives `{}`. Clients use the arguments without a check.
 */
export function toolInput(text: string): JsonObject {
  const whole = parseSource(text)
  return isObject(whole) ? whole : completeMembers(text)
}

/** toolInput() as JSON text. If the model wrote an object, the text is unchanged. */
export function toolInputText(text: string): string {
  return isObject(parseJson(text)) ? text : JSON.stringify(completeMembers(text))
}

function completeMembers(text: string): JsonObject {
  const end = endOfMembers(text)
  const object = parseSource(`${text.slice(0, end)}}`)
  return isObject(object) ? object : {}
}

/** End of the last complete member of the outermost object: before a comma, or before the closing brace. */
function endOfMembers(text: string): number {
  let depth = 0
  let end = 0
  let isQuoted = false
  for (let i = 0; i < text.length; i++) {
    const char = text[i]
    if (isQuoted) {
      if (char === '\\') i++
      else if (char === '"') isQuoted = false
    } else if (char === '"') isQuoted = true
    else if (char === '{' || char === '[') depth++
    else if (char === '}' || char === ']') {
      depth--
      if (depth === 0) return i
    } else if (char === ',' && depth === 1) end = i
  }
  return end
}
