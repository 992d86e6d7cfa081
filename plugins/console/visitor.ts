/** Who looks at a page of the console, and whether a form was sent from one of its pages. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { escapeHtml, type Services } from '../../lib/plugin.ts'
import { sessionSecret } from './cookies.ts'
import { htmlPage } from './page.ts'

export interface Visitor {
  readonly user: string
  /** The secret of the session. */
  readonly secret: string
}

/** undefined: nobody is signed in, or the session has ended. */
export async function visitorOf(
  { config, sessions }: Pick<Services, 'config' | 'sessions'>,
  headers: IncomingHttpHeaders,
): Promise<Visitor | undefined> {
  const secret = sessionSecret(config.brand, headers)
  if (secret === undefined) return undefined
  const user = await sessions.userOf(secret)
  return user === undefined ? undefined : { user, secret }
}

/** Name of the hidden field that shows that a form comes from a page of this session. */
export const TOKEN = 'csrf_token'

/** The token of a session's forms: nobody without the session's secret can compute it, and it does not tell the secret. */
export function formToken(secret: string): string {
  return createHmac('sha256', secret).update('console form').digest('base64url')
}

export function isToken(given: string, secret: string): boolean {
  const expected = Buffer.from(formToken(secret))
  const actual = Buffer.from(given)
  return actual.length === expected.length && timingSafeEqual(actual, expected)
}

/** The hidden field with the token, as HTML. */
export function tokenField({ secret }: Visitor): string {
  return `<input type="hidden" name="${TOKEN}" value="${escapeHtml(formToken(secret))}">`
}

export const NOT_SIGNED_IN = htmlPage(
  'Not signed in',
  `<p>The operator of this gateway creates a link for you with <code>sluiceway login USER</code>. Open it in this browser:
it works once, within ten minutes.</p>`,
)

export const FOREIGN_FORM = htmlPage(
  'Nothing was changed',
  `<p>The form does not come from a page of your present session. <a href="/console">Open the console</a> and send it again.</p>`,
)
