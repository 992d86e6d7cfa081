import { isRequestId, queryReader } from '../../../lib/console.ts'
import { definePlugin, fail, quoted, readSchema, words } from '../../../lib/plugin.ts'
import { key } from '../../slots.ts'
import { readableEndpoint } from '../access.ts'

/** A query that schemas/queries/endpoint-request.json accepts. */
interface Query {
  readonly endpoint: string
}

export default definePlugin({
  name: 'endpoint-request',
  summary: 'Answers GET /v1/endpoints/requests/{request_id} with all data of one request.',
  routes: { route: ['endpoint-request'] },
  needs: [key],
  after: ['rate-limit'],

  setup(_options, { reports }) {
    const read = queryReader<Query>(readSchema('queries/endpoint-request'), 'schema_validation_failed')
    return {
      async onHeaders(exchange) {
        const id = exchange.params.request_id!
        if (!isRequestId(id)) {
          const problem = "'request_id' must be a UUID or the 12 hex digits of x-request-id."
          fail('schema_validation_failed', { problem }, { param: 'request_id', ownParam: true })
        }
        const host = readableEndpoint(exchange.get(key), read(exchange.query).endpoint)
        const request = await reports.request(host, id)
        if (request === undefined) fail('http_404', { problem: words`This endpoint has no request '${quoted(id)}'.` })
        exchange.reply(200, request)
      },
    }
  },
})
