import { type Html, html, htmlTable, type OwnAccount } from '../../../lib/console.ts'
import { definePlugin } from '../../../lib/plugin.ts'
import { deletedCookie } from '../cookies.ts'
import { readForm } from '../form.ts'
import { replyBare, replyPage, withNote } from '../page.ts'
import { isOwnForm, requireVisitor, STALE_FORM, signInOptions } from '../sign-in.ts'
import type { Visitor } from '../visitor.ts'

export default definePlugin({
  name: 'console',
  summary: 'Shows who is signed in to the console, with which accounts, and signs out.',
  routes: { route: ['console', 'console-logout'] },

  setup(_options, services) {
    return {
      async onHeaders(exchange) {
        const visitor = await requireVisitor(services, exchange, 200)
        if (visitor === undefined) return
        if (exchange.route.name === 'console') {
          const body = homePage(visitor, await services.ownKeys.accounts(visitor.user))
          return replyPage(exchange, visitor, { title: 'Console', body, path: '/console' })
        }
        const form = await readForm((sink, limit) => exchange.feedBody(sink, limit))
        if (!isOwnForm(visitor, form)) {
          const page = { title: 'Console', body: withNote(STALE_FORM, html``, 403), path: '/console' } as const
          return replyPage(exchange, visitor, page, 403)
        }
        await services.sessions.close(visitor.secret)
        exchange.setHeader('set-cookie', deletedCookie(services, exchange))
        replyBare(
          exchange,
          200,
          'Signed out',
          html`<p>The session has ended.</p>
${signInOptions(services)}`,
        )
      },
    }
  },
})

function homePage({ user }: Visitor, accounts: readonly OwnAccount[]): Html {
  const rows = accounts.map(({ id, name, kind, role, plan }) => [
    html`<a href="/console/usage?account=${id}">${name}</a>`,
    kind,
    role ?? 'key alone',
    plan ?? 'none',
  ])
  return html`<p>This browser is signed in as <strong>${user}</strong>.</p>
${
  rows.length === 0
    ? html`<p>You belong to no account yet: ask the operator of this gateway.</p>`
    : htmlTable('Your accounts', ['Account', 'Kind', 'Your role', 'Plan'], rows)
}
<h2>What to do here</h2>
<ul>
<li><a href="/console/keys">Create a key</a>, with the lines for a first call.</li>
<li><a href="/console/try">Ask a model</a> from this browser.</li>
<li><a href="/console/requests">See your requests</a>, and why one failed.</li>
<li><a href="/console/usage">See what you have used</a>, and what is left.</li>
<li><a href="/docs/errors">Look up an error</a>.</li>
</ul>`
}
