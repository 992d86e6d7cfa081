import type { JsonObject } from '../../base/json.ts'
import { type ClientNames, renamed } from '../../canonical/format.ts'
import type { ErrorBody } from '../../errors/errors.ts'

/** The body of an error response (docs/api/errors.md#envelope). */
export function toErrorBody(body: ErrorBody): JsonObject {
  return { error: body }
}

const NAMES: ClientNames = [
  [/^max_tokens$/, 'max_output_tokens'],
  [/^reasoning_effort$/, 'reasoning.effort'],
  [/^response_format(\.json_schema)?(?=\.|$)/, 'text.format'],
  [/^(tools\.\d+(?:\.tools\.\d+)?)\.function(?=\.|$)/, '$1'],
  [/^tool_choice\.function(?=\.|$)/, 'tool_choice'],
  [/^messages$/, 'input'],
  [/^(input\.\d+)\.tool_call_id$/, '$1.call_id'],
  // Instructions and an input that is a string are messages of the canonical request.
  [/^(input|instructions)\.content$/, '$1'],
]

/** The name in Responses for a canonical path: `tools.0.function.name` -> `tools.0.name`. */
export function toClientParam(canonical: string): string {
  return renamed(canonical, NAMES)
}
