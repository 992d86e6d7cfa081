import { isObject, type Json, type JsonObject } from '../../base/json.ts'
import type { CanonicalRequest, ResponseFormat } from '../../canonical/request.ts'
import type { BackendProfile } from '../../config/profile.ts'
import { fail } from '../../errors/errors.ts'

type JsonSchemaFormat = Extract<ResponseFormat, { type: 'json_schema' }>

/** A member of the body, or a member of an object in the body. */
type Path = readonly [string] | readonly [string, string]

/** Where an engine takes each constraint. */
interface Places {
  /** null: nowhere. */
  readonly regex: Path | null
  readonly grammar: Path
  /**
   * A grammar holds from the first token on: what should be reasoning would be the answer already (llama-server 0.7).
   */
  readonly grammarFirst?: true
  /** Text completions ignore response_format and take the bare schema here instead. */
  readonly textSchema: string | null
}

const PLACES: Readonly<Record<BackendProfile['structured'], Places>> = {
  structured_outputs: {
    regex: ['structured_outputs', 'regex'],
    grammar: ['structured_outputs', 'grammar'],
    textSchema: null,
  },
  sglang: { regex: ['regex'], grammar: ['ebnf'], textSchema: null },
  'llama.cpp': { regex: null, grammar: ['grammar'], grammarFirst: true, textSchema: 'json_schema' },
  // Nothing is known of such a server but its card: what the card promises goes on under the client's own names.
  response_format_only: { regex: ['regex'], grammar: ['grammar'], textSchema: null },
}

/**
 * Puts regex and response format where the engine reads them. A constraint without a place is refused: an engine
 * would answer free text without a word.
 */
export function setStructured(
  body: JsonObject,
  request: CanonicalRequest,
  model: string,
  profile: BackendProfile,
): void {
  const places = PLACES[profile.structured]
  if (request.regex !== undefined) {
    if (places.regex === null)
      fail('unsupported_regex', { model, where: '' }, { param: request.regexOrigin ?? 'regex' })
    put(body, places.regex, request.regex)
  }
  const format = request.responseFormat
  // A forced format would keep the model from calling a tool (docs/api/chat-completions.md#structured-output).
  if (format === undefined || format.type === 'text' || hasCallableTools(request)) return

  if (format.type === 'grammar') {
    if (places.grammarFirst && request.kind === 'chat' && request.reasoning.enabled === true)
      fail('unsupported_feature', { model, feature: 'a grammar together with reasoning' }, { param: 'response_format' })
    put(body, places.grammar, format.grammar)
  } else if (format.type === 'other') {
    fail('unsupported_response_format', { model, format: format.name }, { param: 'response_format' })
  } else if (request.kind === 'text' && places.textSchema !== null) {
    body[places.textSchema] = bareSchema(format)
  } else {
    body.response_format = format.type === 'json_object' ? { type: 'json_object' } : jsonSchema(format)
  }
}

/** True while the model may answer with a tool call. */
export function hasCallableTools(request: CanonicalRequest): boolean {
  return request.kind === 'chat' && request.tools.length > 0 && request.toolChoice !== 'none'
}

/** Two constraints both go out, for the engine to refuse: dropping one would be guessing which one was meant. */
function put(body: JsonObject, [first, second]: Path, value: string): void {
  const outer = body[first]
  if (second === undefined) body[first] = value
  else if (isObject(outer)) outer[second] = value
  else body[first] = { [second]: value }
}

function bareSchema(format: JsonSchemaFormat | { readonly type: 'json_object' }): Json {
  return format.type === 'json_schema' && format.schema !== undefined ? format.schema : { type: 'object' }
}

function jsonSchema({ name, description, schema, strict }: JsonSchemaFormat): JsonObject {
  const wire: JsonObject = { name }
  if (description !== undefined) wire.description = description
  if (schema !== undefined) wire.schema = schema
  if (strict !== undefined) wire.strict = strict
  return { type: 'json_schema', json_schema: wire }
}
