import { queryReader } from '../../../lib/console.ts'
import { definePlugin, readSchema } from '../../../lib/plugin.ts'
import { key } from '../../slots.ts'
import { readableEndpoint } from '../access.ts'

/** A query that schemas/queries/endpoint-metrics.json accepts, with its defaults. */
interface Query {
  readonly endpoint: string
  readonly range_minutes: number
}

const MICROS_PER_MINUTE = 60_000_000

export default definePlugin({
  name: 'endpoint-metrics',
  summary: 'Answers GET /v1/endpoints/metrics.',
  routes: { route: ['endpoint-metrics'] },
  needs: [key],
  after: ['rate-limit'],

  setup(_options, { reports, clock }) {
    const read = queryReader<Query>(readSchema('queries/endpoint-metrics'), 'schema_validation_failed')
    return {
      async onHeaders(exchange) {
        const { endpoint, range_minutes } = read(exchange.query)
        const host = readableEndpoint(exchange.get(key), endpoint)
        const to = clock.now() * 1000
        exchange.reply(200, await reports.metrics(host, to - range_minutes * MICROS_PER_MINUTE, to))
      },
    }
  },
})
