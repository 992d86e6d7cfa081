/** Who looks at a page of the console, and whether a form was sent from one of its pages. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { type Html, html, type Reached } from '../../lib/console.ts'
import type { Services } from '../../lib/plugin.ts'
import { sessionSecret } from './cookies.ts'

export interface Visitor {
  readonly user: string
  /** The secret of the session. */
  readonly secret: string
}

/** undefined: there is no session, or it has ended. */
export async function visitorOf(
  services: Pick<Services, 'config' | 'sessions'>,
  request: Reached,
): Promise<Visitor | undefined> {
  const secret = sessionSecret(services, request)
  if (secret === undefined) return undefined
  const user = await services.sessions.userOf(secret)
  return user === undefined ? undefined : { user, secret }
}

/** Name of the hidden field that shows that a form comes from a page of this session. */
export const TOKEN = 'csrf_token'

/** Header of a request by script that shows the same. */
export const TOKEN_HEADER = 'x-csrf-token'

/** The token of a session's forms: it cannot be computed without the session's secret, and does not reveal that. */
export function formToken(secret: string): string {
  return createHmac('sha256', secret).update('console form').digest('base64url')
}

export function isToken(given: string, secret: string): boolean {
  const expected = Buffer.from(formToken(secret))
  const actual = Buffer.from(given)
  return actual.length === expected.length && timingSafeEqual(actual, expected)
}

/** The hidden field with the token. */
export function tokenField({ secret }: Visitor): Html {
  return html`<input type="hidden" name="${TOKEN}" value="${formToken(secret)}">`
}
