import { definePlugin } from '../../../lib/plugin.ts'
import { chat, key, target, zdr } from '../../slots.ts'
import { resolveTarget } from '../resolve.ts'

export default definePlugin({
  name: 'model',
  summary: 'Resolves the model, checks that the key may use it and picks the ZDR partition.',
  routes: { canonical: true },
  needs: [chat, key],
  provides: [target],
  wants: [zdr],

  setup: (_options, services) => ({
    onBody(exchange) {
      const { route, endpoint, headers, body } = exchange
      const caller = { key: exchange.get(key), route, endpoint, headers, body, zdr: exchange.find(zdr) ?? null }
      exchange.set(target, resolveTarget(services, exchange.get(chat).model, caller))
    },
  }),
})
