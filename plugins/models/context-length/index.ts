import {
  certainOverflow,
  certainPromptTokens,
  clampedMaxTokens,
  contextExceeded,
  definePlugin,
} from '../../../lib/plugin.ts'
import { chat, target } from '../../slots.ts'

export default definePlugin({
  name: 'context-length',
  summary: 'Refuses requests that certainly exceed the context window of the model.',
  routes: { proxied: true, canonical: true },
  needs: [chat, target],

  setup: () => ({
    onBody(exchange) {
      const { model, alternatives } = exchange.get(target)
      const { max_model_len: limit } = model
      if (limit === undefined) return
      const request = exchange.get(chat)
      const overflow = certainOverflow(request, model)
      if (overflow !== undefined) throw contextExceeded(overflow, model, alternatives())
      // Routes that clamp lower max_tokens to the size of the window (docs/DESIGN.md#max_tokens).
      if (request.clampMaxTokens && request.maxTokens !== undefined)
        request.maxTokens = clampedMaxTokens(request.maxTokens, limit, certainPromptTokens(request))
    },
  }),
})
