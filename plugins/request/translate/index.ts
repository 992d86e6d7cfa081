import { definePlugin } from '../../../lib/core/plugin.ts'
import { formatOf } from '../../../lib/formats/index.ts'
import { formatOptionsByAccount } from '../../../lib/formats/options.ts'
import { chat, formatOptions, key } from '../../slots.ts'

export default definePlugin({
  name: 'translate',
  summary: "Turns the client's format into the canonical request.",
  routes: { canonical: true },
  provides: [chat, formatOptions],
  wants: [key],
  // Formats trust the types of what they read.
  after: ['validate'],

  setup: (_options, { config }) => {
    const optionsOf = formatOptionsByAccount(config)
    return {
      onBody(exchange) {
        const options = optionsOf(exchange.find(key)?.account.id)
        exchange.set(formatOptions, options)
        exchange.set(chat, formatOf(exchange.route.format).request(exchange.body, options))
      },
    }
  },
})
