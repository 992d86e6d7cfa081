/** What those see whose request belongs to no session, or to another one than the page that it was sent from. */
import { html, type Services } from '../../lib/plugin.ts'
import { replyBare } from './page.ts'
import { isToken, TOKEN, type Visitor, visitorOf } from './visitor.ts'

type Exchange = Parameters<typeof replyBare>[0] & { readonly headers: Parameters<typeof visitorOf>[1] }

/** The visitor; undefined: nobody is signed in, and the reply says so. */
export async function admit(
  services: Pick<Services, 'config' | 'sessions'>,
  exchange: Exchange,
  status = 401,
): Promise<Visitor | undefined> {
  const visitor = await visitorOf(services, exchange.headers)
  if (visitor === undefined) {
    replyBare(
      exchange,
      status,
      'Not signed in',
      html`<p>You are not signed in, or your session has ended. Nothing was changed.</p>
<p>The operator of this gateway creates a link for you with <code>sluiceway login USER</code>. Open it in this browser:
it works once, within ten minutes.</p>`,
    )
  }
  return visitor
}

/** Whether the form comes from a page of this session; false: the reply says that it does not. */
export function isOwnForm(exchange: Exchange, visitor: Visitor, form: URLSearchParams): boolean {
  if (isToken(form.get(TOKEN) ?? '', visitor.secret)) return true
  replyBare(
    exchange,
    403,
    'Nothing was changed',
    html`<p>The form does not come from a page of your present session. <a href="/console">Open the console</a> and send it again.</p>`,
  )
  return false
}
