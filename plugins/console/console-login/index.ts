import {
  definePlugin,
  type HeadersPhase,
  html,
  isOwnOrigin,
  queryReader,
  readSchema,
  type Services,
} from '../../../lib/plugin.ts'
import { openedCookie } from '../cookies.ts'
import { readForm } from '../form.ts'
import { replyBare, replySeeOther } from '../page.ts'

/** A query that schemas/queries/console-login.json accepts. */
interface Query {
  readonly token: string
}

export default definePlugin({
  name: 'console-login',
  summary: 'Opens a console session by the one-time link of `sluiceway login` and the button on its page.',
  routes: { route: ['console-login', 'console-sign-in'] },

  setup(_options, services) {
    const read = queryReader<Query>(readSchema('queries/console-login'), 'http_400')
    return {
      onHeaders(exchange) {
        if (exchange.route.name === 'console-sign-in') return signIn(services, exchange)
        // Mail scanners and previews of chats open links too: that must not use them up.
        const { token } = read(exchange.query)
        const button = html`<p>The link that you have opened signs this browser in, once.</p>
<form method="post" action="/console/login"><input type="hidden" name="token" value="${token}">
<button class="main">Sign in</button></form>`
        replyBare(exchange, 200, 'Sign in to the console', button)
      },
    }
  },
})

async function signIn(services: Services, exchange: HeadersPhase): Promise<void> {
  const form = await readForm((sink, limit) => exchange.feedBody(sink, limit))
  if (!isOwnOrigin(exchange.headers)) {
    const text = html`<p>This form does not come from a page of this address: open the link itself.</p>`
    return replyBare(exchange, 403, 'Not signed in', text)
  }
  const opened = await services.sessions.open(form.get('token') ?? '')
  if (opened === undefined) {
    const text = html`<p>This link has been used or has expired: <code>sluiceway login USER</code> makes a new one.</p>`
    return replyBare(exchange, 401, 'Not signed in', text)
  }
  exchange.setHeader('set-cookie', openedCookie(services, exchange, opened.secret, opened.seconds))
  replySeeOther(exchange, '/console')
}
