import type { CanonicalRequest } from '../../lib/chat.ts'
import { definePlugin } from '../../lib/plugin.ts'
import { chat, target } from '../slots.ts'

const FIXED = ['temperature', 'top_p', 'presence_penalty', 'frequency_penalty'] as const

/** Takes out what the upstream of a fixed-sampling model would refuse (api.md "Chat completions", Fixed-sampling models). */
export function fixSampling(request: CanonicalRequest): void {
  for (const name of FIXED) delete request.sampling[name]
  request.n = 1
}

export default definePlugin({
  name: 'sampling',
  summary: 'Removes sampling controls that a fixed-sampling model does not take.',
  routes: { canonical: true },
  needs: [chat, target],

  setup: () => ({
    onBody(exchange) {
      if (exchange.get(target).model.sampling === 'fixed') fixSampling(exchange.get(chat))
    },
  }),
})
