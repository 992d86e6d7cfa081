/** The cookies of the console: one for the session and, during a sign-in by an issuer, one for the sign-in. */
import { cookieName, cookieSecret, isSecure, type Reached, SIGN_IN_SECONDS, sessionCookie } from '../../lib/console.ts'
import type { Services } from '../../lib/plugin.ts'

/** Path at which people sign in by an issuer. The issuer redirects browsers to a path below it. */
export const OIDC_PATH = '/console/login/oidc'

type Named = { readonly config: Pick<Services['config'], 'brand'> }

/** The cookie of a new session. `seconds`: duration of the session. */
export function openedCookie({ config }: Named, request: Reached, secret: string, seconds: number): string {
  return sessionCookie(cookieName(config.brand), secret, seconds, isSecure(request))
}

/** The header that deletes the cookie of the session. */
export function deletedCookie({ config }: Named, request: Reached): string {
  return sessionCookie(cookieName(config.brand), '', 0, isSecure(request))
}

/** The session secret in a request. */
export function sessionSecret({ config }: Named, request: Reached): string | undefined {
  return cookieSecret(cookieName(config.brand), request.headers, isSecure(request))
}

/** The cookie of a sign-in. `Lax`, so that the browser sends it when the issuer redirects it. */
export function signInCookie({ config }: Named, request: Reached, sealed: string): string {
  return sessionCookie(signInName(config.brand), sealed, SIGN_IN_SECONDS, isSecure(request), 'Lax')
}

/** The value that signInCookie() has stored. */
export function sealedSignIn({ config }: Named, request: Reached): string | undefined {
  return cookieSecret(signInName(config.brand), request.headers, isSecure(request))
}

function signInName(brand: string): string {
  return `${brand}_oidc`
}
