import type { JsonObject } from '../../base/json.ts'
import { type ClientNames, renamed } from '../../canonical/format.ts'
import type { ErrorBody } from '../../errors/errors.ts'

/** Some clients shorten a conversation only if the message of the error begins with this. */
const TOO_LONG = 'prompt is too long'

/** The body of an error response, and the data of an `error` event (docs/api/errors.md#envelope). */
export function toErrorBody({ type, message, code, request_id, ...more }: ErrorBody): JsonObject {
  const isUnmarked = code === 'context_length_exceeded' && !message.startsWith(TOO_LONG)
  const text = isUnmarked ? `${TOO_LONG}: ${message}` : message
  return { type: 'error', error: { type, message: text, code, request_id, ...more } }
}

const NAMES: ClientNames = [
  [/^(tools\.\d+)\.function\.parameters(?=\.|$)/, '$1.input_schema'],
  [/^(tools\.\d+)\.function(?=\.|$)/, '$1'],
  [/^tool_choice\.function(?=\.|$)/, 'tool_choice'],
  [/^(messages\.\d+(?:\.content\.\d+)*)\.tool_call_id$/, '$1.tool_use_id'],
  [/^stop(?=\.|$)/, 'stop_sequences'],
  [/^reasoning_effort$/, 'output_config.effort'],
  [/^response_format(\.json_schema)?(?=\.|$)/, 'output_config.format'],
  [/^parallel_tool_calls$/, 'tool_choice.disable_parallel_tool_use'],
  // The system text is a message of the canonical request.
  [/^system\.content$/, 'system'],
]

/** The name in Messages for a canonical path: `tools.0.function.name` -> `tools.0.name`. */
export function toClientParam(canonical: string): string {
  return renamed(canonical, NAMES)
}
