import type { JsonObject } from '../../base/json.ts'
import type { ErrorBody } from '../../errors/errors.ts'

/** How the text of a prompt that is too long starts: some clients shorten the conversation only when they read this. */
const TOO_LONG = 'prompt is too long'

/** Body of an error answer, and the data of an `error` event (docs/api/errors.md#envelope). */
export function errorBody({ type, message, code, request_id, ...more }: ErrorBody): JsonObject {
  const tooLong = code === 'context_length_exceeded' && !message.startsWith(TOO_LONG)
  const text = tooLong ? `${TOO_LONG}: ${message}` : message
  return { type: 'error', error: { type, message: text, code, request_id, ...more } }
}

/** Canonical names that Messages spells differently; the first that matches counts. */
const NAMES: readonly (readonly [canonical: RegExp, own: string])[] = [
  [/^(tools\.\d+)\.function\.parameters(?=\.|$)/, '$1.input_schema'],
  [/^(tools\.\d+)\.function(?=\.|$)/, '$1'],
  [/^tool_choice\.function(?=\.|$)/, 'tool_choice'],
  [/^(messages\.\d+(?:\.content\.\d+)*)\.tool_call_id$/, '$1.tool_use_id'],
  [/^stop(?=\.|$)/, 'stop_sequences'],
  [/^reasoning_effort$/, 'output_config.effort'],
  [/^parallel_tool_calls$/, 'tool_choice.disable_parallel_tool_use'],
  // The system text is a message inside.
  [/^system\.content$/, 'system'],
]

/** A canonical path in Messages' own words: `tools.0.function.name` -> `tools.0.name`. */
export function param(canonical: string): string {
  for (const [pattern, own] of NAMES) {
    if (pattern.test(canonical)) return canonical.replace(pattern, own)
  }
  return canonical
}
