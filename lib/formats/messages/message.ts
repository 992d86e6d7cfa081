import type { JsonObject } from '../../base/json.ts'
import type { FormatOptions, ReplyContext } from '../../canonical/format.ts'
import type { FinishReason, Usage } from '../../canonical/reply.ts'
import type { CanonicalRequest } from '../../canonical/request.ts'

interface Stop {
  readonly stop_reason: 'end_turn' | 'max_tokens' | 'stop_sequence' | 'tool_use'
  /** The stop sequence that matched. */
  readonly stop_sequence: string | null
}

/** The message object of a JSON reply and of message_start (docs/api/messages.md#response). */
export function messageBody(
  context: ReplyContext,
  content: JsonObject[],
  stop: Stop | undefined,
  usage: JsonObject,
): JsonObject {
  return {
    id: `msg_${context.id}`,
    type: 'message',
    role: 'assistant',
    model: context.model,
    content,
    stop_reason: stop?.stop_reason ?? null,
    stop_sequence: stop?.stop_sequence ?? null,
    usage,
  }
}

/** Thinking is shown only if the request has turned it on; some models think anyway (docs/api/messages.md#thinking). */
export function isThinkingShown(request: CanonicalRequest): boolean {
  return request.kind === 'chat' && request.reasoning.enabled === true && request.reasoning.hidden !== true
}

/** `matched`: the stop string or token that the engine reports. */
export function stopOf(
  finish: FinishReason | undefined,
  matched: string | number | undefined,
  hasCalls: boolean,
  { stop }: CanonicalRequest,
): Stop {
  // Messages has no value for a filtered reply, whose calls may be incomplete.
  if (finish === 'content_filter') return ended('end_turn')
  if (finish === 'length') return ended('max_tokens')
  // Engines report different finish reasons, but clients run calls only after `tool_use`.
  if (hasCalls) return ended('tool_use')
  if (typeof matched === 'string' && stop?.includes(matched) === true) {
    return { stop_reason: 'stop_sequence', stop_sequence: matched }
  }
  return ended('end_turn')
}

function ended(stop_reason: Stop['stop_reason']): Stop {
  return { stop_reason, stop_sequence: null }
}

/**
 * The counters of docs/api/messages.md#response. input_tokens includes those read from the cache, unless the operator
 * has configured `uncached`. Cache writes are not billed: 0. Without usage, as in message_start, all counters are 0.
 */
export function toUsageBody(usage: Usage | undefined, { messages }: FormatOptions): JsonObject {
  const cached = usage?.cachedTokens ?? 0
  const input = usage?.promptTokens ?? 0
  return {
    input_tokens: messages.input_tokens === 'uncached' ? Math.max(0, input - cached) : input,
    output_tokens: usage?.completionTokens ?? 0,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: cached,
  }
}
