import { chat, definePlugin, fail } from '../../lib/plugin.ts'
import options from './options.json' with { type: 'json' }

/** Options that options.json accepts, with its defaults. */
interface Options {
  readonly limit: number
}

export default definePlugin({
  name: '_template',
  summary: 'Refuses requests that ask for more tokens than the operator allows.',
  routes: { proxied: true, canonical: true },
  options,
  needs: [chat],

  setup: ({ limit }: Options) => ({
    onBody(exchange) {
      const { maxTokens } = exchange.get(chat)
      if (maxTokens === undefined || maxTokens <= limit) return
      const problem = `At most ${limit} tokens may be asked for.`
      fail('schema_validation_failed', { problem }, { param: 'max_tokens' })
    },
  }),
})
