import { type CanonicalRequest, definePlugin, formatOf, formatOptionsByKey } from '../../../lib/plugin.ts'
import { chat, formatOptions, key, passthrough } from '../../slots.ts'

export default definePlugin({
  name: 'translate',
  summary: "Turns the client's format into the canonical request.",
  routes: { canonical: true },
  provides: [chat, formatOptions],
  wants: [key, passthrough],
  // Formats rely on the types that the schema has checked.
  after: ['validate'],

  setup: (_options, { config }) => {
    const optionsOf = formatOptionsByKey(config)
    return {
      onBody(exchange) {
        const options = optionsOf(exchange.find(key))
        const taken = exchange.find(passthrough)
        exchange.set(formatOptions, options)
        exchange.set(chat, exchange.translateBody(withPassthrough(formatOf(exchange.route.format), taken), options))
      },
    }
  },
})

type Format = ReturnType<typeof formatOf>

/** Inside the translation, because it makes long texts of these members lazy too. */
function withPassthrough(format: Format, taken: CanonicalRequest['passthrough'] | null): Format {
  if (taken == null) return format
  return { ...format, toCanonical: (...given) => ({ ...format.toCanonical(...given), passthrough: taken }) }
}
