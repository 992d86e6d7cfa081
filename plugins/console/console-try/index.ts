import { html, mayCreateKeys } from '../../../lib/console.ts'
import { definePlugin } from '../../../lib/plugin.ts'
import { gatewayOrigin } from '../first-call.ts'
import { modelsOf } from '../models.ts'
import { replyPage, withNote } from '../page.ts'
import { admit } from '../strangers.ts'
import { tryPage } from './page.ts'

export default definePlugin({
  name: 'console-try',
  summary: "The console's page with a prompt box.",
  routes: { route: ['console-try'] },

  setup: (_options, services) => ({
    async onHeaders(exchange) {
      const visitor = await admit(services, exchange)
      if (visitor === undefined) return
      const accounts = (await services.ownKeys.accounts(visitor.user)).filter(mayCreateKeys)
      const models = modelsOf(services, accounts, 'chat')
      const path = '/console/try'
      if (models.length === 0) {
        const note = 'There is no model that you could ask here.'
        return replyPage(exchange, visitor, { title: 'Try it', body: withNote(note, html``), path })
      }
      const body = tryPage({ visitor, accounts, models, origin: gatewayOrigin(services.config, exchange) })
      replyPage(exchange, visitor, { title: 'Try it', body, path, script: 'try.js' })
    },
  }),
})
