/** The cookie of a console session. */
import { cookieName, cookieSecret, isSecure, type Reached, type Services, sessionCookie } from '../../lib/plugin.ts'

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
