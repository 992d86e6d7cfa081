/** The signed-in user of a page, and the tokens of its forms against CSRF. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { type Html, html, type OwnAccount, type Reached, type Site } from '../../lib/console.ts'
import type { Key, Services } from '../../lib/plugin.ts'
import { sessionSecret } from './cookies.ts'

export interface Visitor {
  readonly user: string
  /** The secret of the session. */
  readonly secret: string
  /** One of the user's accounts may have batches. */
  readonly hasBatches?: boolean
  /** The console has alerts. */
  readonly hasAlerts?: boolean
  /** What the header of the page names. */
  readonly site?: Site
}

/** The visitor of a request; undefined: there is no session, or it has ended. */
export async function visitorOf(
  services: Pick<Services, 'config' | 'sessions'>,
  request: Reached,
): Promise<Visitor | undefined> {
  const secret = sessionSecret(services, request)
  if (secret === undefined) return undefined
  const user = await services.sessions.userOf(secret)
  return user === undefined ? undefined : { user, secret, site: siteOf(services) }
}

/** What the header of each page names. */
function siteOf({ config: { brand, environment } }: Pick<Services, 'config'>): Site {
  return { brand, environment }
}

/** Name of the hidden field with the token of a form. */
export const TOKEN = 'csrf_token'

/** Name of the header with the token of a request by script. */
export const TOKEN_HEADER = 'x-csrf-token'

/** The token of a session's forms. It cannot be computed without the secret of the session, and does not reveal it. */
function formToken(secret: string): string {
  return createHmac('sha256', secret).update('console form').digest('base64url')
}

/** Whether a token belongs to the session with this secret. */
export function isToken(given: string, secret: string): boolean {
  const expected = Buffer.from(formToken(secret))
  const actual = Buffer.from(given)
  return actual.length === expected.length && timingSafeEqual(actual, expected)
}

/** The hidden field with the token. */
export function tokenField({ secret }: Visitor): Html {
  return html`<input type="hidden" name="${TOKEN}" value="${formToken(secret)}">`
}

/** In place of a key, for requests of the user in this account. */
export function visitorKey({ user }: Visitor, account: OwnAccount): Key {
  return {
    id: `console:${user}`,
    kind: 'serverless',
    user,
    endpoints: [],
    account,
    models: null,
    expiresAt: Number.POSITIVE_INFINITY,
    disabled: false,
    isStored: false,
  }
}
