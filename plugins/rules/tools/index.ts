import {
  definePlugin,
  fail,
  isObject,
  type Message,
  parseJson,
  quoted,
  textBytes,
  withoutDecoding,
} from '../../../lib/plugin.ts'
import { chat, formatOptions } from '../../slots.ts'
import { checkToolChoice, checkTools } from './definitions.ts'
import { restoreIds } from './ids.ts'

/** Bytes of arguments that are parsed per request, which takes some milliseconds. */
const MAX_PARSED_BYTES = 1_000_000

export default definePlugin({
  name: 'tools',
  summary: 'Refuses tools, tool choices and tool messages that contradict each other, and repairs truncated calls.',
  routes: { canonical: true },
  needs: [chat],
  wants: [formatOptions],
  // `parameters` may be a single reference until it has been inlined.
  after: ['schema-refs'],

  setup: () => ({
    onBody(exchange) {
      const request = exchange.get(chat)
      if (request.kind !== 'chat') return
      if (request.tools.length > 0) {
        const empty = exchange.find(formatOptions)?.tools.empty_parameters
        withoutDecoding(() => checkTools(request.tools, exchange.route.format, empty))
      }
      checkToolChoice(request.toolChoice, request.tools)
      checkToolMessages(request.messages)
      restoreIds(request.messages)
      // On Messages, clients send arguments as objects.
      if (exchange.route.format !== 'messages') repairArguments(request.messages)
    },
  }),
})

/**
 * Checks that every tool result answers a call of an earlier assistant message: otherwise `missing_tool_call_id` or
 * `orphan_tool_message`. Ids are compared byte by byte, because models read them.
 */
function checkToolMessages(messages: readonly Message[]): void {
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

/**
 * Replaces arguments of earlier calls that are no JSON object by `{}`, and lone surrogates in them. Engines parse
 * arguments for their templates, and would refuse the conversation from then on.
 */
function repairArguments(messages: readonly Message[]): void {
  let left = MAX_PARSED_BYTES
  for (let i = messages.length - 1; i >= 0; i--) {
    const message = messages[i]!
    if (message.role !== 'assistant' || message.toolCalls === undefined) continue
    for (const call of message.toolCalls) {
      left -= textBytes(call, 'arguments')
      if (left < 0) return
      const text = call.arguments
      if (!isObject(parseJson(text))) call.arguments = '{}'
      else if (SURROGATE.test(text)) call.arguments = text.replace(ESCAPE, wellFormed)
    }
  }
}

const SURROGATE = /\\u[dD][89a-fA-F]/

/** An escaped surrogate pair, a lone surrogate (captured), or another escape. */
const ESCAPE = /\\(?:u[dD][89abAB]..\\u[dD][c-fC-F]..|(u[dD][89a-fA-F]..)|.)/g

/** U+FFFD for a lone surrogate in arguments, because engines parse them and fail on it. */
function wellFormed(text: string, lone: string | undefined): string {
  return lone === undefined ? text : '\\ufffd'
}
