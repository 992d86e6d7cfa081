import { type ChatMessage, fail } from '../../lib/chat.ts'
import { quoted } from '../../lib/quoted.ts'

/**
 * Every tool result answers a call that an earlier assistant message made (api.md codes `missing_tool_call_id` and
 * `orphan_tool_message`). Ids are compared byte by byte and never changed: models read them back.
 */
export function checkToolMessages(messages: readonly ChatMessage[]): void {
  let issued: Set<string> | undefined
  for (let i = 0; i < messages.length; i++) {
    const message = messages[i]!
    if (message.role === 'assistant') {
      if (message.toolCalls === undefined) continue
      issued ??= new Set()
      for (const { id } of message.toolCalls) issued.add(id)
    } else if (message.role === 'tool') {
      const param = `${message.origin ?? `messages.${i}`}.tool_call_id`
      const id = message.toolCallId
      if (id === undefined || id === '') fail('missing_tool_call_id', {}, { param })
      if (issued === undefined || !issued.has(id)) fail('orphan_tool_message', { id: quoted(id) }, { param })
    }
  }
}
