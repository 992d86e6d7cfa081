import { isObject, type Json, type JsonObject } from '../../base/json.ts'

/**
 * Appends a piece of log probabilities. Those of a text are parallel lists (`tokens`, `token_logprobs`, …), each of which
 * a later piece continues. Changes and returns `before`; a piece that is no object adds nothing.
 */
export function mergeLogprobs(before: JsonObject | null, piece: Json): JsonObject | null {
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
