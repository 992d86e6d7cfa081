import type { IncomingMessage } from 'node:http'
import type { Config } from '../../config/config.ts'
import { type KnownOperator, operatorSignIn } from '../../oidc/audiences.ts'
import { SignInFailure } from '../../oidc/failure.ts'
import { SIGN_IN_SECONDS } from '../../oidc/sign-in.ts'
import { cookieSecret, isSecure, sessionCookie } from '../../pages/session-cookie.ts'
import { openOidcSession } from '../../store/operator-sessions.ts'
import type { AdminCalls, AdminOptions } from '../call.ts'
import { audited } from '../context.ts'
import { clientOf, oidcActor } from '../operators.ts'
import { type SignInReply, signedInPage, signInPage } from './page.ts'
import { OIDC_PATH, visitorCookie } from './visitor.ts'

const CALLBACK_PATH = `${OIDC_PATH}/callback`

/** Answers the two paths of the sign-in. undefined: another path, or the configuration has no issuer. */
type OidcSignIn = (req: IncomingMessage, url: URL) => Promise<SignInReply | undefined>

/** `refused` is called with the address of a person who is not an operator. */
export function oidcRoutes(
  { config, clock, log }: AdminOptions,
  { write }: AdminCalls,
  refused: (address: string | null) => void,
): OidcSignIn {
  // The configuration of the operators' port is read only at the start.
  const signIn = operatorSignIn(config(), clock)
  const cookieName = () => `${config().brand}_operator_oidc`

  async function begin(req: IncomingMessage): Promise<SignInReply> {
    const { location, sealed } = await signIn!.begin(`${originOf(req, config())}${CALLBACK_PATH}`)
    // Lax, because the issuer, another site, redirects the browser here.
    const cookie = sessionCookie(cookieName(), sealed, SIGN_IN_SECONDS, isSecure(req), 'Lax')
    return { reply: { to: location }, headers: { 'set-cookie': cookie } }
  }

  async function finish(req: IncomingMessage, url: URL): Promise<SignInReply> {
    const known = await signIn!.finish(url.search.slice(1), cookieSecret(cookieName(), req.headers, isSecure(req)))
    const secret = await open(known, clientOf(config()).address(req))
    return { reply: signedInPage(''), headers: { 'set-cookie': visitorCookie(config().brand, secret, req) } }
  }

  /** Rejects with SignInFailure if this sign-in has already opened a session. */
  async function open(known: KnownOperator, address: string | null): Promise<string> {
    const { name, rule, once, again } = known
    const actor = oidcActor(name, address)
    const secret = await write(session =>
      audited({ store: session, config: config(), actor, now: clock.micros(), log }, async store => {
        const opened = await openOidcSession(store, known, once, clock.micros())
        const change = { action: 'session.open', target: name, after: { by: 'oidc', rule } }
        return { change: opened === undefined ? undefined : change, result: opened }
      }),
    )
    if (secret === undefined) throw again()
    return secret
  }

  return async (req, url) => {
    if (signIn === null || req.method !== 'GET') return undefined
    if (url.pathname !== OIDC_PATH && url.pathname !== CALLBACK_PATH) return undefined
    try {
      return await (url.pathname === OIDC_PATH ? begin(req) : finish(req, url))
    } catch (thrown) {
      if (!(thrown instanceof SignInFailure)) throw thrown
      if (thrown.reason === 'not_operator') refused(clientOf(config()).address(req))
      log.warn({ sign_in: { audience: 'operators', ...thrown.facts } }, 'sign-in failed')
      return { reply: { ...signInPage(thrown.words.join(' '), config()), status: thrown.status }, headers: {} }
    }
  }
}

/** The origin that the browser uses. The issuer redirects only to addresses that it knows. */
function originOf(req: IncomingMessage, config: Config): string {
  const origin = clientOf(config).origin(req)
  return URL.parse(isSecure(req) ? origin.replace(/^http:/, 'https:') : origin)?.origin ?? 'http://localhost'
}
