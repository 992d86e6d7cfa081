/** Sign-in of operators by a key or a one-time link, and sign-out. The audit log records both, without secrets. */
import type { IncomingMessage } from 'node:http'
import { usesLink } from '../../pages/fetch-metadata.ts'
import { html } from '../../pages/html.ts'
import type { Actor } from '../../store/audit.ts'
import type { Session } from '../../store/database.ts'
import { closeOperatorSession, openByLink, openOperatorSession, operatorOfLink } from '../../store/operator-sessions.ts'
import type { AdminCalls, AdminOptions } from '../call.ts'
import { type AdminContext, audited } from '../context.ts'
import { actorOf, clientOf, operatorOf } from '../operators.ts'
import { filled } from './form.ts'
import { oidcRoutes } from './oidc.ts'
import { type Reply, type SignInReply, signedInPage, signInPage } from './page.ts'
import { isToken, OIDC_PATH, SIGN_IN_PATH, TOKEN, type Visitor, visitorCookie } from './visitor.ts'

/** Answers the paths of sign-in and sign-out. undefined: another path. */
type SignIn = (
  req: IncomingMessage,
  url: URL,
  visitor: Visitor | undefined,
  form: URLSearchParams,
) => Promise<SignInReply | undefined>

interface Credential {
  readonly by: 'key' | 'link'
  readonly problem: string
  /** undefined: it is not valid. */
  owner(): Promise<Visitor['operator'] | undefined>
  /** Opens a session and returns its secret. undefined: the credential is no longer valid. */
  open(session: Session, keyId: string): Promise<string | undefined>
}

export function signInRoutes(options: AdminOptions, calls: AdminCalls): SignIn {
  const { config, clock, log } = options
  const { read, write } = calls
  const cookie = (secret: string, req: IncomingMessage) => ({
    'set-cookie': visitorCookie(config().brand, secret, req),
  })
  const contextOf = (store: Session, actor: Actor): AdminContext => {
    return { store, config: config(), actor, now: clock.micros(), log }
  }
  const refusals = new RefusedSignIns((attempts, { by, address }) => {
    const change = { action: 'session.refuse', target: 'operators', after: { by, attempts } }
    const context = (store: Session) => contextOf(store, { name: 'unknown', address })
    return write(store => audited(context(store), async () => ({ change, result: undefined }))).catch((err: unknown) =>
      log.warn({ err, attempts }, 'refused sign-ins are not in the audit log'),
    )
  })

  const byIssuer = oidcRoutes(options, calls, address => refusals.add({ by: 'oidc', address }))

  const byKey = (key: string): Credential => ({
    by: 'key',
    problem: "This is not an operator's key, or it has been revoked.",
    owner: () => operatorOf(read, config().brand, key),
    open: (session, id) => openOperatorSession(session, id, clock.micros()),
  })

  const byLink = (link: string): Credential => ({
    by: 'link',
    problem: 'This link has been used or has expired. `sluiceway login --operator NAME` makes a new one.',
    owner: () => read(session => operatorOfLink(session, link, clock.micros())),
    open: session => openByLink(session, link, clock.micros()),
  })

  async function signIn(req: IncomingMessage, { by, problem, owner, open }: Credential): Promise<SignInReply> {
    const address = clientOf(config()).address(req)
    const operator = await owner()
    const secret =
      operator &&
      (await write(store =>
        audited(contextOf(store, actorOf(operator, address)), async session => {
          const result = await open(session, operator.id)
          const change = { action: 'session.open', target: operator.id, after: { by } }
          return { change: result === undefined ? undefined : change, result }
        }),
      ))
    if (secret !== undefined) return { reply: { to: '/' }, headers: cookie(secret, req) }
    refusals.add({ by, address })
    return { reply: signInPage(problem, config()), headers: {} }
  }

  async function signOut(req: IncomingMessage, { operator, secret }: Visitor): Promise<SignInReply> {
    const actor = actorOf(operator, clientOf(config()).address(req))
    const target = operator.rule === undefined ? operator.id : operator.name
    await write(store =>
      audited(contextOf(store, actor), async session => {
        await closeOperatorSession(session, secret)
        return { change: { action: 'session.close', target }, result: undefined }
      }),
    )
    return { reply: { to: '/' }, headers: cookie('', req) }
  }

  return async (req, url, visitor, form) => {
    const isPost = req.method === 'POST'
    if (url.pathname === SIGN_IN_PATH) {
      const link = filled(form, 'token')
      if (isPost) return signIn(req, link === undefined ? byKey(filled(form, 'key') ?? '') : byLink(link))
      const token = url.searchParams.get('token')
      if (token === null) return { reply: signInPage(null, config()), headers: {} }
      if (req.method !== 'GET' || !usesLink(req.headers)) return { reply: linkPage(token), headers: {} }
      const { reply, headers } = await signIn(req, byLink(token))
      // A page instead of a redirect: another program may have opened the link (signedInPage()).
      return { reply: 'to' in reply ? signedInPage('The link cannot be used again.') : reply, headers }
    }
    if (url.pathname.startsWith(OIDC_PATH)) return byIssuer(req, url)
    if (url.pathname !== '/sign-out' || !isPost) return undefined
    if (visitor === undefined) return { reply: { to: '/' }, headers: cookie('', req) }
    return isToken(form.get(TOKEN) ?? '', visitor) ? signOut(req, visitor) : undefined
  }
}

/** The confirmation page of a link. Its button consumes the link. */
function linkPage(token: string): Reply {
  const body = html`<p>The link that you have opened signs this browser in, once.</p>
<form method="post" action="${SIGN_IN_PATH}"><input type="hidden" name="token" value="${token}">
<button class="main">Sign in</button></form>`
  return { title: 'Sign in', path: null, body }
}

interface RefusedSignIn {
  /** Type of the credential, never the credential itself. */
  readonly by: 'key' | 'link' | 'oidc'
  readonly address: string | null
}

const REFUSAL_INTERVAL_MS = 60_000

/** Records the first refusal at once and those of the next minute together: attackers cannot fill the audit log. */
class RefusedSignIns {
  readonly #record: (attempts: number, last: RefusedSignIn) => Promise<unknown>
  /** Since the last entry. */
  #attempts = 0
  #last: RefusedSignIn | undefined
  #timer: NodeJS.Timeout | undefined

  /** `record` must not reject. */
  constructor(record: (attempts: number, last: RefusedSignIn) => Promise<unknown>) {
    this.#record = record
  }

  add(refused: RefusedSignIn): void {
    this.#attempts++
    this.#last = refused
    if (this.#timer === undefined) this.#flush()
  }

  #flush(): void {
    this.#timer = undefined
    if (this.#last === undefined) return
    void this.#record(this.#attempts, this.#last)
    this.#attempts = 0
    this.#last = undefined
    this.#timer = setTimeout(() => this.#flush(), REFUSAL_INTERVAL_MS).unref()
  }
}
