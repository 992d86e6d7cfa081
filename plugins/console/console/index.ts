import { definePlugin, escapeHtml } from '../../../lib/plugin.ts'
import { deletedCookie, isSecure } from '../cookies.ts'
import { readForm } from '../form.ts'
import { HTML, htmlPage, PERSONAL } from '../page.ts'
import { FOREIGN_FORM, isToken, NOT_SIGNED_IN, TOKEN, tokenField, type Visitor, visitorOf } from '../visitor.ts'

const SIGNED_OUT = htmlPage('Signed out', '<p>The session has ended. A new link opens another.</p>')

export default definePlugin({
  name: 'console',
  summary: 'Shows who is signed in to the console, and signs out.',
  routes: { route: ['console', 'console-logout'] },

  setup(_options, services) {
    const { config, sessions } = services
    return {
      async onHeaders(exchange) {
        const { headers, route } = exchange
        for (const [name, value] of Object.entries(PERSONAL)) exchange.setHeader(name, value)
        const visitor = await visitorOf(services, headers)
        if (route.name === 'console') return exchange.reply(200, visitor ? home(visitor) : NOT_SIGNED_IN, HTML)
        if (visitor !== undefined) {
          const form = await readForm((sink, limit) => exchange.feedBody(sink, limit))
          if (!isToken(form.get(TOKEN) ?? '', visitor.secret)) return exchange.reply(403, FOREIGN_FORM, HTML)
          await sessions.close(visitor.secret)
          exchange.setHeader('set-cookie', deletedCookie(config.brand, isSecure(config, headers)))
        }
        exchange.reply(200, SIGNED_OUT, HTML)
      },
    }
  },
})

function home(visitor: Visitor): string {
  const body = `<p>This browser is signed in as <strong>${escapeHtml(visitor.user)}</strong>.</p>
<form method="post" action="/console/logout">${tokenField(visitor)}<button>Sign out</button></form>`
  return htmlPage('Console', body, '/console')
}
