import type { IncomingHttpHeaders } from 'node:http'
import { fail } from '../../lib/errors.ts'
import { definePlugin } from '../../lib/plugin.ts'
import { queryReader } from '../../lib/query.ts'
import { type LOGIN_PARAMETER, sessionCookie } from '../../lib/sessions.ts'

/** What schemas/queries/console-login.json lets through. */
type Query = Readonly<Record<typeof LOGIN_PARAMETER, string>>

const PAGE = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Signed in</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:44em;margin:2em auto;padding:0 1em}</style>
<h1>Signed in</h1><p>This browser has a session now. The link that opened it cannot be used again.</p></html>
`

export default definePlugin({
  name: 'console-login',
  summary: 'Opens a console session by the one-time link of `sluiceway login`.',
  routes: { route: ['console-login'] },

  setup(_options, { config, sessions }) {
    const read = queryReader<Query>('console-login', 'http_400')
    const isSecure = (headers: IncomingHttpHeaders) =>
      config.listen.tls !== undefined || headers['x-forwarded-proto'] === 'https'
    return {
      async onHeaders(exchange) {
        // Neither the page nor the address it was opened by is for anybody else.
        exchange.setHeader('cache-control', 'no-store')
        exchange.setHeader('referrer-policy', 'no-referrer')
        const opened = await sessions.open(read(exchange.query).token)
        if (opened === undefined) {
          fail('http_401', { problem: "This link has been used or has expired: 'sluiceway login' makes a new one." })
        }
        exchange.setHeader('set-cookie', sessionCookie(config.brand, opened, isSecure(exchange.headers)))
        exchange.reply(200, PAGE, 'text/html; charset=utf-8')
      },
    }
  },
})
