/** How operators sign in, by a key or a one-time link, and out. All of it is in the audit log, and no secret is. */
import type { IncomingMessage } from 'node:http'
import { usesLink } from '../../pages/fetch-metadata.ts'
import { html } from '../../pages/html.ts'
import type { Actor } from '../../store/audit.ts'
import type { Session } from '../../store/database.ts'
import { closeOperatorSession, openByLink, openOperatorSession, operatorOfLink } from '../../store/operator-sessions.ts'
import type { AdminCalls, AdminOptions } from '../call.ts'
import { clientOf } from '../client.ts'
import { audited, type Desk } from '../desk.ts'
import { actorOf, operatorOf } from '../operators.ts'
import { filled } from './form.ts'
import { oidcRoutes } from './oidc.ts'
import { type Entered, type Reply, signedInPage, signInPage } from './page.ts'
import { RefusedSignIns } from './refused-sign-ins.ts'
import { isToken, OIDC_PATH, SIGN_IN_PATH, TOKEN, type Visitor, visitorCookie } from './visitor.ts'

/** Answers the paths of signing in and out; undefined: it is another path. */
export type SignIn = (
  req: IncomingMessage,
  url: URL,
  visitor: Visitor | undefined,
  form: URLSearchParams,
) => Promise<Entered | undefined>

/** What opens a session: finds its owner, then opens it. undefined: it is of no operator, or has been used meanwhile. */
interface Proof {
  readonly by: 'key' | 'link'
  readonly problem: string
  owner(): Promise<Visitor['operator'] | undefined>
  open(session: Session, keyId: string): Promise<string | undefined>
}

export function signInRoutes(options: AdminOptions, calls: AdminCalls): SignIn {
  const { config, clock, log } = options
  const { read, write } = calls
  const cookie = (secret: string, req: IncomingMessage) => ({
    'set-cookie': visitorCookie(config().brand, secret, req),
  })
  const deskOf = (store: Session, actor: Actor): Desk => {
    return { store, config: config(), actor, now: clock.micros(), log }
  }
  const refusals = new RefusedSignIns((attempts, { by, address }) => {
    const change = { action: 'session.refuse', target: 'operators', after: { by, attempts } }
    const desk = (store: Session) => deskOf(store, { name: 'unknown', address })
    return write(store => audited(desk(store), async () => ({ change, result: undefined }))).catch((err: unknown) =>
      log.warn({ err, attempts }, 'refused sign-ins are not in the audit log'),
    )
  })

  const byIssuer = oidcRoutes(options, calls, address => refusals.add({ by: 'oidc', address }))

  const byKey = (key: string): Proof => ({
    by: 'key',
    problem: "This is not an operator's key, or it has been revoked.",
    owner: () => operatorOf(read, config().brand, key),
    open: (session, id) => openOperatorSession(session, id, clock.micros()),
  })

  const byLink = (link: string): Proof => ({
    by: 'link',
    problem: 'This link has been used or has expired. `sluiceway login --operator NAME` makes a new one.',
    owner: () => read(session => operatorOfLink(session, link, clock.micros())),
    open: session => openByLink(session, link, clock.micros()),
  })

  async function enter(req: IncomingMessage, { by, problem, owner, open }: Proof): Promise<Entered> {
    const address = clientOf(config()).address(req)
    const operator = await owner()
    const secret =
      operator &&
      (await write(store =>
        audited(deskOf(store, actorOf(operator, address)), async session => {
          const result = await open(session, operator.id)
          const change = { action: 'session.open', target: operator.id, after: { by } }
          return { change: result === undefined ? undefined : change, result }
        }),
      ))
    if (secret !== undefined) return { reply: { to: '/' }, headers: cookie(secret, req) }
    refusals.add({ by, address })
    return { reply: signInPage(problem, config()), headers: {} }
  }

  async function leave(req: IncomingMessage, { operator, secret }: Visitor): Promise<Entered> {
    const actor = actorOf(operator, clientOf(config()).address(req))
    await write(store =>
      audited(deskOf(store, actor), async session => {
        await closeOperatorSession(session, secret)
        return {
          change: { action: 'session.close', target: operator.rule === undefined ? operator.id : operator.name },
          result: undefined,
        }
      }),
    )
    return { reply: { to: '/' }, headers: cookie('', req) }
  }

  return async (req, url, visitor, form) => {
    const isPost = req.method === 'POST'
    if (url.pathname === SIGN_IN_PATH) {
      const link = filled(form, 'token')
      if (isPost) return enter(req, link === undefined ? byKey(filled(form, 'key') ?? '') : byLink(link))
      const token = url.searchParams.get('token')
      if (token === null) return { reply: signInPage(null, config()), headers: {} }
      if (req.method !== 'GET' || !usesLink(req.headers)) return { reply: linkPage(token), headers: {} }
      const { reply, headers } = await enter(req, byLink(token))
      // A redirect would arrive without the cookie, where another program has opened the link.
      return { reply: 'to' in reply ? signedInPage('The link cannot be used again.') : reply, headers }
    }
    if (url.pathname.startsWith(OIDC_PATH)) return byIssuer(req, url)
    if (url.pathname !== '/sign-out' || !isPost) return undefined
    if (visitor === undefined) return { reply: { to: '/' }, headers: cookie('', req) }
    return isToken(form.get(TOKEN) ?? '', visitor) ? leave(req, visitor) : undefined
  }
}

/** For those who may only be looking: the button uses the link up. */
function linkPage(token: string): Reply {
  const body = html`<p>The link that you have opened signs this browser in, once.</p>
<form method="post" action="${SIGN_IN_PATH}"><input type="hidden" name="token" value="${token}">
<button class="main">Sign in</button></form>`
  return { title: 'Sign in', path: null, body }
}
