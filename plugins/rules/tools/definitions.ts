import {
  type FormatName,
  type FormatOptions,
  type FunctionTool,
  fail,
  isObject,
  type Json,
  quoted,
  type ToolChoice,
} from '../../../lib/plugin.ts'
import { MAX_SCHEMA_DEPTH, MAX_SCHEMA_VALUES, valuesLeft } from '../schema-size.ts'

/** Any printable word: clients choose the names, and engines accept them. */
const NAME = /^[^\s\p{C}]{1,128}$/u
const TOO_LARGE = `its parameters are nested more than ${MAX_SCHEMA_DEPTH} levels deep, or the tools together hold more than ${MAX_SCHEMA_VALUES} values.`

/**
 * Checks that every tool has a unique name and a schema as parameters (docs/api/chat-completions.md#tools). A tool
 * without parameters gets the schema of no arguments; with `accept`, so does a schema that constrains nothing.
 */
export function checkTools(
  tools: readonly FunctionTool[],
  format: FormatName,
  empty: FormatOptions['tools']['empty_parameters'] = 'refuse',
): void {
  const names = new Set<string>()
  let left = MAX_SCHEMA_VALUES
  for (let i = 0; i < tools.length; i++) {
    const tool = tools[i]!
    const path = tool.origin ?? `tools.${i}`
    checkName(tool.name, `${path}.function.name`, format)
    if (names.has(tool.name)) {
      fail('duplicate_tool_name', { tool: quoted(tool.name) }, { param: `${path}.function.name` })
    }
    names.add(tool.name)
    if (tool.parameters == null || (empty === 'accept' && isUnconstrained(tool.parameters))) {
      tool.parameters = { type: 'object', properties: {} }
    }
    const schema = tool.parameters
    left = valuesLeft(schema, left)
    const problem = schemaProblem(schema) ?? (left < 0 ? TOO_LARGE : undefined)
    if (problem !== undefined) {
      const values = { tool: quoted(tool.name), problem }
      fail('tool_schema_invalid', values, { param: `${path}.function.parameters` })
    }
  }
}

function checkName(name: string, param: string, format: FormatName): void {
  if (name === '') {
    if (format === 'messages') fail('missing_tool_name', {}, { param })
    fail('schema_validation_failed', { problem: 'A tool needs a name.' }, { param })
  }
  if (!NAME.test(name)) {
    const problem = 'A tool name has 1 to 128 characters, none of them a space or a control character.'
    fail('schema_validation_failed', { problem }, { param })
  }
}

const EMPTY = "The operator can have this form accepted: 'tools.empty_parameters'."

/** `{}` or `{type: object}`. */
function isUnconstrained(schema: Json): boolean {
  if (!isObject(schema)) return false
  for (const name in schema) if (name !== 'type') return false
  return schema.type === undefined || schema.type === 'object'
}

/** Why a tool's `parameters` are invalid, as the end of a sentence; undefined: they are valid. */
function schemaProblem(schema: Json): string | undefined {
  if (!isObject(schema)) return 'parameters must be a JSON Schema object with properties.'
  const { type, properties, required } = schema
  if (!isObject(properties)) {
    const needed = "parameters need a 'properties' map; it may be empty."
    return isUnconstrained(schema) ? `${needed} ${EMPTY}` : needed
  }
  if (type !== undefined && type !== 'object' && !(Array.isArray(type) && type.includes('object'))) {
    return "the type of parameters must be 'object'."
  }
  for (const name in properties) {
    const property = properties[name]
    if (!isObject(property) && typeof property !== 'boolean')
      return 'each property must be a JSON Schema: an object or a boolean.'
  }
  if (required !== undefined && !(Array.isArray(required) && required.every(name => typeof name === 'string'))) {
    return "'required' must be a list of property names."
  }
  return undefined
}

/** Checks that a forced tool exists (docs/errors/tool_choice_unknown_tool.md). */
export function checkToolChoice(choice: ToolChoice | undefined, tools: readonly FunctionTool[]): void {
  if (choice === 'required' && tools.length === 0) {
    fail('schema_validation_failed', { problem: "tool_choice 'required' needs tools." }, { param: 'tool_choice' })
  }
  if (typeof choice !== 'object') return
  if (tools.some(tool => tool.name === choice.name)) return
  fail('tool_choice_unknown_tool', { tool: quoted(choice.name) }, { param: 'tool_choice.function.name' })
}
