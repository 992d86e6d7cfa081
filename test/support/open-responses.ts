/**
 * Required members of a response object and of each event, with their types, by the Open Responses specification
 * (version 2026-04-24, openresponses.org). Other members are allowed.
 */
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { Json, JsonObject } from '../../lib/base/json.ts'

const TEXT: JsonObject = { type: 'string' }
const WHOLE: JsonObject = { type: 'integer' }
const NUMBER: JsonObject = { type: 'number' }
const FLAG: JsonObject = { type: 'boolean' }
const orNull = (schema: JsonObject): JsonObject => ({ anyOf: [schema, { type: 'null' }] })
const oneOf = (...values: Json[]): JsonObject => ({ enum: values })
const listOf = (items: JsonObject): JsonObject => ({ type: 'array', items })
/** An object with all of these members. */
const having = (properties: JsonObject): JsonObject => ({
  ...{ type: 'object', properties, required: Object.keys(properties) },
})

const STATUS = oneOf('in_progress', 'completed', 'incomplete')
const PART = having({ type: oneOf('output_text'), text: TEXT, annotations: { type: 'array' } })
const MESSAGE = having({
  ...{ type: oneOf('message'), id: TEXT, status: STATUS, role: oneOf('assistant') },
  content: listOf(PART),
})
const CALL = having({
  ...{ type: oneOf('function_call'), id: TEXT, call_id: TEXT, name: TEXT, arguments: TEXT },
  status: STATUS,
})
const ITEM: JsonObject = { oneOf: [MESSAGE, CALL] }
const FUNCTION = having({
  ...{ type: oneOf('function'), name: TEXT, description: orNull(TEXT) },
  ...{ parameters: orNull({ type: 'object' }), strict: orNull(FLAG) },
})
const FORMAT: JsonObject = {
  oneOf: [
    having({ type: oneOf('text') }),
    having({ type: oneOf('json_object') }),
    having({
      ...{ type: oneOf('json_schema'), name: TEXT, description: orNull(TEXT) },
      ...{ schema: orNull({ type: 'object' }), strict: FLAG },
    }),
  ],
}
const USAGE = having({
  ...{ input_tokens: WHOLE, output_tokens: WHOLE, total_tokens: WHOLE },
  input_tokens_details: having({ cached_tokens: WHOLE }),
  output_tokens_details: having({ reasoning_tokens: WHOLE }),
})

const RESPONSE = having({
  ...{ id: TEXT, object: oneOf('response'), created_at: WHOLE, completed_at: orNull(WHOLE), status: TEXT, model: TEXT },
  incomplete_details: orNull(having({ reason: TEXT })),
  error: orNull(having({ code: TEXT, message: TEXT })),
  output: listOf(ITEM),
  usage: orNull(USAGE),
  // Parameters of the request.
  ...{ instructions: orNull(TEXT), previous_response_id: orNull(TEXT), max_output_tokens: orNull(WHOLE) },
  tools: listOf(FUNCTION),
  tool_choice: { anyOf: [oneOf('none', 'auto', 'required'), having({ type: oneOf('function') })] },
  ...{ parallel_tool_calls: FLAG, max_tool_calls: orNull(WHOLE), truncation: oneOf('auto', 'disabled') },
  text: having({ format: FORMAT }),
  reasoning: orNull(
    having({
      effort: oneOf('none', 'minimal', 'low', 'medium', 'high', 'xhigh', null),
      summary: oneOf('concise', 'detailed', 'auto', null),
    }),
  ),
  ...{ temperature: NUMBER, top_p: NUMBER, presence_penalty: NUMBER, frequency_penalty: NUMBER, top_logprobs: WHOLE },
  ...{ store: FLAG, background: FLAG, service_tier: TEXT, metadata: { type: 'object' } },
  ...{ safety_identifier: orNull(TEXT), prompt_cache_key: orNull(TEXT) },
})

const AT_ITEM = { item_id: TEXT, output_index: WHOLE }
const AT_PART = { ...AT_ITEM, content_index: WHOLE }
/** The members of each event in addition to type and number. */
const EVENTS: Readonly<Record<string, JsonObject>> = {
  'response.created': { response: RESPONSE },
  'response.output_item.added': { output_index: WHOLE, item: ITEM },
  'response.content_part.added': { ...AT_PART, part: PART },
  'response.output_text.delta': { ...AT_PART, delta: TEXT },
  'response.function_call_arguments.delta': { ...AT_ITEM, delta: TEXT },
  'response.function_call_arguments.done': { ...AT_ITEM, arguments: TEXT },
  'response.output_item.done': { output_index: WHOLE, item: ITEM },
  'response.completed': { response: RESPONSE },
  'response.failed': { response: RESPONSE },
}

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true })
const validateResponse = ajv.compile(RESPONSE)
const validators = new Map(
  Object.entries(EVENTS).map(([type, members]) => [
    type,
    ajv.compile(having({ type: oneOf(type), sequence_number: WHOLE, ...members })),
  ]),
)

/** Violations in a response object. */
export function responseProblems(response: Json | undefined): readonly string[] {
  validateResponse(response)
  return (validateResponse.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}

/** Violations in the events of a stream, which must be numbered from zero. */
export function eventProblems(events: readonly JsonObject[]): readonly string[] {
  return events.flatMap((event, position) => {
    const validate = validators.get(String(event.type))
    if (validate === undefined) return [`${event.type} is no event`]
    validate(event)
    const problems = (validate.errors ?? []).map(each => `${event.type}${each.instancePath} ${each.message}`)
    return event.sequence_number === position ? problems : [...problems, `${event.type} is not number ${position}`]
  })
}
