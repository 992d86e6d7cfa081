import { type CanonicalRequest, definePlugin } from '../../../lib/plugin.ts'
import { chat, clientSampling, target } from '../../slots.ts'

/** Removes the parameters that backends of a fixed-sampling model refuse (docs/api/chat-completions.md#sampling). */
function fixSampling(request: CanonicalRequest): void {
  const { temperature, top_p, presence_penalty, frequency_penalty, ...others } = request.sampling
  request.sampling = others
  request.n = 1
  if (request.kind === 'text') request.bestOf = undefined
}

export default definePlugin({
  name: 'sampling',
  summary: 'Removes sampling controls that a fixed-sampling model does not accept.',
  routes: { canonical: true },
  needs: [chat, target],
  provides: [clientSampling],

  setup: () => ({
    onBody(exchange) {
      const request = exchange.get(chat)
      exchange.set(clientSampling, request.sampling)
      if (exchange.get(target).model.sampling === 'fixed') fixSampling(request)
    },
  }),
})
