import type { Message } from '../../../lib/plugin.ts'

/** The ending of an id if an earlier call of the reply had the same one (lib/engines/decode/tool-calls.ts). */
const ENDING = /^(.+)_dup(?:[2-9]|[1-9]\d+)$/s

/**
 * Removes endings from ids of calls and of their results, so that the model reads the ids that it wrote. Only if an
 * earlier call of the same turn has the id without the ending: all other ids stay byte by byte.
 */
export function restoreIds(messages: readonly Message[]): void {
  const restored = new Map<string, string>()
  for (const message of messages) {
    if (message.role === 'tool') {
      const id = message.toolCallId === undefined ? undefined : restored.get(message.toolCallId)
      if (id !== undefined) message.toolCallId = id
    } else if (message.role === 'assistant' && message.toolCalls !== undefined) {
      const ids = new Set<string>()
      for (const call of message.toolCalls) {
        const id = ENDING.exec(call.id)?.[1]
        restored.delete(call.id)
        if (id !== undefined && ids.has(id)) {
          restored.set(call.id, id)
          call.id = id
        } else ids.add(call.id)
      }
    }
  }
}
