import { type Config, definePlugin, type FormatOptions, formatOf, type Key } from '../../../lib/plugin.ts'
import { chat, formatOptions, key } from '../../slots.ts'

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

/** Looks up the format options of a key: its own, else those of its account, else those of the gateway. */
function formatOptionsByKey({ formats, accounts }: Config): (key: Key | undefined) => FormatOptions {
  // By id, because keys in the store refer to accounts of the configuration, too.
  const byAccount = new Map<string, FormatOptions>()
  for (const account of accounts) {
    if (account.formats !== undefined) byAccount.set(account.id, account.formats)
  }
  return key => (key === undefined ? formats : (key.formats ?? byAccount.get(key.account.id) ?? formats))
}
