/** Pieces of chat completions bodies. */
import type { Json, JsonObject } from '../../lib/base/json.ts'
import { SCHEMA } from './rules.ts'

export const user = (content: Json): JsonObject => ({ role: 'user', content })

export const tool = (name: string, parameters: Json = SCHEMA): JsonObject => ({
  type: 'function',
  function: { name, parameters },
})

export const forced = (name: string): JsonObject => ({ type: 'function', function: { name } })

export const schemaFormat = (schema: JsonObject): JsonObject => ({
  type: 'json_schema',
  json_schema: { name: 'x', schema },
})

/** An assistant message that called function `f`. */
export const called = (id: string, text = '{}'): JsonObject => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id, type: 'function', function: { name: 'f', arguments: text } }],
})
