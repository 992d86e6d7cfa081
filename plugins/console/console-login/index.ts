import { acceptsHtml, html, isOwnOrigin, queryReader, usesLink } from '../../../lib/console.ts'
import { definePlugin, fail, type HeadersPhase, readSchema, type Services } from '../../../lib/plugin.ts'
import { openedCookie } from '../cookies.ts'
import { readForm } from '../form.ts'
import { replyBare, replySeeOther } from '../page.ts'
import { signInOptions } from '../sign-in.ts'

/** A query that schemas/queries/console-login.json accepts. */
interface Query {
  readonly token: string
}

const SIGNED_IN = html`<p>You are signed in: <a href="/console">open the console</a>. The link that opened it cannot be used again.</p>`

const USED = html`<p>This link has been used or has expired: <code>sluiceway login USER</code> makes a new one.</p>`

export default definePlugin({
  name: 'console-login',
  summary: 'Opens a console session by the one-time link of `sluiceway login`.',
  routes: { route: ['console-login', 'console-sign-in'] },

  setup(_options, services) {
    const read = queryReader<Query>(readSchema('queries/console-login'), 'http_400')
    return {
      onHeaders(exchange) {
        if (exchange.route.name === 'console-sign-in') return openByForm(services, exchange)
        const token = tokenOf(exchange, read)
        if (token === undefined) {
          const text = html`<p>This link has no token, or is incomplete.</p>${signInOptions(services)}`
          return replyBare(exchange, services.config, 400, 'Not signed in', text)
        }
        if (exchange.method === 'GET' && usesLink(exchange.headers)) return openByLink(services, exchange, token)
        const button = html`<p>The link that you have opened signs this browser in, once.</p>
<form method="post" action="/console/login"><input type="hidden" name="token" value="${token}">
<button class="main">Sign in</button></form>`
        replyBare(exchange, services.config, 200, 'Sign in to the console', button)
      },
    }
  },
})

/** The token of a link. Without one, undefined for a browser, which gets a page; a refusal for other clients. */
function tokenOf({ headers, query }: HeadersPhase, read: (query: string) => Query): string | undefined {
  try {
    return read(query).token
  } catch (error) {
    if (!acceptsHtml(headers)) throw error
    return undefined
  }
}

/** Does not redirect: a browser that another program has started would follow without the cookie. */
async function openByLink(services: Services, exchange: HeadersPhase, token: string): Promise<void> {
  const opened = await services.sessions.open(token)
  if (opened === undefined) {
    if (acceptsHtml(exchange.headers)) return replyBare(exchange, services.config, 401, 'Not signed in', USED)
    fail('http_401', { problem: "This link has been used or has expired: 'sluiceway login' makes a new one." })
  }
  exchange.setHeader('set-cookie', openedCookie(services, exchange, opened.secret, opened.seconds))
  replyBare(exchange, services.config, 200, 'Signed in', SIGNED_IN)
}

/** Opens a session by the button of the confirmation page. */
async function openByForm(services: Services, exchange: HeadersPhase): Promise<void> {
  const form = await readForm((sink, limit) => exchange.feedBody(sink, limit))
  if (!isOwnOrigin(exchange.headers)) {
    const text = html`<p>This form does not come from a page of this address: open the link itself.</p>`
    return replyBare(exchange, services.config, 403, 'Not signed in', text)
  }
  const opened = await services.sessions.open(form.get('token') ?? '')
  if (opened === undefined) return replyBare(exchange, services.config, 401, 'Not signed in', USED)
  exchange.setHeader('set-cookie', openedCookie(services, exchange, opened.secret, opened.seconds))
  replySeeOther(exchange, '/console')
}
