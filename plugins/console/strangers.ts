/** What those see whose request belongs to no session, or to another one than the page that it was sent from. */
import { type Html, html, type Reached } from '../../lib/console.ts'
import type { Services } from '../../lib/plugin.ts'
import { OIDC_PATH } from './cookies.ts'
import { type PageExchange, replyBare } from './page.ts'
import { isToken, TOKEN, type Visitor, visitorOf } from './visitor.ts'

type Exchange = PageExchange & Reached

/** The visitor; undefined: there is no session, and the reply says so. */
export async function admit(
  services: Pick<Services, 'config' | 'sessions' | 'oidc'>,
  exchange: Exchange,
  status = 401,
): Promise<Visitor | undefined> {
  const visitor = await visitorOf(services, exchange)
  if (visitor === undefined) {
    replyBare(
      exchange,
      status,
      'Not signed in',
      html`<p>You are not signed in, or your session has ended. Nothing was changed.</p>
${waysIn(services)}
<p>Then load this page again: what you have entered is still there.</p>`,
    )
  }
  return visitor
}

/** How to get a session. */
export function waysIn({ oidc }: Pick<Services, 'oidc'>): Html {
  return html`${oidc !== null && html`<p><a class="button" href="${OIDC_PATH}">${oidc.label}</a></p>`}
<p>The operator of this gateway creates a link for you with <code>sluiceway login USER</code>. Open it in this browser:
it opens one session, within ten minutes.</p>`
}

/** Said with a form that has no token of this session, and everything that was entered in it. */
export const STALE_FORM =
  'This form is not of your present session, so nothing was changed. Send it again if it is yours.'

/** Whether the form comes from a page of this session. */
export function isOwnForm(visitor: Visitor, form: URLSearchParams): boolean {
  return isToken(form.get(TOKEN) ?? '', visitor.secret)
}
