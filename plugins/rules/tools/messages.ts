import { fail, isObject, type Message, parseJson, quoted, textBytes } from '../../../lib/plugin.ts'

/**
 * Every tool result answers a call that an earlier assistant message made: else `missing_tool_call_id` or
 * `orphan_tool_message` (docs/api/chat-completions.md#messages). Ids are compared byte by byte and never changed:
 * models read them back.
 */
export function checkToolMessages(messages: readonly Message[]): void {
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

/** Bytes of arguments that are parsed, from the end of the conversation: some milliseconds. */
const MAX_BYTES = 1_000_000

/**
 * Earlier calls whose arguments are no JSON object, because the model was cut off in the middle or made a mistake, get `{}`
 * instead: engines parse arguments for their templates, and would refuse the conversation from then on.
 */
export function mendArguments(messages: readonly Message[]): void {
  let left = MAX_BYTES
  for (let i = messages.length - 1; i >= 0; i--) {
    const message = messages[i]!
    if (message.role !== 'assistant' || message.toolCalls === undefined) continue
    for (const call of message.toolCalls) {
      left -= textBytes(call, 'arguments')
      if (left < 0) return
      if (!isObject(parseJson(call.arguments))) call.arguments = '{}'
    }
  }
}
