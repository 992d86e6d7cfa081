import { queryReader } from '../../../lib/console.ts'
import { definePlugin, readSchema } from '../../../lib/plugin.ts'
import { key } from '../../slots.ts'

export default definePlugin({
  name: 'endpoints',
  summary: 'Answers GET /v1/endpoints with the dedicated endpoints of the key.',
  routes: { route: ['endpoints'] },
  needs: [key],
  after: ['rate-limit'],

  setup(_options, { config }) {
    const readNothing = queryReader(readSchema('admin/none'), 'schema_validation_failed')
    const served = new Set(config.endpoints.map(({ host }) => host))
    return {
      onHeaders(exchange) {
        readNothing(exchange.query)
        const own = exchange.get(key).endpoints.filter(host => served.has(host))
        exchange.reply(200, { endpoints: own.map(endpoint => ({ endpoint })) })
      },
    }
  },
})
