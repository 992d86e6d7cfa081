import type { FunctionTool, ToolChoice } from '../../canonical/request.ts'
import { fail } from '../../errors/errors.ts'
import type { BodyTool, MessagesBody } from './generated/body.ts'
import { vendorTool } from './vendor-tools.ts'

/** Refuses tools without a name with `missing_tool_name`. */
export function readTools({ tools }: MessagesBody): FunctionTool[] {
  return tools == null ? [] : tools.map(readTool)
}

/** A tool as a function that the client executes, also a server tool of the vendor (docs/api/messages.md#tools). */
function readTool({ type, name, description, input_schema, strict }: BodyTool, index: number): FunctionTool {
  if (name == null || name === '') fail('missing_tool_name', {}, { param: `tools.${index}.name`, ownParam: true })
  const known = type == null || type === 'custom' ? undefined : vendorTool(type)
  return {
    name,
    description: description ?? known?.description,
    // A client's own tool without a schema has no arguments.
    parameters: input_schema ?? known?.parameters ?? null,
    strict: strict ?? undefined,
    origin: `tools.${index}`,
  }
}

export function readToolChoice({ tool_choice: choice }: MessagesBody): ToolChoice | undefined {
  if (choice == null) return undefined
  if (choice.type === 'tool') return { name: choice.name ?? '' }
  // `any` is accepted and behaves like `auto` (docs/api/messages.md#tools).
  return choice.type === 'any' ? 'auto' : choice.type
}
