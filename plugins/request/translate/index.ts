import { definePlugin, formatOf } from '../../../lib/plugin.ts'
import { chat, formatOptions, key } from '../../slots.ts'
import { formatOptionsByKey } from './options.ts'

export default definePlugin({
  name: 'translate',
  summary: "Turns the client's format into the canonical request.",
  routes: { canonical: true },
  provides: [chat, formatOptions],
  wants: [key],
  // Formats rely on the types that the schema has checked.
  after: ['validate'],

  setup: (_options, { config }) => {
    const optionsOf = formatOptionsByKey(config)
    return {
      onBody(exchange) {
        const options = optionsOf(exchange.find(key))
        exchange.set(formatOptions, options)
        exchange.set(chat, exchange.translateBody(formatOf(exchange.route.format), options))
      },
    }
  },
})
