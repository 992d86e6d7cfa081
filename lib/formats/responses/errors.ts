import type { JsonObject } from '../../base/json.ts'
import type { ErrorBody } from '../../errors/errors.ts'

/** The body of an error answer (docs/api/errors.md#envelope). */
export function errorBody(body: ErrorBody): JsonObject {
  return { error: body }
}

/** Canonical names that Responses spells differently; the first that matches counts. */
const NAMES: readonly (readonly [canonical: RegExp, own: string])[] = [
  [/^max_tokens$/, 'max_output_tokens'],
  [/^reasoning_effort$/, 'reasoning.effort'],
  [/^response_format(\.json_schema)?(?=\.|$)/, 'text.format'],
  [/^(tools\.\d+(?:\.tools\.\d+)?)\.function(?=\.|$)/, '$1'],
  [/^tool_choice\.function(?=\.|$)/, 'tool_choice'],
  [/^messages$/, 'input'],
  [/^(input\.\d+)\.tool_call_id$/, '$1.call_id'],
  // A string instead of items, and instructions, are messages inside.
  [/^(input|instructions)\.content$/, '$1'],
]

/** A canonical path in Responses' own words: `tools.0.function.name` -> `tools.0.name`. */
export function param(canonical: string): string {
  for (const [pattern, own] of NAMES) {
    if (pattern.test(canonical)) return canonical.replace(pattern, own)
  }
  return canonical
}
