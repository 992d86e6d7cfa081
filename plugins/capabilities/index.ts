import type { Target } from '../../lib/backend/target.ts'
import { supports } from '../../lib/capabilities.ts'
import { type CanonicalRequest, type ChatRequest, type FormatName, fail } from '../../lib/chat.ts'
import { imageParts } from '../../lib/images/parts.ts'
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
  if (!seesImages(where, format)) refuseImages(request, where, format)
}

function seesImages({ model }: Target, format: FormatName): boolean {
  return format === 'messages' ? model.capabilities.messages.vision : model.capabilities.vision
}

function refuseImages({ messages }: ChatRequest, where: Target, format: FormatName): void {
  for (const { param } of imageParts(messages)) {
    if (format !== 'messages') refuse(where, 'images', param)
    // api.md "Messages-format" rule 5 gives this case a code of its own.
    fail('model_request_rejected', { problem: `Model '${where.model.id}' does not support images.` }, { param })
  }
}

function refuse({ model }: Target, feature: string, param: string, ownParam = false): never {
  fail('unsupported_feature', { model: model.id, feature }, { param, ownParam })
}

export default definePlugin({
  name: 'capabilities',
  summary: 'Refuses features that the model does not have.',
  routes: { canonical: true },
  needs: [chat, target],
  // n is taken out for fixed-sampling models, so that it is never refused there.
  after: ['sampling'],

  setup: () => ({
    onBody(exchange) {
      checkCapabilities(exchange.get(chat), exchange.get(target), exchange.route.format)
    },
  }),
})
