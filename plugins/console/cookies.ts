/** The cookies of the console: that of a session and, during a sign-in by an issuer, that of the sign-in. */
import { cookieName, cookieSecret, isSecure, type Reached, SIGN_IN_SECONDS, sessionCookie } from '../../lib/console.ts'
import type { Services } from '../../lib/plugin.ts'

/** Where people sign in by an issuer; the issuer sends browsers back to a path below it. */
export const OIDC_PATH = '/console/login/oidc'

type Named = { readonly config: Pick<Services['config'], 'brand'> }

/** For a browser that has been signed in. `seconds`: how long the session lasts. */
export function openedCookie({ config }: Named, request: Reached, secret: string, seconds: number): string {
  return sessionCookie(cookieName(config.brand), secret, seconds, isSecure(request))
}

/** Deletes the cookie in the browser. */
export function deletedCookie({ config }: Named, request: Reached): string {
  return sessionCookie(cookieName(config.brand), '', 0, isSecure(request))
}

/** The secret of the session that a request carries. */
export function sessionSecret({ config }: Named, request: Reached): string | undefined {
  return cookieSecret(cookieName(config.brand), request.headers, isSecure(request))
}

/** Comes back with the browser that another site, the issuer, leads here. */
export function signInCookie({ config }: Named, request: Reached, sealed: string): string {
  return sessionCookie(signInName(config.brand), sealed, SIGN_IN_SECONDS, isSecure(request), 'Lax')
}

/** What signInCookie() has been given. */
export function sealedSignIn({ config }: Named, request: Reached): string | undefined {
  return cookieSecret(signInName(config.brand), request.headers, isSecure(request))
}

function signInName(brand: string): string {
  return `${brand}_oidc`
}
