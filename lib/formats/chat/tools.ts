import { quoted } from '../../base/quoted.ts'
import type { FunctionTool, ToolChoice } from '../../canonical/request.ts'
import { fail } from '../../errors/errors.ts'
import type { BodyTool, ChatBody } from './generated/body.ts'

/** Refuses tools that are no functions with `unsupported_tool_type`. */
export function readTools({ tools }: ChatBody): FunctionTool[] {
  return tools == null ? [] : tools.map(readTool)
}

function readTool(tool: BodyTool, index: number): FunctionTool {
  if (tool.type !== 'function' || tool.function === undefined) {
    return fail('unsupported_tool_type', { type: quoted(tool.type) }, { param: `tools.${index}.type` })
  }
  const { name, description, parameters, strict } = tool.function
  return {
    name,
    description: description ?? undefined,
    parameters: parameters ?? undefined,
    strict: strict ?? undefined,
  }
}

export function readToolChoice({ tool_choice }: ChatBody): ToolChoice | undefined {
  if (tool_choice == null) return undefined
  return typeof tool_choice === 'string' ? tool_choice : { name: tool_choice.function.name }
}
