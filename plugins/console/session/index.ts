import { definePlugin, fail } from '../../../lib/plugin.ts'
import { sessionUser } from '../../slots.ts'
import { sessionSecret } from '../cookies.ts'

/** Message for the code of every request without credentials, whose own message asks for a key. */
const NO_CREDENTIALS = { message: 'This needs a dashboard session: sign in first.' } as const

export default definePlugin({
  name: 'session',
  summary: 'Finds the user of a console session by its cookie.',
  routes: { access: 'session' },
  provides: [sessionUser],

  setup: (_options, services) => ({
    async onHeaders(exchange) {
      const { headers } = exchange
      const secret = sessionSecret(services, exchange)
      if (secret === undefined) refuse(headers.authorization ?? headers['x-api-key'])
      const user = await services.sessions.userOf(secret)
      if (user === undefined) fail('http_401', { problem: 'The dashboard session has ended: sign in again.' })
      exchange.set(sessionUser, user)
    },
  }),
})

function refuse(credential: string | string[] | undefined): never {
  if (!credential) fail('missing_api_key', {}, NO_CREDENTIALS)
  fail('http_403', { problem: 'This needs a dashboard session: an API key does not open it.' })
}
