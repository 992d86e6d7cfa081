import { definePlugin, withoutDecoding } from '../../../lib/plugin.ts'
import { chat, formatOptions } from '../../slots.ts'
import { checkToolChoice, checkTools } from './definitions.ts'
import { checkToolMessages, mendArguments } from './messages.ts'

export default definePlugin({
  name: 'tools',
  summary: 'Refuses tools, tool choices and tool messages that do not fit together, and mends calls that were cut off.',
  routes: { canonical: true },
  needs: [chat],
  wants: [formatOptions],
  // `parameters` may be a single reference until it has been inlined.
  after: ['schema-refs'],

  setup: () => ({
    onBody(exchange) {
      const request = exchange.get(chat)
      if (request.kind !== 'chat') return
      if (request.tools.length > 0) {
        const empty = exchange.find(formatOptions)?.tools.empty_parameters
        withoutDecoding(() => checkTools(request.tools, exchange.route.format, empty))
      }
      checkToolChoice(request.toolChoice, request.tools)
      checkToolMessages(request.messages)
      // On Messages, clients send arguments as objects.
      if (exchange.route.format !== 'messages') mendArguments(request.messages)
    },
  }),
})
