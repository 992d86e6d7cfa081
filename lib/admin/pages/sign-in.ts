/** How operators sign in, by a key or a one-time link, and out. */
import type { IncomingMessage } from 'node:http'
import { html } from '../../pages/html.ts'
import { closeOperatorSession, openByLink, openOperatorSession } from '../../store/operator-sessions.ts'
import type { AdminCalls, AdminOptions } from '../call.ts'
import { operatorOf } from '../operators.ts'
import { filled } from './form.ts'
import { type Reply, signInPage } from './page.ts'
import { isToken, SIGN_IN_PATH, sessionCookie, TOKEN, type Visitor } from './visitor.ts'

export interface Entered {
  readonly reply: Reply
  readonly headers: Readonly<Record<string, string>>
}

/** Answers the paths of signing in and out; undefined: it is another path. */
export type SignIn = (
  req: IncomingMessage,
  url: URL,
  visitor: Visitor | undefined,
  form: URLSearchParams,
) => Promise<Entered | undefined>

export function signInRoutes({ config, clock }: AdminOptions, { read, write }: AdminCalls): SignIn {
  const refusal = (problem: string): Entered => ({ reply: signInPage(problem), headers: {} })
  const cookie = (secret: string, req: IncomingMessage) => ({
    'set-cookie': sessionCookie(config().brand, secret, req),
  })

  async function byKey(req: IncomingMessage, form: URLSearchParams): Promise<Entered> {
    const operator = await operatorOf(read, config().brand, filled(form, 'key') ?? '')
    if (operator === undefined) return refusal("This is not an operator's key, or it has been revoked.")
    const secret = await write(session => openOperatorSession(session, operator.id, clock.micros()))
    return { reply: { to: '/' }, headers: cookie(secret, req) }
  }

  async function byLink(req: IncomingMessage, token: string): Promise<Entered> {
    const secret = await write(session => openByLink(session, token, clock.micros()))
    if (secret === undefined)
      return refusal('This link has been used or has expired. `sluiceway login --operator NAME` makes a new one.')
    // A redirect would arrive without the cookie, where another site or program has opened the link.
    return { reply: { title: 'Signed in', path: null, body: SIGNED_IN }, headers: cookie(secret, req) }
  }

  return async (req, url, visitor, form) => {
    const isPost = req.method === 'POST'
    if (url.pathname === SIGN_IN_PATH) {
      const token = url.searchParams.get('token')
      if (isPost) return byKey(req, form)
      if (token !== null) return req.method === 'GET' ? byLink(req, token) : undefined
      return { reply: signInPage(null), headers: {} }
    }
    if (url.pathname !== '/sign-out' || !isPost) return undefined
    if (visitor === undefined) return { reply: { to: '/' }, headers: cookie('', req) }
    if (!isToken(form.get(TOKEN) ?? '', visitor)) return undefined
    await write(session => closeOperatorSession(session, visitor.secret))
    return { reply: { to: '/' }, headers: cookie('', req) }
  }
}

const SIGNED_IN = html`<meta http-equiv="refresh" content="0;url=/">
<p>This browser is signed in: <a href="/">to the pages</a>. The link cannot be used again.</p>`
