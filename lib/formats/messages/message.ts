import type { JsonObject } from '../../base/json.ts'
import type { ReplyContext } from '../../canonical/format.ts'
import type { CanonicalRequest } from '../../canonical/request.ts'
import type { Stop } from './stop-reason.ts'

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

/** Thinking is shown only if it was turned on; some models think anyway (docs/api/messages.md#thinking). */
export function isThinkingShown(request: CanonicalRequest): boolean {
  return request.kind === 'chat' && request.reasoning.enabled === true && request.reasoning.hidden !== true
}
