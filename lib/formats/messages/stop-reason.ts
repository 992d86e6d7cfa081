import type { FinishReason } from '../../canonical/reply.ts'
import type { CanonicalRequest } from '../../canonical/request.ts'

export type StopReason = 'end_turn' | 'max_tokens' | 'stop_sequence' | 'tool_use'

export interface Stop {
  readonly stop_reason: StopReason
  /** The stop sequence that was met. */
  readonly stop_sequence: string | null
}

/** How a reply ended: `matched` is what the engine says it met, `calls` whether there are tool calls. */
export function stopOf(
  finish: FinishReason | undefined,
  matched: string | number | undefined,
  calls: boolean,
  { stop }: CanonicalRequest,
): Stop {
  // A filtered reply has no value of its own on this route, and its calls may be cut like its text.
  if (finish === 'content_filter') return ended('end_turn')
  if (finish === 'length') return ended('max_tokens')
  // Whatever the engine calls it: a client that is not told of its calls never runs them.
  if (calls) return ended('tool_use')
  if (typeof matched === 'string' && stop?.includes(matched) === true) {
    return { stop_reason: 'stop_sequence', stop_sequence: matched }
  }
  return ended('end_turn')
}

function ended(stop_reason: StopReason): Stop {
  return { stop_reason, stop_sequence: null }
}
