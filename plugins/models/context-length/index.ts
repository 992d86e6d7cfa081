import {
  type CanonicalRequest,
  certainOverflow,
  certainPromptTokens,
  clampedMaxTokens,
  contextExceeded,
  definePlugin,
  type ModelConfig,
} from '../../../lib/plugin.ts'
import { chat, target } from '../../slots.ts'

/** Lowers max_tokens to the size of the window on routes that clamp (docs/DESIGN.md#max_tokens). */
function clampMaxTokens(request: CanonicalRequest, model: ModelConfig): void {
  const { max_model_len: limit } = model
  if (!request.clampMaxTokens || request.maxTokens === undefined || limit === undefined) return
  request.maxTokens = clampedMaxTokens(request.maxTokens, limit, certainPromptTokens(request))
}

export default definePlugin({
  name: 'context-length',
  summary: 'Refuses requests that certainly exceed the context window of the model.',
  routes: { proxied: true, canonical: true },
  needs: [chat, target],

  setup: () => ({
    onBody(exchange) {
      const request = exchange.get(chat)
      const { model, alternatives } = exchange.get(target)
      const overflow = certainOverflow(request, model)
      if (overflow !== undefined) throw contextExceeded(overflow, model, alternatives())
      clampMaxTokens(request, model)
    },
  }),
})
