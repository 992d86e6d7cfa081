import { definePlugin, html } from '../../../lib/plugin.ts'
import { deletedCookie, isSecure } from '../cookies.ts'
import { readForm } from '../form.ts'
import { replyBare, replyPage, withNote } from '../page.ts'
import { admit, isOwnForm, STALE_FORM } from '../strangers.ts'

export default definePlugin({
  name: 'console',
  summary: 'Shows who is signed in to the console, and signs out.',
  routes: { route: ['console', 'console-logout'] },

  setup(_options, services) {
    const { config, sessions } = services
    return {
      async onHeaders(exchange) {
        const visitor = await admit(services, exchange, 200)
        if (visitor === undefined) return
        if (exchange.route.name === 'console') {
          const body = html`<p>This browser is signed in as <strong>${visitor.user}</strong>.</p>`
          return replyPage(exchange, visitor, { title: 'Console', body, path: '/console' })
        }
        const form = await readForm((sink, limit) => exchange.feedBody(sink, limit))
        if (!isOwnForm(visitor, form)) {
          const page = { title: 'Console', body: withNote(STALE_FORM, html``, 403), path: '/console' } as const
          return replyPage(exchange, visitor, page, 403)
        }
        await sessions.close(visitor.secret)
        exchange.setHeader('set-cookie', deletedCookie(config.brand, isSecure(config, exchange.headers)))
        replyBare(exchange, 200, 'Signed out', html`<p>The session has ended. A new link opens another.</p>`)
      },
    }
  },
})
