import { definePlugin, fail, html, queryReader, readSchema } from '../../../lib/plugin.ts'
import { isSecure, sessionCookie } from '../cookies.ts'
import { replyBare } from '../page.ts'

/** A query that schemas/queries/console-login.json accepts. */
interface Query {
  readonly token: string
}

const SIGNED_IN = html`<p>This browser has a session now: <a href="/console">to the console</a>. The link that opened it cannot be used again.</p>`

export default definePlugin({
  name: 'console-login',
  summary: 'Opens a console session by the one-time link of `sluiceway login`.',
  routes: { route: ['console-login'] },

  setup(_options, { config, sessions }) {
    const read = queryReader<Query>(readSchema('queries/console-login'), 'http_400')
    return {
      async onHeaders(exchange) {
        const opened = await sessions.open(read(exchange.query).token)
        if (opened === undefined) {
          fail('http_401', { problem: "This link has been used or has expired: 'sluiceway login' makes a new one." })
        }
        exchange.setHeader('set-cookie', sessionCookie(config.brand, opened, isSecure(config, exchange.headers)))
        replyBare(exchange, 200, 'Signed in', SIGNED_IN)
      },
    }
  },
})
