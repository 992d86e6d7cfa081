import type { Target } from '../../lib/backend/target.ts'
import { supports } from '../../lib/capabilities.ts'
import { type CanonicalRequest, type ChatMessage, type ChatRequest, type FormatName, fail } from '../../lib/chat.ts'
import { definePlugin } from '../../lib/plugin.ts'
import { chat, target } from '../slots.ts'

/** Refuses what the model cannot do, before anything is sent (api.md code `unsupported_feature`). */
export function checkCapabilities(request: CanonicalRequest, where: Target, format: FormatName): void {
  if (request.n > 1 && !supports(where, 'n')) refuse(where, 'n greater than 1', 'n')
  if (request.kind === 'chat') checkChat(request, where, format)
}

function checkChat(request: ChatRequest, where: Target, format: FormatName): void {
  if (request.tools.length > 0) {
    if (!supports(where, 'tools')) refuse(where, 'tools', 'tools')
    // Tools that the model may not call produce no tool calls that could be streamed.
    if (request.stream && request.toolChoice !== 'none' && !supports(where, 'streaming_tools')) {
      refuse(where, 'tools in streaming requests', 'tools')
    }
  }
  const { asked, param } = request.preserveThinking
  if (asked && !supports(where, 'preserve_thinking')) refuse(where, 'preserved thinking', param, true)
  if (!seesImages(where, format)) refuseImages(request.messages, where, format)
}

function seesImages({ model }: Target, format: FormatName): boolean {
  return format === 'messages' ? model.capabilities.messages.vision : model.capabilities.vision
}

function refuseImages(messages: readonly ChatMessage[], where: Target, format: FormatName): void {
  messages.forEach((message, index) => {
    if (!Array.isArray(message.content)) return
    const at = message.content.findIndex(part => part.type === 'image')
    if (at === -1) return
    const part = message.content[at]!
    const param =
      (part.type === 'image' ? part.origin : undefined) ?? `${message.origin ?? `messages.${index}`}.content.${at}`
    if (format === 'messages') {
      // api.md "Messages-format" rule 5 gives this case a code of its own.
      fail('model_request_rejected', { problem: `Model '${where.model.id}' does not support images.` }, { param })
    }
    refuse(where, 'images', param)
  })
}

function refuse({ model }: Target, feature: string, param: string, ownParam = false): never {
  fail('unsupported_feature', { model: model.id, feature }, { param, ownParam })
}

export default definePlugin({
  name: 'capabilities',
  summary: 'Refuses features that the model does not have.',
  routes: { proxied: true },
  needs: [chat, target],
  // n is taken out for fixed-sampling models, so that it is never refused there.
  after: ['sampling'],

  setup: () => ({
    onBody(exchange) {
      checkCapabilities(exchange.get(chat), exchange.get(target), exchange.route.format)
    },
  }),
})
