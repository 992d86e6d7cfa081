import { mayCreateKeys } from '../../../lib/console.ts'
import { definePlugin, fail } from '../../../lib/plugin.ts'
import { key } from '../../slots.ts'
import { isToken, TOKEN_HEADER, visitorKey, visitorOf } from '../visitor.ts'

/** docs/adr/0056-a-console-of-forms.md says why no key is made for this. */
export default definePlugin({
  name: 'console-visitor',
  summary: 'Lets a signed-in user of the console send requests to models, as with a key of their own.',
  routes: { access: 'visitor' },
  provides: [key],

  setup: (_options, services) => ({
    async onHeaders(exchange) {
      const { headers, query } = exchange
      const visitor = await visitorOf(services, exchange)
      if (visitor === undefined) fail('http_401', { problem: 'Your session has ended: sign in again.' })
      const token = headers[TOKEN_HEADER]
      if (typeof token !== 'string' || !isToken(token, visitor.secret))
        fail('http_403', {
          problem: 'This request does not come from a page of your present session: load the page again.',
        })
      const accountId = new URLSearchParams(query).get('account')
      const account = (await services.ownKeys.accounts(visitor.user)).find(({ id }) => id === accountId)
      // Only for users who may create a key of the account.
      if (account === undefined || !mayCreateKeys(account))
        fail('http_403', { problem: 'You cannot use that account here.' })
      exchange.set(key, visitorKey(visitor, account))
    },
  }),
})
