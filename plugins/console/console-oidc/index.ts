import { acceptsHtml, HTML, html, PAGE_HEADERS, SignInFailure } from '../../../lib/console.ts'
import { definePlugin, fail, type Services } from '../../../lib/plugin.ts'
import { OIDC_PATH, openedCookie, sealedSignIn, signInCookie } from '../cookies.ts'
import { replyBare } from '../page.ts'
import { replyMissing, signInOptions } from '../sign-in.ts'

const CALLBACK_PATH = `${OIDC_PATH}/callback`

/** Not a redirect: a browser that comes from another site would follow it without the cookie of the session. */
const SIGNED_IN = html`<meta http-equiv="refresh" content="0;url=/console">
<p>You are signed in: <a href="/console">open the console</a>.</p>`

export default definePlugin({
  name: 'console-oidc',
  summary: 'Opens a console session for people who sign in at an OpenID Connect issuer.',
  routes: { route: ['console-oidc', 'console-oidc-callback'] },

  setup(_options, services) {
    const { oidc, log } = services
    return {
      async onHeaders(exchange) {
        if (oidc === null) {
          if (acceptsHtml(exchange.headers)) return replyMissing(services, exchange)
          fail('http_404', { problem: 'This gateway has no sign-in by an issuer.' })
        }
        const { query, logId } = exchange
        try {
          if (exchange.route.name === 'console-oidc') {
            const { location, sealed } = await oidc.begin(`${exchange.origin}${CALLBACK_PATH}`)
            for (const [name, value] of Object.entries(PAGE_HEADERS)) exchange.setHeader(name, value)
            exchange.setHeader('set-cookie', signInCookie(services, exchange, sealed))
            exchange.setHeader('location', location)
            return exchange.reply(303, '', HTML)
          }
          const opened = await open(services, await oidc.finish(query, sealedSignIn(services, exchange)))
          exchange.setHeader('set-cookie', openedCookie(services, exchange, opened.secret, opened.seconds))
          replyBare(exchange, services.config, 200, 'Signed in', SIGNED_IN)
        } catch (thrown) {
          if (!(thrown instanceof SignInFailure)) throw thrown
          log.warn({ sign_in: { audience: 'console', ...thrown.facts }, request_id: logId }, 'sign-in failed')
          const [problem, remedy] = thrown.words
          const body = html`<p class="note bad" role="alert">${problem} ${remedy}</p>
${signInOptions(services)}`
          replyBare(exchange, services.config, thrown.status, 'Not signed in', body)
        }
      },
    }
  },
})

type Person = Awaited<ReturnType<NonNullable<Services['oidc']>['finish']>>

/** Rejects with SignInFailure if the person is in no account, or if this sign-in has opened a session before. */
async function open({ sessions, ownKeys }: Services, { names, once, judged, stranger, again }: Person) {
  for (const name of names) {
    if ((await ownKeys.accounts(name)).length === 0) continue
    const opened = await sessions.start(name, once, judged)
    if (opened === undefined) throw again()
    return opened
  }
  throw stranger()
}
