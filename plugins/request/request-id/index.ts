import { definePlugin } from '../../../lib/plugin.ts'

/** Sets x-request-id and, for the Anthropic SDK, request-id (docs/api/README.md#request-ids). */
export default definePlugin({
  name: 'request-id',
  summary: 'Puts the request id on every response.',

  setup: () => ({
    onSend(exchange) {
      exchange.setHeader('x-request-id', exchange.requestId)
      if (exchange.route.format === 'messages') exchange.setHeader('request-id', exchange.requestId)
    },
  }),
})
