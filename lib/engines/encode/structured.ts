import { isObject, type Json, type JsonObject } from '../../base/json.ts'
import type { CanonicalRequest, ResponseFormat } from '../../canonical/request.ts'
import type { BackendProfile } from '../../config/profile.ts'
import { fail } from '../../errors/errors.ts'

type JsonSchemaFormat = Extract<ResponseFormat, { type: 'json_schema' }>

/** Path of a member of the body, or of a member of an object in the body. */
type Path = readonly [string] | readonly [string, string]

/** The members in which an engine expects each constraint. */
interface ConstraintMembers {
  /** null: not supported. */
  readonly regex: Path | null
  readonly grammar: Path
  /** The grammar applies from the first token, to reasoning too (llama-server 0.7). */
  readonly isGrammarFirst?: true
  /** The member for the schema of text completions, which ignore response_format. null: they accept response_format. */
  readonly textSchema: string | null
}

const MEMBERS: Readonly<Record<BackendProfile['structured'], ConstraintMembers>> = {
  structured_outputs: {
    regex: ['structured_outputs', 'regex'],
    grammar: ['structured_outputs', 'grammar'],
    textSchema: null,
  },
  sglang: { regex: ['regex'], grammar: ['ebnf'], textSchema: null },
  'llama.cpp': { regex: null, grammar: ['grammar'], isGrammarFirst: true, textSchema: 'json_schema' },
  // The engine is unknown. The model card decides which constraints are allowed; they keep the names of the client.
  response_format_only: { regex: ['regex'], grammar: ['grammar'], textSchema: null },
}

/** Sets regex and response format in the engine's members. Refuses those without one: the engine would ignore them. */
export function setStructured(
  body: JsonObject,
  request: CanonicalRequest,
  model: string,
  profile: BackendProfile,
): void {
  const members = MEMBERS[profile.structured]
  if (request.regex !== undefined) {
    if (members.regex === null)
      fail('unsupported_regex', { model, where: '' }, { param: request.regexOrigin ?? 'regex' })
    // A constraint would keep the model from calling a tool (docs/api/chat-completions.md#structured-output).
    if (!hasCallableTools(request)) put(body, members.regex, request.regex)
  }
  const format = request.responseFormat
  if (format === undefined || format.type === 'text' || hasCallableTools(request)) return

  if (format.type === 'grammar') {
    if (members.isGrammarFirst && request.kind === 'chat' && request.reasoning.enabled === true)
      fail('unsupported_feature', { model, feature: 'a grammar together with reasoning' }, { param: 'response_format' })
    put(body, members.grammar, format.grammar)
  } else if (format.type === 'other') {
    fail('unsupported_response_format', { model, format: format.name, where: '' }, { param: 'response_format' })
  } else if (request.kind === 'text' && members.textSchema !== null) {
    body[members.textSchema] = bareSchema(format)
  } else {
    body.response_format = format.type === 'json_object' ? { type: 'json_object' } : jsonSchema(format)
  }
}

/** Whether the model may answer with a tool call. */
function hasCallableTools(request: CanonicalRequest): boolean {
  return request.kind === 'chat' && request.tools.length > 0 && request.toolChoice !== 'none'
}

/** If a request has two constraints, both are sent for the engine to refuse: neither is dropped silently. */
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
