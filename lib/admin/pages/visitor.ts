/** Who looks at the operators' pages, and whether a form was sent from one of them. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Config } from '../../config/config.ts'
import { isRule } from '../../oidc/claims.ts'
import { type Html, html } from '../../pages/html.ts'
import { cookieSecret, isSecure, type Reached, sessionCookie } from '../../pages/session-cookie.ts'
import { OPERATOR_SESSION_SECONDS, operatorOfSession, type SignedIn } from '../../store/operator-sessions.ts'
import type { RunQuery } from '../../store/query-runner.ts'

/** Where keys and one-time links open a session. */
export const SIGN_IN_PATH = '/sign-in'

/** Where an issuer does; it sends browsers back to a path below this one. */
export const OIDC_PATH = `${SIGN_IN_PATH}/oidc`

/** Sent with forms only, and computed from the session's secret: another site cannot know it. */
export const TOKEN = 'csrf_token'

export interface Visitor {
  readonly operator: SignedIn
  /** Of the session. */
  readonly secret: string
}

/** undefined: there is no session, it has ended, or what made the visitor an operator is gone. `now`: microseconds. */
export async function visitorOf(
  read: RunQuery,
  { brand, admin }: Pick<Config, 'brand' | 'admin'>,
  headers: IncomingHttpHeaders,
  now: number,
): Promise<Visitor | undefined> {
  const secret = sessionSecret(brand, headers)
  if (secret === undefined) return undefined
  const operator = await read(session => operatorOfSession(session, secret, now))
  if (operator?.rule !== undefined && !isRule(operator.rule, admin?.oidc)) return undefined
  return operator && { operator, secret }
}

/** The secret of the session that a request carries. */
export function sessionSecret(brand: string, headers: IncomingHttpHeaders): string | undefined {
  return cookieSecret(nameOf(brand), headers, isSecure({ headers }))
}

/** The cookie with this secret; an empty one deletes it. Only a proxy in front can end TLS here. */
export function visitorCookie(brand: string, secret: string, request: Reached): string {
  return sessionCookie(nameOf(brand), secret, OPERATOR_SESSION_SECONDS, isSecure(request))
}

function nameOf(brand: string): string {
  return `${brand}_operator_session`
}

/** The hidden field with the token of a session's forms. */
export function tokenField({ secret }: Pick<Visitor, 'secret'>): Html {
  return html`<input type="hidden" name="${TOKEN}" value="${formToken(secret)}">`
}

export function isToken(given: string, { secret }: Pick<Visitor, 'secret'>): boolean {
  const expected = Buffer.from(formToken(secret))
  const actual = Buffer.from(given)
  return actual.length === expected.length && timingSafeEqual(actual, expected)
}

function formToken(secret: string): string {
  return createHmac('sha256', secret).update('operators form').digest('base64url')
}
