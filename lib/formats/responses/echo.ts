/** Members of the request that strict clients require in each response object (docs/api/responses.md#response) */
import { isObject, type Json, type JsonObject } from '../../base/json.ts'
import type { ResponsesBody } from './generated/body.ts'

/** The members of a body that a reply repeats, as they were sent. Shares objects with the body. */
export function readEcho(body: ResponsesBody): JsonObject {
  const { instructions, temperature, top_p, max_output_tokens, tools, tool_choice, text, reasoning } = body
  const { metadata, truncation, safety_identifier, prompt_cache_key, user } = body
  const echo: JsonObject = {}
  set(echo, 'instructions', instructions)
  set(echo, 'temperature', temperature)
  set(echo, 'top_p', top_p)
  set(echo, 'max_output_tokens', max_output_tokens)
  set(echo, 'tools', tools as Json | undefined)
  set(echo, 'tool_choice', tool_choice as Json | undefined)
  const { format, verbosity } = (text ?? {}) as JsonObject
  set(echo, 'format', format)
  if (typeof verbosity === 'string') echo.verbosity = verbosity
  if (typeof reasoning?.effort === 'string') echo.effort = reasoning.effort
  // These members have no effect, and no schema has checked them.
  if (isObject(metadata)) echo.metadata = metadata
  if (truncation === 'auto') echo.truncation = truncation
  if (typeof safety_identifier === 'string') echo.safety_identifier = safety_identifier
  if (typeof prompt_cache_key === 'string') echo.prompt_cache_key = prompt_cache_key
  if (typeof user === 'string') echo.user = user
  return echo
}

function set(echo: JsonObject, name: string, value: Json | undefined): void {
  if (value != null) echo[name] = value
}

/** The members of a response object that repeat the request, and those that have one value in this gateway. */
export function echoMembers(echo: JsonObject): JsonObject {
  const { tools } = echo
  return {
    instructions: echo.instructions ?? null,
    tools: Array.isArray(tools) ? tools.map(toolBody) : [],
    tool_choice: echo.tool_choice ?? 'auto',
    max_output_tokens: echo.max_output_tokens ?? null,
    temperature: echo.temperature ?? 1,
    top_p: echo.top_p ?? 1,
    text: {
      format: formatBody(echo.format ?? { type: 'text' }),
      ...(echo.verbosity !== undefined && { verbosity: echo.verbosity }),
    },
    reasoning: { effort: echo.effort ?? null, summary: null },
    metadata: echo.metadata ?? {},
    truncation: echo.truncation ?? 'disabled',
    safety_identifier: echo.safety_identifier ?? null,
    prompt_cache_key: echo.prompt_cache_key ?? null,
    user: echo.user ?? null,
    ...UNIFORM,
  }
}

/** Nothing is stored or run in the background. Members that would change these values are refused or have no effect. */
const UNIFORM: JsonObject = {
  background: false,
  store: false,
  previous_response_id: null,
  max_tool_calls: null,
  presence_penalty: 0,
  frequency_penalty: 0,
  top_logprobs: 0,
  service_tier: 'default',
}

/** Adds members of a function that strict clients require, as null. */
function toolBody(tool: Json): Json {
  if (!isObject(tool) || tool.type !== 'function') return tool
  return {
    ...tool,
    description: tool.description ?? null,
    parameters: tool.parameters ?? null,
    strict: tool.strict ?? null,
  }
}

/** Adds members of a JSON Schema format that strict clients require. */
function formatBody(format: Json): Json {
  if (!isObject(format) || format.type !== 'json_schema') return format
  return { ...format, description: format.description ?? null, strict: format.strict ?? false }
}
