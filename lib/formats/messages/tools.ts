import type { FunctionTool } from '../../canonical/request.ts'
import { fail } from '../../errors/errors.ts'
import type { BodyTool } from './body.ts'
import { vendorTool } from './vendor-tools.ts'

/**
 * A tool as a function that the client executes, also where it is a vendor's server tool (docs/api/messages.md#tools).
 */
export function readTool({ type, name, description, input_schema, strict }: BodyTool, index: number): FunctionTool {
  if (name == null || name === '') fail('missing_tool_name', {}, { param: `tools.${index}.name`, ownParam: true })
  const known = type == null || type === 'custom' ? undefined : vendorTool(type)
  return {
    name,
    description: description ?? known?.description,
    // null: a client's own tool needs a schema, and the rule for tools says so.
    parameters: input_schema ?? known?.parameters ?? null,
    strict: strict ?? undefined,
    origin: `tools.${index}`,
  }
}
