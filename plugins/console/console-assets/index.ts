import { assetAt } from '../../../lib/console.ts'
import { definePlugin, fail } from '../../../lib/plugin.ts'

export default definePlugin({
  name: 'console-assets',
  summary: "Serves styles and scripts of the console's pages.",
  routes: { route: ['console-asset'] },

  setup: () => ({
    onHeaders(exchange) {
      const { version = '', file = '' } = exchange.params
      const asset = assetAt('console', version, file)
      if (asset === undefined) fail('http_404', { problem: 'The pages of the console have no such file.' })
      for (const [name, value] of Object.entries(asset.headers)) exchange.setHeader(name, value)
      exchange.reply(200, asset.text, asset.type)
    },
  }),
})
