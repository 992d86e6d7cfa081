import { priced, priceFactors, queryReader, totalsBy, totalsOf } from '../../../lib/console.ts'
import { definePlugin, fail, readSchema } from '../../../lib/plugin.ts'
import { key } from '../../slots.ts'
import { coveredBy, type PeriodQuery, periodOf } from '../period.ts'
import { scopeOf } from '../scope.ts'

/** A query that schemas/queries/usage-me.json accepts. */
interface Query extends PeriodQuery {
  readonly endpoint?: string
  readonly pass_account_id?: string
}

export default definePlugin({
  name: 'usage-me',
  summary: 'Answers GET /v1/usage/me: what the user behind the key has used.',
  routes: { route: ['usage-me'] },
  needs: [key],
  after: ['rate-limit'],

  setup(_options, { config, models, reports, clock }) {
    const read = queryReader<Query>(readSchema('queries/usage-me'), 'http_400')
    return {
      async onHeaders(exchange) {
        const { id, user, account } = exchange.get(key)
        const { endpoint, pass_account_id: requested = account.id, ...query } = read(exchange.query)
        if (requested.toLowerCase() !== account.id.toLowerCase()) {
          const problem = "'pass_account_id' is not the account of this key."
          fail('http_400', { problem }, { param: 'pass_account_id', ownParam: true })
        }
        const asked = periodOf(query, clock.now())
        const used = await reports.usage({
          account_id: account.id,
          // A legacy key belongs to no user: the report covers the key itself.
          ...(user === undefined ? { key_id: id } : { user_id: user }),
          ...(endpoint === undefined ? null : scopeOf(endpoint, config)),
          ...asked,
        })
        const own = priced(used.rows, models.all, priceFactors(config, account.plan))
        const total = totalsOf(own)
        exchange.reply(200, {
          ...coveredBy(asked, used),
          days: totalsBy(own, 'date'),
          models: totalsBy(own, 'model'),
          total_input_tokens: total.input_tokens,
          total_output_tokens: total.output_tokens,
          total_cache_read_tokens: total.cache_read_tokens,
          total_requests: total.requests,
          total_estimated_cost_cents: total.estimated_cost_cents,
        })
      },
    }
  },
})
