import { isObject, type Json, type JsonObject } from '../lib/base/json.ts'
import { satisfy } from './constraint.ts'
import type { Directives } from './directives.ts'
import type { EngineTraits } from './engine-traits.ts'
import type { Prompt } from './prompt.ts'
import type { Random } from './random.ts'
import { badRequest } from './refusal.ts'
import type { Sampler } from './sampler.ts'

export interface SimulatedCall {
  readonly name: string
  /** JSON text. */
  readonly arguments: string
}

const MAX_CALLS = 32

/**
 * The tool calls of a reply: those that a directive or tool_choice requires. With `auto`: every tool whose name is in
 * the last user message. Arguments are generated from the tool's schema.
 */
export async function chooseCalls(
  body: JsonObject,
  prompt: Prompt,
  directives: Directives,
  engine: EngineTraits,
  sampler: Sampler,
  random: Random,
): Promise<SimulatedCall[]> {
  const tools = readTools(body.tools)
  const wanted = wantedNames([...tools.keys()], body.tool_choice, prompt, directives, engine)
  const times = directives.calls ?? 1
  const names = wanted.flatMap(name => Array.from({ length: times }, () => name)).slice(0, MAX_CALLS)
  const isSingle = engine.parallelSwitch && body.parallel_tool_calls === false
  const calls: SimulatedCall[] = []
  for (const name of isSingle ? names.slice(0, 1) : names) {
    const parameters = tools.get(name)
    const schema = isObject(parameters) ? { type: 'object', ...parameters } : undefined
    const text = schema === undefined ? '{}' : await satisfy({ kind: 'schema', schema }, sampler, random)
    calls.push({ name, arguments: text })
  }
  return calls
}

/** True if tool_choice names a function and the engine supports that. */
export function isNamedChoice(body: JsonObject, engine: EngineTraits): boolean {
  return isObject(body.tool_choice) && engine.namedToolChoice
}

/** True if the model may call a tool, but is not required to. */
export function isFreeToCall({ tool_choice: choice }: JsonObject): boolean {
  return choice === undefined || choice === null || choice === 'auto'
}

function readTools(tools: Json | undefined): Map<string, Json | undefined> {
  const byName = new Map<string, Json | undefined>()
  if (tools === undefined || tools === null) return byName
  if (!Array.isArray(tools)) throw badRequest('tools must be a list', 'tools')
  for (const tool of tools) {
    const definition = isObject(tool) && tool.type === 'function' ? tool.function : undefined
    if (!isObject(definition) || typeof definition.name !== 'string')
      throw badRequest('each tool must be a function', 'tools')
    byName.set(definition.name, definition.parameters)
  }
  return byName
}

function wantedNames(
  names: readonly string[],
  choice: Json | undefined,
  prompt: Prompt,
  directives: Directives,
  engine: EngineTraits,
): readonly string[] {
  if (names.length === 0) {
    if (isObject(choice) || choice === 'required')
      throw badRequest('When using `tool_choice`, `tools` must be set.', 'tool_choice')
    if (directives.tool !== undefined) throw badRequest('The directive "tool" needs tools in the request.')
    return []
  }
  if (choice === 'none') return []
  const named = isObject(choice) && isObject(choice.function) ? String(choice.function.name) : undefined
  if (isObject(choice) && engine.namedToolChoice) {
    if (named === undefined || !names.includes(named)) {
      throw badRequest('The tool specified in `tool_choice` does not match any of the specified `tools`', 'tool_choice')
    }
    return [named]
  }
  if (directives.tool !== undefined) {
    const unknown = directives.tool.find(name => !names.includes(name))
    if (unknown !== undefined)
      throw badRequest(`The directive "tool" names "${unknown}", which is not among the tools.`)
    return directives.tool
  }
  // After the result of a tool the question still contains the name. A further call would never end the conversation.
  const mentioned = prompt.isAfterTool ? [] : names.filter(name => mentions(prompt.question, name))
  return choice === 'required' && mentioned.length === 0 ? names.slice(0, 1) : mentioned
}

function mentions(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
    const around = (text[at - 1] ?? ' ') + (text[at + name.length] ?? ' ')
    if (!/[\w-]/.test(around)) return true
  }
  return false
}
