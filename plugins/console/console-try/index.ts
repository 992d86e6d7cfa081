import { emptyState, mayCreateKeys } from '../../../lib/console.ts'
import { definePlugin } from '../../../lib/plugin.ts'
import { gatewayOrigin } from '../first-call.ts'
import { modelsOf } from '../models.ts'
import { replyPage } from '../page.ts'
import { requireVisitor } from '../sign-in.ts'
import { tryPage } from './try-page.ts'

export default definePlugin({
  name: 'console-try',
  summary: "The console's page with a prompt box.",
  routes: { route: ['console-try'] },

  setup: (_options, services) => ({
    async onHeaders(exchange) {
      const visitor = await requireVisitor(services, exchange)
      if (visitor === undefined) return
      const { config } = services
      const accounts = (await services.ownKeys.accounts(visitor.user)).filter(mayCreateKeys)
      const ids = new Set(modelsOf(services, accounts, 'chat'))
      const path = '/console/try'
      if (ids.size === 0) {
        const text = 'The models of your accounts that can chat appear here. The operator of this gateway adds them.'
        return replyPage(exchange, visitor, { title: 'Try it', body: emptyState('No model to ask', text), path })
      }
      const models = services.models.all.filter(({ id }) => ids.has(id))
      const origin = gatewayOrigin(config, exchange)
      const body = tryPage({ visitor, accounts, models, origin, currency: config.currency })
      replyPage(exchange, visitor, { title: 'Try it', body, path, script: 'try.js' })
    },
  }),
})
