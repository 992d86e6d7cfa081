import { emptyState, html, isManager, type OwnAccount } from '../../../lib/console.ts'
import { definePlugin, type HeadersPhase, type Services } from '../../../lib/plugin.ts'
import { deletedCookie } from '../cookies.ts'
import { gatewayOrigin } from '../first-call.ts'
import { readForm } from '../form.ts'
import { replyBare, replyPage, withNote } from '../page.ts'
import { isOwnForm, replyMissing, requireVisitor, STALE_FORM, signInOptions } from '../sign-in.ts'
import { viewOf } from '../view.ts'
import type { Visitor } from '../visitor.ts'
import { overviewOf, overviewPage } from './overview.ts'

export default definePlugin({
  name: 'console',
  summary: "The console's first page: spend, requests, errors, what is left, and accounts; signs out.",
  routes: { route: ['console', 'console-logout', 'console-missing'] },

  setup(_options, services) {
    return {
      async onHeaders(exchange) {
        if (exchange.route.name === 'console-missing') return replyMissing(services, exchange)
        const visitor = await requireVisitor(services, exchange, 200)
        if (visitor === undefined) return
        if (exchange.route.name === 'console') {
          return overview(services, exchange, visitor)
        }
        const form = await readForm((sink, limit) => exchange.feedBody(sink, limit))
        if (!isOwnForm(visitor, form)) {
          const page = { title: 'Overview', body: withNote(STALE_FORM, html``, 403), path: '/console' } as const
          return replyPage(exchange, visitor, page, 403)
        }
        await services.sessions.close(visitor.secret)
        exchange.setHeader('set-cookie', deletedCookie(services, exchange))
        replyBare(
          exchange,
          services.config,
          200,
          'Signed out',
          html`<p>The session has ended.</p>
${signInOptions(services)}`,
        )
      },
    }
  },
})

async function overview(services: Services, exchange: HeadersPhase, visitor: Visitor): Promise<void> {
  const accounts = await services.ownKeys.accounts(visitor.user)
  const page = { title: 'Overview', path: '/console' } as const
  if (accounts.length === 0) {
    const text = 'The operator of this gateway adds you to an account. Its usage, requests and keys appear here.'
    return replyPage(exchange, visitor, { ...page, body: emptyState('You belong to no account yet', text) })
  }
  const view = await viewOf(services, visitor, queryOf(exchange.query, accounts))
  if (typeof view === 'string') return replyPage(exchange, visitor, { ...page, body: withNote(view, html``, 404) }, 404)
  const base = `${gatewayOrigin(services.config, exchange)}/v1`
  const body = overviewPage(await overviewOf(services, visitor, view), {
    currency: services.config.currency,
    base,
    visitor,
  })
  replyPage(exchange, visitor, { ...page, body })
}

/** Owners and admins see every member, unless they choose otherwise. */
function queryOf(text: string, accounts: readonly OwnAccount[]): URLSearchParams {
  const query = new URLSearchParams(text)
  const chosen = query.get('account')
  const account = chosen === null ? accounts[0] : accounts.find(({ id }) => id === chosen)
  if (!query.has('who') && account !== undefined && isManager(account.role)) query.set('who', 'team')
  return query
}
