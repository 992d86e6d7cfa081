/** Sessions of the operators' pages: cookies, and tokens that protect forms against CSRF. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Config } from '../../config/config.ts'
import { isRule } from '../../oidc/claims.ts'
import { type Html, html } from '../../pages/html.ts'
import { cookieSecret, isSecure, type Reached, sessionCookie } from '../../pages/session-cookie.ts'
import { OPERATOR_SESSION_SECONDS, operatorOfSession, type SignedIn } from '../../store/operator-sessions.ts'
import type { RunQuery } from '../../store/query-runner.ts'

export const SIGN_IN_PATH = '/sign-in'

/** Path of the sign-in by an issuer, which redirects browsers to a path below it. */
export const OIDC_PATH = `${SIGN_IN_PATH}/oidc`

/** Form field of the CSRF token. It is computed from the session's secret, which other sites do not know. */
export const TOKEN = 'csrf_token'

export interface Visitor {
  readonly operator: SignedIn
  readonly secret: string
  /** The configuration has batches. */
  readonly hasBatches?: boolean
}

/** undefined: no valid session, or no rule makes the user an operator any more. `now`: microseconds since the epoch. */
export async function visitorOf(
  read: RunQuery,
  { brand, admin, batches }: Pick<Config, 'brand' | 'admin' | 'batches'>,
  headers: IncomingHttpHeaders,
  now: number,
): Promise<Visitor | undefined> {
  const secret = cookieSecret(nameOf(brand), headers, isSecure({ headers }))
  if (secret === undefined) return undefined
  const operator = await read(session => operatorOfSession(session, secret, now))
  if (operator?.rule !== undefined && !isRule(operator.rule, admin?.oidc)) return undefined
  return operator && { operator, secret, hasBatches: batches !== undefined }
}

/** The session cookie; an empty secret deletes it. Only a proxy terminates TLS here: the operators' port has no TLS. */
export function visitorCookie(brand: string, secret: string, request: Reached): string {
  return sessionCookie(nameOf(brand), secret, OPERATOR_SESSION_SECONDS, isSecure(request))
}

function nameOf(brand: string): string {
  return `${brand}_operator_session`
}

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
