import { definePlugin } from '../../../lib/plugin.ts'
import { openapiDocument } from './document.ts'

export default definePlugin({
  name: 'openapi',
  summary: 'Serves the description of the API as OpenAPI 3.1.',
  routes: { route: ['openapi'] },

  setup(_options, { config, errors }) {
    let document: string | undefined
    return {
      onHeaders(exchange) {
        document ??= JSON.stringify(openapiDocument(config, errors))
        exchange.reply(200, document, 'application/json')
      },
    }
  },
})
