import { queryReader, type RequestFilter } from '../../../lib/console.ts'
import { definePlugin, readSchema } from '../../../lib/plugin.ts'
import { key } from '../../slots.ts'
import { readableEndpoint } from '../access.ts'

/** A query that schemas/queries/endpoint-requests.json accepts, with its defaults. */
interface Query extends Omit<RequestFilter, 'tags'> {
  readonly limit: number
  readonly cursor?: string
  readonly tag?: readonly string[]
}

export default definePlugin({
  name: 'endpoint-requests',
  summary: 'Answers GET /v1/endpoints/requests: a page of requests, newest first.',
  routes: { route: ['endpoint-requests'] },
  needs: [key],
  after: ['rate-limit'],

  setup(_options, { reports }) {
    const read = queryReader<Query>(readSchema('queries/endpoint-requests'), 'schema_validation_failed')
    return {
      async onHeaders(exchange) {
        const { endpoint, limit, cursor, tag = [], ...bounds } = read(exchange.query)
        const host = readableEndpoint(exchange.get(key), endpoint)
        const filter = { ...bounds, endpoint: host, tags: [...new Set(tag)] }
        exchange.reply(200, await reports.requests(filter, cursor, limit))
      },
    }
  },
})
