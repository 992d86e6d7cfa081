import {
  type CanonicalRequest,
  type Config,
  definePlugin,
  type FormatOptions,
  formatOf,
  type Key,
} from '../../../lib/plugin.ts'
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

/** Looks up the format options of a key: its own, else those of its account, else those of the gateway. */
function formatOptionsByKey({ formats, accounts }: Config): (key: Key | undefined) => FormatOptions {
  // By id, because keys in the store refer to accounts of the configuration, too.
  const byAccount = new Map<string, FormatOptions>()
  for (const account of accounts) {
    if (account.formats !== undefined) byAccount.set(account.id, account.formats)
  }
  return key => (key === undefined ? formats : (key.formats ?? byAccount.get(key.account.id) ?? formats))
}

type Format = ReturnType<typeof formatOf>

/** Inside the translation, because it makes long texts of these members lazy too. */
function withPassthrough(format: Format, taken: CanonicalRequest['passthrough'] | null): Format {
  if (taken == null) return format
  return { ...format, toCanonical: (...given) => ({ ...format.toCanonical(...given), passthrough: taken }) }
}
