import type { FinishReason } from '../../canonical/reply.ts'
import type { CanonicalRequest } from '../../canonical/request.ts'

export type StopReason = 'end_turn' | 'max_tokens' | 'stop_sequence' | 'tool_use'

export interface Stop {
  readonly stop_reason: StopReason
  /** The stop sequence that matched. */
  readonly stop_sequence: string | null
}

/** How a reply ended. `matched`: the stop string or token that the engine reports. `calls`: the reply has tool calls. */
export function stopOf(
  finish: FinishReason | undefined,
  matched: string | number | undefined,
  calls: boolean,
  { stop }: CanonicalRequest,
): Stop {
  // Messages has no value for a filtered reply, and its calls may be incomplete.
  if (finish === 'content_filter') return ended('end_turn')
  if (finish === 'length') return ended('max_tokens')
  // Whatever the engine's finish reason: clients run calls only after `tool_use`.
  if (calls) return ended('tool_use')
  if (typeof matched === 'string' && stop?.includes(matched) === true) {
    return { stop_reason: 'stop_sequence', stop_sequence: matched }
  }
  return ended('end_turn')
}

function ended(stop_reason: StopReason): Stop {
  return { stop_reason, stop_sequence: null }
}
