import { definePlugin } from '../../../lib/core/plugin.ts'

/** api.md "Envelope" rule 2: every response carries x-request-id. `request-id` is what one SDK reads instead. */
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
