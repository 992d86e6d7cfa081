/** Who looks at the operators' pages, and whether a form was sent from one of them. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { type Html, html } from '../../pages/html.ts'
import { OPERATOR_SESSION_SECONDS, operatorOfSession, type SignedIn } from '../../store/operator-sessions.ts'
import type { RunQuery } from '../../store/query-runner.ts'

/** Where keys and one-time links open a session. */
export const SIGN_IN_PATH = '/sign-in'

/** Browsers send it with forms alone, and nobody without the session's secret can compute it. */
export const TOKEN = 'csrf_token'

export interface Visitor {
  readonly operator: SignedIn
  /** Of the session. */
  readonly secret: string
}

/** undefined: nobody is signed in, the session has ended, or the key of the operator has been revoked. `now`: microseconds. */
export async function visitorOf(
  read: RunQuery,
  brand: string,
  headers: IncomingHttpHeaders,
  now: number,
): Promise<Visitor | undefined> {
  const secret = sessionSecret(brand, headers)
  if (secret === undefined) return undefined
  const operator = await read(session => operatorOfSession(session, secret, now))
  return operator && { operator, secret }
}

/** The secret of the session that a request carries. Of two cookies with the name the first counts. */
export function sessionSecret(brand: string, { cookie }: IncomingHttpHeaders): string | undefined {
  const prefix = `${nameOf(brand)}=`
  const pair = cookie
    ?.split(';')
    .map(one => one.trim())
    .find(one => one.startsWith(prefix))
  const secret = pair?.slice(prefix.length)
  return secret === '' ? undefined : secret
}

/**
 * Scripts cannot read the cookie, and other sites cannot make a browser send it. An empty secret deletes it. Over TLS, which only
 * a proxy in front can end, it is sent over TLS alone.
 */
export function sessionCookie(brand: string, secret: string, { headers }: Pick<IncomingMessage, 'headers'>): string {
  const attributes = [
    'Path=/',
    `Max-Age=${secret === '' ? 0 : OPERATOR_SESSION_SECONDS}`,
    'HttpOnly',
    'SameSite=Strict',
  ]
  if (headers['x-forwarded-proto'] === 'https') attributes.push('Secure')
  return [`${nameOf(brand)}=${secret}`, ...attributes].join('; ')
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

/**
 * Whether a form was sent by a page of this origin, as browsers tell it. Pages of other ports of a host count as the same site,
 * so the cookie alone proves nothing. Programs that are no browsers send neither header.
 */
export function isOwnOrigin({ origin, host, 'sec-fetch-site': site }: IncomingHttpHeaders): boolean {
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  return origin === undefined || URL.parse(origin)?.host === host
}
