import { queryReader } from '../../../lib/console.ts'
import { definePlugin, readSchema } from '../../../lib/plugin.ts'
import { sessionUser } from '../../slots.ts'

export default definePlugin({
  name: 'serverless-keys',
  summary: "Answers GET /v1/serverless/keys with the user's own keys, without their secrets.",
  routes: { route: ['serverless-keys'] },
  needs: [sessionUser],

  setup(_options, { keys }) {
    const readNothing = queryReader(readSchema('admin/none'), 'schema_validation_failed')
    return {
      onHeaders(exchange) {
        readNothing(exchange.query)
        const own = keys.ofUser(exchange.get(sessionUser)).filter(({ kind }) => kind === 'serverless')
        exchange.reply(200, {
          keys: own.map(({ id, kind, endpoints, account }) => ({
            id,
            kind,
            endpoints: [...endpoints],
            account_id: account.id,
            account_name: account.name,
          })),
        })
      },
    }
  },
})
