import { definePlugin, escapeHtml } from '../../../lib/plugin.ts'
import { deletedCookie, isSecure, sessionSecret } from '../cookies.ts'
import { HTML, htmlPage, PERSONAL } from '../page.ts'

const HOW = `<p>The operator of this gateway creates a link for you with <code>sluiceway login USER</code>. Open it in this browser:
it works once, within ten minutes.</p>`

const SIGN_OUT = '<form method="post" action="/console/logout"><button>Sign out</button></form>'

const KEYS = '<p>Your keys, without their secrets: <a href="/v1/serverless/keys">/v1/serverless/keys</a></p>'

export default definePlugin({
  name: 'console',
  summary: 'Shows who is signed in to the console, and signs out.',
  routes: { route: ['console', 'console-logout'] },

  setup: (_options, { config, sessions }) => ({
    async onHeaders(exchange) {
      const { headers, route } = exchange
      for (const [name, value] of Object.entries(PERSONAL)) exchange.setHeader(name, value)
      const secret = sessionSecret(config.brand, headers)
      if (route.name === 'console-logout') {
        // A request that another site caused has no cookie, so that it ends no session.
        if (secret !== undefined) {
          await sessions.close(secret)
          exchange.setHeader('set-cookie', deletedCookie(config.brand, isSecure(config, headers)))
        }
        return exchange.reply(200, htmlPage('Signed out', HOW), HTML)
      }
      const user = secret === undefined ? undefined : await sessions.userOf(secret)
      if (user === undefined) return exchange.reply(200, htmlPage('Not signed in', HOW), HTML)
      const who = `<p>This browser is signed in as <strong>${escapeHtml(user)}</strong>.</p>`
      exchange.reply(200, htmlPage('Console', `${who}\n${KEYS}\n${SIGN_OUT}`), HTML)
    },
  }),
})
